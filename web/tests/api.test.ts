import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiError, askReply, retryAfter, type Question } from '../src/state/api'

const question: Question = { game: 'any', moves: [], opponent: 'weak', limit_ms: 50, seed: 1, explain: true }
const busy = () => new Response('{}', { status: 503, headers: { 'retry-after': '0' } })

afterEach(() => vi.unstubAllGlobals())

describe('Retry-After', () => {
  it('is seconds or a date, within bounds', () => {
    const now = Date.parse('2026-01-01T00:00:00Z')
    expect(retryAfter('3', now)).toBe(3)
    expect(retryAfter('86400', now)).toBe(30)
    expect(retryAfter('-1', now)).toBe(0)
    expect(retryAfter('Thu, 01 Jan 2026 00:00:05 GMT', now)).toBe(5)
    expect(retryAfter('soon', now)).toBeNull()
    expect(retryAfter(null, now)).toBeNull()
  })
})

describe('asking for a reply', () => {
  const ask = (signal = new AbortController().signal, told: number[] = []) =>
    askReply(question, signal, (seconds) => told.push(seconds))

  it('waits for a busy server and says so', async () => {
    const answers = [busy(), busy(), Response.json({ move: 'a' })]
    vi.stubGlobal('fetch', () => Promise.resolve(answers.shift()))
    const told: number[] = []
    await expect(ask(undefined, told)).resolves.toEqual({ move: 'a' })
    expect(told).toEqual([0, 0])
  })

  it('gives up on a server that stays busy', async () => {
    const fetch = vi.fn(() => Promise.resolve(busy()))
    vi.stubGlobal('fetch', fetch)
    await expect(ask()).rejects.toMatchObject({ kind: 'unreachable' })
    expect(fetch).toHaveBeenCalledTimes(10)
  })

  it('passes on what the server said was wrong', async () => {
    const refusal = Response.json({ error: { message: 'ply 3: not legal' } }, { status: 422 })
    vi.stubGlobal('fetch', () => Promise.resolve(refusal))
    await expect(ask()).rejects.toEqual(new ApiError('refused', 'ply 3: not legal'))
  })

  it('tells a lost network from a question that was taken back', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed to fetch')))
    await expect(ask()).rejects.toMatchObject({ kind: 'unreachable' })
    await expect(ask(AbortSignal.abort())).rejects.toBeInstanceOf(TypeError)
  })
})
