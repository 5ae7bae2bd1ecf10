// A game in play as it is kept across reloads: how it was set up and the texts of its moves.

import type { Side } from '../rules/types'
import { forget, load, save } from './storage'

export interface Setup {
  game: string
  /** The seat's key: it stands for an opponent and a level and does not tell which; null: a friend at the same screen. */
  opponent: string | null
  /** The person's side; with a friend, the side at the bottom of the board. */
  side: Side
  seed: number
}

export interface SavedGame extends Setup {
  root: string
  moves: string[]
  resigned: Side | null
}

export function newSetup(game: string, opponent: string | null, side: Side): Setup {
  const seed = crypto.getRandomValues(new Uint32Array(1))[0]! >>> 1
  return { game, opponent, side, seed }
}

export function loadGame(game: string): SavedGame | null {
  const kept = load<SavedGame>(`game.${game}`)
  return kept && Array.isArray(kept.moves) && kept.game === game ? kept : null
}

export function saveGame(kept: SavedGame): void {
  save(`game.${kept.game}`, kept)
}

export function forgetGame(game: string): void {
  forget(`game.${game}`)
}
