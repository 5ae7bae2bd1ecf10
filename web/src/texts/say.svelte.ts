// Words for the page in the chosen language: plain texts, names, and sentences about a move or a result.

import type { Cell, GameInfo, PlayedMove, Side } from '../rules/types'
import { ApiError } from '../state/api'
import { letterOf, sideOf } from '../state/choose'
import type { Result, Session } from '../state/session.svelte'
import { settings } from '../state/settings.svelte'
import { drawingOf } from '../drawings/registry'
import { en } from './en'
import { ja } from './ja'

export type Key = keyof typeof en

const texts: Record<'en' | 'ja', Record<Key, string>> = { en, ja }

/** The opponents' names and what is said of them, once fetched. */
let names = $state.raw<Record<'en' | 'ja', Record<string, string>>>({ en: {}, ja: {} })

/** Fetches what a page without explanations never receives. */
export async function loadNames(): Promise<void> {
  names = (await import('./opponents')).opponentTexts
}

/** `text` for a file of texts of its own. */
export function sayer<K extends string>(own: Record<'en' | 'ja', Record<K, string>>) {
  return (key: K, values: Record<string, string | number> = {}) => fill(own[settings.lang][key], values)
}

function fill(pattern: string, values: Record<string, string | number>): string {
  return pattern.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all))
}

export function text(key: Key, values: Record<string, string | number> = {}): string {
  return fill(texts[settings.lang][key], values)
}

/** A text whose key is made from a name, or the fallback where there is none. */
export function textOr(key: string, fallback: string, values: Record<string, string | number> = {}): string {
  const pattern = (texts[settings.lang] as Record<string, string>)[key] ?? names[settings.lang][key]
  return pattern === undefined ? fallback : fill(pattern, values)
}

export function inLang(pair: readonly [string, string]): string {
  return pair[settings.lang === 'ja' ? 1 : 0]
}

export function pieceName(info: GameInfo, cell: Cell): string {
  const own = info.pieces[cell.toUpperCase()]
  return own ? inLang(own.names) : letterOf(cell)
}

/** Why something could not be fetched, in the page's words. */
export function failureText(error: unknown): string {
  return text(error instanceof ApiError && error.kind === 'refused' ? 'noSuchGame' : 'noGames')
}

export function opponentName(name: string | null): string {
  return name === null ? text('friend') : textOr(`opponent.${name}`, name)
}

/** What a side is called in this game: "You" and the opponent's name if it is told, or the two sides' names. */
export function sideName(session: Session, side: Side): string {
  if (!session.friend) {
    if (side === session.near) return text('you')
    return session.name === null ? text('opponent') : opponentName(session.name)
  }
  return plainSideName(session.info.name, side)
}

export function plainSideName(game: string, side: Side): string {
  const named = drawingOf(game).sides?.[settings.lang][side]
  const plain = text(side === 0 ? 'first' : 'second')
  return named ? `${plain} (${named})` : plain
}

export function ownerName(session: Session, cell: Cell): string {
  const side = sideOf(cell)
  if (session.friend) return text('ownerOf', { side: plainSideName(session.info.name, side) })
  return text(side === session.near ? 'yours' : 'theirs')
}

export function moveSentence(session: Session, move: PlayedMove): string {
  const { info } = session
  const side = sideName(session, move.side)
  if (move.to < 0) return text('sayPass', { side })
  const values = {
    side,
    piece: pieceName(info, move.piece),
    from: move.from < 0 ? '' : info.squares[move.from]!,
    to: info.squares[move.to]!,
  }
  const sentences = [text(move.from < 0 ? 'sayPlace' : 'sayMove', values)]
  if (move.taken) sentences.push(text('sayTakes', { piece: pieceName(info, move.taken) }))
  const count = move.flips.flat().length
  const steps = move.flips.length
  if (count) sentences.push(text(steps > 1 ? 'sayChain' : 'sayFlips', { count, steps }))
  return sentences.join(settings.lang === 'ja' ? '' : ' ')
}

export function resultSentence(session: Session, result: Result): string {
  return `${resultTitle(session, result)} ${resultReason(session, result)}`
}

export function resultTitle(session: Session, result: Result): string {
  if (result.winner === null) return text('draw')
  const side = sideName(session, result.winner)
  if (session.friend) return text('sideWins', { side })
  return result.winner === session.near ? text('youWin') : text('youLose', { side })
}

export function resultReason(session: Session, result: Result): string {
  const loser = result.winner === null ? '' : sideName(session, result.winner === 0 ? 1 : 0)
  return textOr(`ending.${result.reason}`, result.reason, { loser })
}
