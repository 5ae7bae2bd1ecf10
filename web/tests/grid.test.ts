import { describe, expect, it } from 'vitest'
import { displayOrder, regionOf, regionsAcross, rimLabels, stepFocus, type Layout } from '../src/ui/grid'

describe('labels at the rim', () => {
  it('finds the column in front and the row behind', () => {
    expect(rimLabels(['A1', 'B1', 'A2', 'B2', 'A3', 'B3'], 3, 2)).toEqual({ rows: ['1', '2', '3'], cols: ['A', 'B'] })
  })

  it('finds the row in front, past a space', () => {
    expect(rimLabels(['0 0', '0 1', '1 0', '1 1'], 2, 2)).toEqual({ rows: ['0', '1'], cols: ['0', '1'] })
  })

  it('has none where squares are only counted', () => {
    expect(rimLabels(['0', '1', '2', '3'], 2, 2)).toEqual({ rows: [], cols: [] })
  })
})

describe('small boards', () => {
  it('belong to squares row by row', () => {
    expect(regionsAcross(9)).toBe(3)
    expect(regionsAcross(0)).toBe(0)
    expect([0, 3, 8, 40, 80].map((square) => regionOf(square, 9, 9, 3))).toEqual([0, 1, 2, 4, 8])
  })
})

describe('the keyboard’s way over the table', () => {
  const layout: Layout = { rows: 2, cols: 3, order: displayOrder(2, 3, false), above: ['h1A', 'h1B'], below: ['h0A'] }
  const step = (spot: string, key: string) => stepFocus(layout, spot, key)

  it('steps over squares and stops at the sides', () => {
    expect(step('s0', 'ArrowRight')).toBe('s1')
    expect(step('s2', 'ArrowRight')).toBe('s2')
    expect(step('s0', 'ArrowDown')).toBe('s3')
    expect(step('s4', 'Home')).toBe('s3')
    expect(step('s3', 'End')).toBe('s5')
    expect(step('s0', 'a')).toBeNull()
  })

  it('goes on into the hands and back', () => {
    expect(step('s2', 'ArrowUp')).toBe('h1B')
    expect(step('h1B', 'ArrowLeft')).toBe('h1A')
    expect(step('h1A', 'ArrowUp')).toBe('h1A')
    expect(step('h1B', 'ArrowDown')).toBe('s1')
    expect(step('s5', 'ArrowDown')).toBe('h0A')
    expect(step('h0A', 'ArrowUp')).toBe('s3')
    expect(step('h0A', 'ArrowDown')).toBe('h0A')
  })

  it('follows the board when it is turned, and stays where there is no hand', () => {
    const turned: Layout = { ...layout, order: displayOrder(2, 3, true), above: [], below: [] }
    expect(stepFocus(turned, 's5', 'ArrowRight')).toBe('s4')
    expect(stepFocus(turned, 's5', 'ArrowUp')).toBe('s5')
    expect(stepFocus(turned, 's0', 'ArrowDown')).toBe('s0')
  })
})
