import { describe, expect, it } from 'vitest'
import type { Move, View } from '../src/rules/types'
import { passes, targetSquares, touchSquare } from '../src/state/choose'

const step = (from: number, to: number, piece: string): Move => ({ text: `${from}-${to}${piece}`, from, to, piece })

function view(moves: Move[], hands: View['hands']): View {
  return { game: '', root: '', cells: [], hands, turn: 0, outcome: 0, ending: '', moves, played: [], regions: [] }
}

const none: View['hands'] = [[], []]
const held: View['hands'] = [[['P', 1]], [['p', 0]]]

describe('a touch on a square', () => {
  it('places at once in a game without hands', () => {
    const place = step(-1, 4, 'X')
    expect(touchSquare(view([place], none), null, 4)).toEqual({ play: [place] })
    expect(touchSquare(view([place], none), null, 5)).toEqual({ select: null })
    expect(targetSquares(view([place], none), null)).toEqual(new Set([4]))
  })

  it('picks a piece, plays it, and puts it back', () => {
    const one = step(1, 2, 'K')
    const board = view([one, step(3, 4, 'P'), step(-1, 5, 'P')], held)
    expect(touchSquare(board, null, 1)).toEqual({ select: { from: 1 } })
    expect(touchSquare(board, { from: 1 }, 2)).toEqual({ play: [one] })
    expect(touchSquare(board, { from: 1 }, 1)).toEqual({ select: null })
    expect(touchSquare(board, { from: 1 }, 3)).toEqual({ select: { from: 3 } })
    expect(touchSquare(board, { from: 1 }, 5)).toEqual({ select: null })
    expect(targetSquares(board, { from: 1 })).toEqual(new Set([2]))
    expect(targetSquares(board, null)).toEqual(new Set())
  })

  it('drops the letter in hand whichever side holds it', () => {
    const drop = step(-1, 5, 'p')
    expect(touchSquare(view([drop], held), { drop: 'P' }, 5)).toEqual({ play: [drop] })
    // Without a choice of hand nothing is placed in a game with hands.
    expect(touchSquare(view([drop], held), null, 5)).toEqual({ select: null })
  })

  it('leaves a choice between moves to the person', () => {
    const both = [step(1, 2, 'P'), step(1, 2, 'Q')]
    expect(touchSquare(view(both, held), { from: 1 }, 2)).toEqual({ play: both })
  })
})

it('a pass is no square', () => {
  const pass = step(-1, -1, '')
  expect(passes([pass, step(1, 2, 'P')])).toEqual([pass])
  expect(targetSquares(view([pass], none), null)).toEqual(new Set())
})
