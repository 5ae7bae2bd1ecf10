// From what a person touches to the legal moves that it may mean. Pure; the moves come from the rules.

import type { Cell, Move, Side, View } from '../rules/types'

/** A square whose piece is to move, or a letter in the hand. */
export type Selection = { from: number } | { drop: string } | null

export function sideOf(cell: Cell): Side {
  const letter = cell.replace('+', '')
  return letter === letter.toUpperCase() ? 0 : 1
}

export function letterOf(cell: Cell): string {
  return cell.replace('+', '').toUpperCase()
}

export function upright(cell: Cell): Cell {
  return cell.toUpperCase()
}

/** The moves that the selection still allows. */
export function allowed(moves: Move[], selection: Selection): Move[] {
  if (!selection) return []
  if ('from' in selection) return moves.filter((move) => move.from === selection.from && move.to >= 0)
  return moves.filter((move) => move.from < 0 && move.to >= 0 && letterOf(move.piece) === selection.drop)
}

export function sameSelection(a: Selection, b: Selection): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

export function canSelect(moves: Move[], selection: Selection): boolean {
  return allowed(moves, selection).length > 0
}

/** A game without hands places at a touch. */
export function placesDirectly(view: View): boolean {
  return view.hands[0].length === 0 && view.hands[1].length === 0
}

export function passes(moves: Move[]): Move[] {
  return moves.filter((move) => move.to < 0)
}

export type Touch = { play: Move[] } | { select: Selection }

/** What touching a square means; several moves in `play` want a question. */
export function touchSquare(view: View, selection: Selection, square: number): Touch {
  const here = allowed(view.moves, selection).filter((move) => move.to === square)
  if (here.length) return { play: here }
  if (!selection && placesDirectly(view)) {
    const placed = view.moves.filter((move) => move.from < 0 && move.to === square)
    if (placed.length) return { play: placed }
  }
  const next: Selection = { from: square }
  if (sameSelection(selection, next) || !canSelect(view.moves, next)) return { select: null }
  return { select: next }
}

/** The squares that may be played next: the selection's, or all where a touch places at once. */
export function targetSquares(view: View, selection: Selection): Set<number> {
  const moves = selection ? allowed(view.moves, selection) : placesDirectly(view) ? view.moves : []
  const shown = moves.filter((move) => move.to >= 0 && (selection || move.from < 0))
  return new Set(shown.map((move) => move.to))
}
