// What the coach says of a game, from the values of its positions. Pure arithmetic; the values are the server's.

import type { Side } from '../rules/types'
import type { Analysis, MoveValue } from './api'

/** A move that was played, among those that could have been. */
export interface Judged extends MoveValue {
  count: number
  best: MoveValue
  /** What the best move would have led to, itself first. */
  line: string[]
}

/** What was found of the position before each ply; undefined: nothing yet. */
export type Found = readonly (Analysis | undefined)[]

export interface Played {
  text: string
  side: Side
}

/** A result as first sees it: 1 first wins, -1 second wins, 0 a draw; null: there is none yet. */
export type Sign = 1 | 0 | -1 | null

/** Values below this are as good as even: a search is no surer. */
const EVEN = 1

export function judge(analysis: Analysis | undefined, move: string): Judged | null {
  const own = analysis?.values.find((one) => one.move === move)
  if (!analysis || !own) return null
  return { ...own, count: analysis.values.length, best: analysis.values[0]!, line: analysis.line }
}

/** Whether a move wins (1), loses (-1) or neither, as far as is known. A long win may have a value below 0. */
export function standing({ value, plies }: MoveValue): 1 | 0 | -1 {
  if (plies !== null && Math.abs(value - (101 - plies)) < 0.01) return 1
  if (plies !== null && Math.abs(value - (plies - 102)) < 0.01) return -1
  return Math.abs(value) < EVEN ? 0 : value > 0 ? 1 : -1
}

const signOf = (analysis: Analysis, side: Side) => ((analysis.turn === 'first') === (side === 0) ? 1 : -1)

/** The value after each ply as `side` sees it, the start first; null where it is not known. */
export function curve(found: Found, plies: number, side: Side, end: Sign): (number | null)[] {
  return Array.from({ length: plies + 1 }, (_, ply) => {
    if (ply === plies && end !== null) return end * (side === 0 ? 100 : -100) || 0
    const analysis = found[ply]
    const best = analysis?.values[0]
    return analysis && best ? signOf(analysis, side) * best.value || 0 : null
  })
}

export interface Accuracy {
  /** The mean deviation, 0 to 1. */
  mean: number
  bests: number
  count: number
}

/** How well a side has played so far; null before it has. */
export function accuracy(found: Found, played: readonly Played[], side: Side): Accuracy | null {
  const own = played.flatMap((move, ply) => (move.side === side ? (judge(found[ply], move.text) ?? []) : []))
  if (!own.length) return null
  const mean = own.reduce((sum, one) => sum + one.deviation, 0) / own.length
  return { mean, bests: own.filter((one) => one.rank === 1).length, count: own.length }
}

/**
 * The ply after which the game stood for good as it ended, counted from 1; 0: it stood so from the start; null: there
 * is none to tell, because the game goes on, was given up while it stood otherwise, or was not looked at whole.
 * `end`: the result on the board, null in a game that was given up.
 */
export function turningPoint(found: Found, plies: number, result: Sign, end: Sign): number | null {
  if (result === null) return null
  for (let ply = end === null ? plies : plies - 1; ply >= 0; ply--) {
    const analysis = found[ply]
    const best = analysis?.values[0]
    if (!analysis || !best) return null
    // A product of -1 and 0 is -0, which is not 0 for everybody.
    if ((signOf(analysis, 0) * standing(best) || 0) !== result) return ply === plies ? null : ply + 1
  }
  return 0
}

/** How many leading moves two games share. */
export function shared(a: readonly string[], b: readonly string[]): number {
  let count = 0
  while (count < a.length && count < b.length && a[count] === b[count]) count++
  return count
}

/**
 * The positions to ask for, by ply, the most wanted first: where the last move of the person was played, then from
 * the newest back. `calm`: nobody waits for a move, so that there is time for more than the first.
 */
export function wanted(found: Found, played: readonly Played[], own: Side | null, end: Sign, calm: boolean): number[] {
  const last = played.findLastIndex((move) => own === null || move.side === own)
  const plies = calm ? Array.from({ length: played.length + (end === null ? 1 : 0) }, (_, ply) => ply).reverse() : []
  const rest = plies.filter((ply) => ply !== last)
  return [...(last < 0 ? [] : [last]), ...rest].filter((ply) => !found[ply])
}
