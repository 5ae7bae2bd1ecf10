import { describe, expect, it } from 'vitest'
import type { Analysis, MoveValue } from '../src/state/api'
import { accuracy, curve, judge, shared, standing, turningPoint, wanted, type Played } from '../src/state/coach'

const worth = (move: string, value: number, plies: number | null = null, best = value, rank = 1): MoveValue => ({
  move,
  value,
  deviation: (value + 300) / (best + 300),
  rank,
  plies,
})

function analysis(turn: 'first' | 'second', ...values: [string, number][]): Analysis {
  const best = values[0]![1]
  return { turn, values: values.map(([move, value], at) => worth(move, value, null, best, at + 1)), line: [values[0]![0]], source: 'search' }
}

const played: Played[] = [
  { text: 'a', side: 0 },
  { text: 'b', side: 1 },
  { text: 'c', side: 0 },
]
// First stands well, gives it away with its second move, and second takes it.
const found = [
  analysis('first', ['a', 40], ['x', 10]),
  analysis('second', ['y', -30], ['b', -40]),
  analysis('first', ['x', 40], ['y', 40], ['c', -60]),
]

describe('a move', () => {
  it('is judged among those that could have been played', () => {
    expect(judge(found[1], 'b')).toMatchObject({ rank: 2, count: 2, best: { move: 'y' }, line: ['y'] })
    expect(judge(found[0], 'a')).toMatchObject({ rank: 1, deviation: 1 })
    expect(judge(found[2], 'never')).toBeNull()
    expect(judge(undefined, 'a')).toBeNull()
  })

  it('wins or loses as was proved, however long it takes', () => {
    expect(standing(worth('', 100, 1))).toBe(1)
    expect(standing(worth('', -49, 150))).toBe(1)
    expect(standing(worth('', -24, 78))).toBe(-1)
    expect(standing(worth('', 0))).toBe(0)
    expect(standing(worth('', 0.4))).toBe(0)
    expect(standing(worth('', 12))).toBe(1)
    expect(standing(worth('', -12))).toBe(-1)
  })
})

describe('a game', () => {
  it('has a curve as one side sees it', () => {
    expect(curve(found, 3, 0, null)).toEqual([40, 30, 40, null])
    expect(curve(found, 3, 0, -1)).toEqual([40, 30, 40, -100])
    expect(curve(found, 3, 1, -1)).toEqual([-40, -30, -40, 100])
    expect(curve(found, 3, 1, 0)).toEqual([-40, -30, -40, 0])
    expect(curve([undefined, found[1]], 2, 0, null)).toEqual([null, 30, null])
  })

  it('has an accuracy of each side', () => {
    expect(accuracy(found, played, 0)).toEqual({ mean: (1 + 240 / 340) / 2, bests: 1, count: 2 })
    expect(accuracy(found, played, 1)).toEqual({ mean: 260 / 270, bests: 0, count: 1 })
    expect(accuracy([], played, 0)).toBeNull()
  })

  it('turned at the last ply before which it did not stand as it ended', () => {
    expect(turningPoint(found, 3, -1, -1)).toBe(3)
    expect(turningPoint(found, 3, 1, 1)).toBe(0)
    expect(turningPoint(found, 3, 0, 0)).toBe(3)
    expect(turningPoint(found, 3, null, null)).toBeNull()
    expect(turningPoint([found[0], undefined, found[2]], 3, 1, 1)).toBeNull()
  })

  it('that was given up while it stood otherwise turned nowhere', () => {
    const lost = [...found, analysis('second', ['z', 60])]
    expect(turningPoint(lost, 3, -1, null)).toBe(3)
    expect(turningPoint(lost, 3, 1, null)).toBeNull()
    expect(turningPoint(found, 3, -1, null)).toBeNull()
  })
})

describe('the next question', () => {
  it("is about the person's last move, then from the newest back", () => {
    expect(wanted([], played, 1, null, true)).toEqual([1, 3, 2, 0])
    expect(wanted([], played, null, null, true)).toEqual([2, 3, 1, 0])
    expect(wanted([], [], 0, null, true)).toEqual([0])
  })

  it('is nothing that is known, nor a position without moves', () => {
    expect(wanted(found, played, 0, -1, true)).toEqual([])
    expect(wanted(found, played, 0, null, true)).toEqual([3])
  })

  it('waits, but for the verdict, while the opponent is asked', () => {
    expect(wanted([], played, 1, null, false)).toEqual([1])
    expect(wanted(found, played, 1, null, false)).toEqual([])
  })
})

it('two games share their leading moves', () => {
  expect(shared(['a', 'b', 'c'], ['a', 'b', 'd', 'e'])).toBe(2)
  expect(shared([], ['a'])).toBe(0)
})
