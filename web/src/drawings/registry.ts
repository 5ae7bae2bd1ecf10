// Finds each game's drawing by its folder's name. A game without one gets letters in a tile.

import type { Component } from 'svelte'
import type { Cell, PieceInfo } from '../rules/types'
import type { Lang } from '../state/settings.svelte'
import LetterPiece from './LetterPiece.svelte'

export interface PieceProps {
  /** Always first's: capitals. The board turns second's pieces round. */
  cell: Cell
  /** Whose piece it is, for the colour: 0 first, 1 second. */
  side: 0 | 1
  info?: PieceInfo
}

export interface HowTo {
  /** One line for the card. */
  summary: string
  /** Short paragraphs, in the order to be told. */
  points: string[]
}

export interface Drawing {
  Piece: Component<PieceProps>
  /** A small picture for the game's card. */
  Card?: Component<Record<string, never>>
  /** What the sides are called beside first and second. */
  sides?: Record<Lang, readonly [string, string]>
  howTo?: Record<Lang, HowTo>
  /** The board's material. */
  board: 'wood' | 'paper' | 'meadow'
}

const found = import.meta.glob<{ default: Drawing }>('./*/index.ts', { eager: true })

const plain: Drawing = { Piece: LetterPiece, board: 'wood' }

export function drawingOf(game: string): Drawing {
  return found[`./${game}/index.ts`]?.default ?? plain
}
