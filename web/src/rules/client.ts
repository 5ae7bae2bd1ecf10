// Asks the rules' thread. Each answer is a whole view; the page keeps no rule and no board of its own.

import type { Request, Response } from './worker'
import type { GameInfo, View } from './types'

interface Waiting {
  resolve: (value: unknown) => void
  reject: (error: Error) => void
}

let worker: Worker | null = null
let count = 0
const waiting = new Map<number, Waiting>()
const described = new Map<string, Promise<GameInfo>>()

function ask<T>(command: string, ...args: unknown[]): Promise<T> {
  worker ??= start()
  const id = ++count
  const request: Request = { id, command, args }
  worker.postMessage(request)
  return new Promise<T>((resolve, reject) => {
    waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
  })
}

function start(): Worker {
  const made = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  made.onmessage = (event: MessageEvent<Response>) => {
    const { id, value, error } = event.data
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) asked?.resolve(value)
    else asked?.reject(new Error(error))
  }
  made.onerror = (event) => {
    for (const asked of waiting.values()) asked.reject(new Error(event.message || 'the rules could not start'))
    waiting.clear()
  }
  return made
}

async function fetchRules(name: string, address: string): Promise<GameInfo> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
  await ask('add', name, await answer.text())
  return ask<GameInfo>('describe', name)
}

export const rules = {
  /** Fetches a game's rule file once and describes the game. Rejects when the server cannot be reached. */
  describe(name: string, address: string): Promise<GameInfo> {
    let info = described.get(name)
    if (!info) {
      info = fetchRules(name, address)
      info.catch(() => described.delete(name))
      described.set(name, info)
    }
    return info
  },
  /** Begins a game; rejects when a move or the position is not of the game. */
  open: (name: string, position: string, moves: string[]) => ask<View>('open', name, position, moves),
  /** Plays a move of the game in play; rejects when it is not legal. */
  play: (text: string) => ask<View>('play', text),
  /** The view after that many plies; the game stays as it is. */
  look: (plies: number) => ask<View>('look', plies),
  undo: (plies: number) => ask<View>('undo', plies),
  read: (name: string, text: string) => ask<View>('read', name, text),
  record: () => ask<string>('record'),
}
