// The server's JSON API: which games there are, an opponent's answer to a question, and what moves are worth.

import { rules } from '../rules/client'
import type { GameInfo } from '../rules/types'

export interface GameEntry {
  name: string
  title: { en: string; ja: string }
  /** Weakest first. This and what follows only where explanations are asked for. */
  opponents?: string[]
  /** Those who answer a guest's moves, so that the guest begins. */
  hosts?: string[]
  /** An opponent's name to the keys that stand for it: one a level, weakest first, or one in all. */
  seats?: Record<string, string[]>
  /** Where the rule file is. */
  rules: string
}

export interface Place {
  game: string
  position?: string
  moves: string[]
}

export interface Question extends Place {
  /** A seat's key, or a name. */
  opponent: string
  limit_ms: number
  seed: number
  explain: boolean
}

export interface Reply {
  move: string
}

/** What a move is worth to the side that makes it. */
export interface MoveValue {
  move: string
  /** -100 to 100. */
  value: number
  /** 1 is best, near 0.5 throws the game away. */
  deviation: number
  /** 1 is best; equals share a rank. */
  rank: number
  /** To the end of the game, this move included, if that is proved. */
  plies: number | null
}

export interface Analysis {
  turn: 'first' | 'second'
  /** Best first. */
  values: MoveValue[]
  line: string[]
  source: 'table' | 'search'
}

/** `unreachable`: asking again may help; `refused`: the server said what was wrong. */
export class ApiError extends Error {
  constructor(
    readonly kind: 'unreachable' | 'refused',
    message: string,
  ) {
    super(message)
  }
}

const MOST_TRIES = 10
const LONGEST_WAIT_S = 30

async function request(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new ApiError('unreachable', error instanceof Error ? error.message : String(error))
  }
}

async function failure(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '')
  let message = `${response.status} ${response.statusText}`
  try {
    const body = JSON.parse(text) as { error?: { message?: string } }
    message = body.error?.message ?? message
  } catch {
    // Not JSON: the status says enough.
  }
  return new ApiError(response.status >= 500 ? 'unreachable' : 'refused', message)
}

const games = new Map<boolean, Promise<GameEntry[]>>()

/** What the server has under that address. */
export async function getJson<T>(path: string): Promise<T> {
  const response = await request(path, {})
  if (!response.ok) throw await failure(response)
  return (await response.json()) as T
}

async function fetchGames(explain: boolean): Promise<GameEntry[]> {
  return (await getJson<{ games: GameEntry[] }>(explain ? '/api/v1/games' : '/api/v1/games?explain=false')).games
}

/** Asked once; asked again after a failure. Without explanations nothing is learnt of the opponents. */
export function listGames(explain: boolean): Promise<GameEntry[]> {
  let asked = games.get(explain)
  if (!asked) {
    asked = fetchGames(explain)
    asked.catch(() => games.delete(explain))
    games.set(explain, asked)
  }
  return asked
}

/** The opponent that a seat's key stands for, and its level, from 1; a name stands for itself. */
export function sitting(entry: GameEntry, seat: string): { name: string; level: number | null } {
  for (const [name, keys] of Object.entries(entry.seats ?? {})) {
    if (keys.includes(seat)) return { name, level: keys.length > 1 ? keys.indexOf(seat) + 1 : null }
  }
  return { name: seat, level: null }
}

/** The key of an opponent, at that level if it has levels. */
export function seatOf(entry: GameEntry, name: string, level: number): string {
  const keys = entry.seats?.[name] ?? [name]
  return keys[Math.min(level, keys.length) - 1]!
}

export async function loadInfo(game: string, explain: boolean): Promise<{ entry: GameEntry; info: GameInfo }> {
  const entry = (await listGames(explain)).find((one) => one.name === game)
  if (!entry) throw new ApiError('refused', game)
  try {
    return { entry, info: await rules.describe(entry.name, entry.rules) }
  } catch (error) {
    throw new ApiError('unreachable', error instanceof Error ? error.message : String(error))
  }
}

export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(new DOMException('stopped', 'AbortError'))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Retry-After is seconds or a date; null means the header says nothing usable. */
export function retryAfter(header: string | null, now: number): number | null {
  if (!header) return null
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.min(Math.max(seconds, 0), LONGEST_WAIT_S)
  const date = Date.parse(header)
  if (Number.isNaN(date)) return null
  return Math.min(Math.max((date - now) / 1000, 0), LONGEST_WAIT_S)
}

const post = (path: string, body: unknown, signal: AbortSignal) =>
  request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })

const waitOf = (response: Response) =>
  response.status === 503 ? retryAfter(response.headers.get('retry-after'), Date.now()) : null

/** Asks an opponent. A busy server (503 with Retry-After) is asked again, and `busy` is told for how long. */
export async function askReply(
  question: Question,
  signal: AbortSignal,
  busy: (seconds: number) => void,
): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    const response = await post('/api/v1/reply', question, signal)
    if (response.ok) return (await response.json()) as Reply
    const seconds = waitOf(response)
    if (seconds === null || tries === MOST_TRIES) throw await failure(response)
    busy(seconds)
    await wait(seconds * 1000, signal)
  }
}

/** The value of every legal move. Asked once: who only watches gives way when the server is busy. */
export async function askAnalysis(place: Place, limit: number, signal: AbortSignal): Promise<Analysis> {
  const response = await post('/api/v1/analyse', { ...place, limit_ms: limit }, signal)
  if (!response.ok) throw await failure(response)
  return (await response.json()) as Analysis
}
