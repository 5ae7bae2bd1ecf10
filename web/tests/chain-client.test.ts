import { afterEach, describe, expect, it, vi } from 'vitest'
import { feeText, gasText } from '../src/state/chain/cost'
import { look, merged, NOTHING, type Seen } from '../src/state/chain/history'
import { problemOf } from '../src/state/chain/problems'
import { codeOf, ProviderError } from '../src/state/chain/provider'
import { discover, read, type Wallet } from '../src/state/chain/wallets'
import { chainTexts } from '../src/texts/chain'
import { readFileSync } from 'node:fs'

describe('cost', () => {
  it('is short, and never in exponents', () => {
    expect(gasText(31_234n, 'en')).toBe('31,234')
    expect(feeText(31_234_567_890_123n, 'ETH')).toBe('0.0000312 ETH')
    expect(feeText(5n, 'POL')).toBe('0.000000000000000005 POL')
    expect(feeText(0n, 'ETH')).toBe('0 ETH')
    expect(feeText(1_239_000_000_000_000_000n, 'ETH')).toBe('1.23 ETH')
  })
})

describe('history', () => {
  interface Row {
    id: string
  }
  /** A network with a game in every tenth block of `games`, which refuses to look through more than `most` blocks. */
  function network(games: number[], most = Infinity) {
    const asked: [number, number][] = []
    const ask = (from: number, to: number): Promise<Row[]> => {
      asked.push([from, to])
      if (to - from + 1 > most) return Promise.reject(new Error('too many blocks'))
      return Promise.resolve(games.filter((at) => from <= at && at <= to).map((at) => ({ id: String(at) })))
    }
    return { ask, asked }
  }
  const ids = (seen: Seen<Row>) => seen.rows.map((row) => row.id)
  const ignore = () => undefined

  it('takes a short chain in one piece, newest first, and later only what is new', async () => {
    const { ask, asked } = network([3, 7, 12])
    const first = await look(NOTHING, 9, ask, ignore)
    expect(ids(first)).toEqual(['7', '3'])
    expect(ids(await look(first, 12, ask, ignore))).toEqual(['12', '7', '3'])
    expect(asked).toEqual([[0, 9], [10, 12]])
  })

  it('goes back from the end of a long chain, and stops; asked again it goes on', async () => {
    const { ask, asked } = network([4_750_000, 4_999_000])
    const first = await look(NOTHING, 5_000_000, ask, ignore)
    expect(asked).toHaveLength(20)
    expect(first).toMatchObject({ low: 4_800_001, high: 5_000_000 })
    expect(ids(first)).toEqual(['4999000'])
    expect(ids(await look(first, 5_000_001, ask, ignore))).toEqual(['4999000', '4750000'])
  })

  it('asks for less where a network refuses, and keeps what it found before it gives up', async () => {
    const { ask, asked } = network([4_999_999], 1_000)
    await look(NOTHING, 5_000_000, ask, ignore)
    expect(asked.slice(0, 5).map(([from, to]) => to - from + 1)).toEqual([10_000, 5_000, 2_500, 1_250, 625])
    let kept: Seen<Row> = NOTHING
    const deaf = (from: number, to: number) => (from < 4_995_000 ? Promise.reject(new Error('pruned')) : ask(from, to))
    await expect(look(NOTHING, 5_000_000, deaf, (seen) => (kept = seen))).rejects.toThrow('pruned')
    expect(ids(kept)).toEqual(['4999999'])
  })

  it('forgets a chain that has begun anew', async () => {
    const { ask } = network([2])
    expect(ids(await look({ low: 0, high: 50, rows: [{ id: '40' }] }, 5, ask, ignore))).toEqual(['2'])
  })

  it('lists a game once, as it was known', () => {
    const known = { id: '10', result: 1 }
    expect(merged([known], [{ id: '9', result: 0 }, { id: '10', result: 0 }])).toEqual([known, { id: '9', result: 0 }])
  })
})

describe('problems', () => {
  it('finds the code that a wallet hides', () => {
    expect(codeOf({ code: -32603, data: { originalError: { code: 4902 } } })).toBe(4902)
    expect(codeOf(new ProviderError(4001, 'no'))).toBe(4001)
    expect(codeOf('no')).toBeUndefined()
  })

  it('tells a refusal from the rest', () => {
    expect(problemOf({ code: 4001, message: 'User rejected' })).toEqual({ kind: 'refused', detail: 'User rejected' })
    expect(problemOf(new Error('boom'))).toEqual({ kind: 'other', detail: 'boom' })
  })

  it('has words in both languages for every error of the contract', () => {
    const { abi } = JSON.parse(readFileSync('../src/gokaku/chain/solo.json', 'utf8')) as { abi: { type: string; name: string }[] }
    const names = abi.filter((one) => one.type === 'error').map((one) => one.name)
    expect(names).toHaveLength(8)
    for (const lang of ['en', 'ja'] as const) expect(Object.keys(chainTexts[lang])).toEqual(expect.arrayContaining(names.map((name) => `error.${name}`)))
  })
})

describe('discovery of wallets', () => {
  const provider = { request: () => Promise.resolve(null) }
  const announce = (target: EventTarget, info: unknown) =>
    target.dispatchEvent(Object.assign(new Event('eip6963:announceProvider'), { detail: { info, provider } }))

  afterEach(() => vi.unstubAllGlobals())

  it('hears wallets that answer and wallets that come later, each once', () => {
    const page = new EventTarget()
    for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const) vi.stubGlobal(name, page[name].bind(page))
    page.addEventListener('eip6963:requestProvider', () => announce(page, { rdns: 'a.b', name: 'A' }))
    const found: Wallet[] = []
    const end = discover((wallet) => found.push(wallet))
    announce(page, { rdns: 'a.b', name: 'A' })
    announce(page, { rdns: 'c.d', name: 'C' })
    end()
    announce(page, { rdns: 'e.f', name: 'E' })
    expect(found.map((wallet) => wallet.id)).toEqual(['a.b', 'c.d'])
  })

  it('passes over what is no wallet', () => {
    expect(read(null)).toBeNull()
    expect(read({ info: { rdns: 'a.b', name: 'A' }, provider: {} })).toBeNull()
  })
})
