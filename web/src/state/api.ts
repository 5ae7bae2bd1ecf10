// The server's JSON API: which games there are, and an opponent's answer to a question.

import { rules } from '../rules/client'
import type { GameInfo } from '../rules/types'

export interface GameEntry {
  name: string
  title: { en: string; ja: string }
  /** Weakest first. */
  opponents: string[]
  /** Of the opponents that play at a chosen strength, weakest first. */
  levels: number[]
  /** Where the rule file is. */
  rules: string
}

export interface Question {
  game: string
  position?: string
  moves: string[]
  opponent: string
  limit_ms: number
  seed: number
  level: number
}

export interface Reply {
  move: string
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

let games: Promise<GameEntry[]> | null = null

async function fetchGames(): Promise<GameEntry[]> {
  const response = await request('/api/v1/games', {})
  if (!response.ok) throw await failure(response)
  return ((await response.json()) as { games: GameEntry[] }).games
}

/** Asked once; asked again after a failure. */
export function listGames(): Promise<GameEntry[]> {
  if (!games) {
    games = fetchGames()
    games.catch(() => (games = null))
  }
  return games
}

export async function loadInfo(game: string): Promise<{ entry: GameEntry; info: GameInfo }> {
  const entry = (await listGames()).find((one) => one.name === game)
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

/** Asks an opponent. A busy server (503 with Retry-After) is asked again, and `busy` is told for how long. */
export async function askReply(
  question: Question,
  signal: AbortSignal,
  busy: (seconds: number) => void,
): Promise<Reply> {
  for (let tries = 1; ; tries++) {
    const response = await request('/api/v1/reply', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(question),
      signal,
    })
    if (response.ok) return (await response.json()) as Reply
    const seconds = response.status === 503 ? retryAfter(response.headers.get('retry-after'), Date.now()) : null
    if (seconds === null || tries === MOST_TRIES) throw await failure(response)
    busy(seconds)
    await wait(seconds * 1000, signal)
  }
}
