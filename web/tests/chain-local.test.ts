import { readFileSync } from 'node:fs'
import { encodeFunctionData, numberToHex, type Hex } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import { Contract, NO_CELL, type ContractFile, type Game, type Played } from '../src/state/chain/contract'
import { Chain, intrinsicGas, PLAYER } from '../src/state/chain/evm'
import { Local, LOCAL_CHAIN, type Kept, type Memory } from '../src/state/chain/local'
import { problemOf } from '../src/state/chain/problems'

const file = JSON.parse(readFileSync('../src/gokaku/chain/solo.json', 'utf8')) as ContractFile
const [EASY, NORMAL, HARD] = [0, 1, 2]
const quiet = () => undefined

let kept: Kept | null
const memory: Memory = {
  load: () => (kept === null ? null : (JSON.parse(JSON.stringify(kept)) as Kept)),
  save: (now) => (kept = JSON.parse(JSON.stringify(now)) as Kept),
}

async function open(): Promise<{ local: Local; contract: Contract }> {
  const local = await Local.open(file, memory)
  const place = { chain: LOCAL_CHAIN, name: 'own', title: 'own', address: local.address, rpc: '', explorer: '', currency: 'ETH' }
  return { local, contract: new Contract(local, place, PLAYER, file, 10) }
}

async function begin(contract: Contract, difficulty: number, cpuFirst = false): Promise<Game> {
  const { event } = await contract.newGame(difficulty, cpuFirst, quiet)
  return contract.game(event!.gameId)
}

async function play(contract: Contract, game: Game, cell: number): Promise<{ game: Game; played: Played; gas: bigint }> {
  const { event, cost } = await contract.play(game, cell, quiet)
  return { game: await contract.game(game.id), played: event!, gas: cost.gas }
}

beforeEach(() => (kept = null))

describe("the page's own EVM", () => {
  it('holds the contract, and plays a game that the normal opponent loses', async () => {
    const { contract } = await open()
    expect(await contract.stands()).toBe(true)
    let game = await begin(contract, NORMAL)
    const answers: Played[] = []
    for (const cell of [0, 8, 6, 7]) {
      const turn = await play(contract, game, cell)
      game = turn.game
      answers.push(turn.played)
      expect(turn.gas).toBeGreaterThan(25_000n)
      expect(turn.gas).toBeLessThan(34_000n)
    }
    expect(answers.at(-1)).toMatchObject({ cpuCell: NO_CELL, result: 1 })
    expect(game).toMatchObject({ result: 1, moves: 7, player: expect.stringMatching(new RegExp(PLAYER, 'i')) as string })
    expect(game.cells.filter((cell) => cell === 1)).toHaveLength(4)
  })

  it('is the same after a reload, and goes on from there', async () => {
    const first = await open()
    const begun = await begin(first.contract, EASY, true)
    const { game } = await play(first.contract, begun, begun.cells.indexOf(0))
    const { contract } = await open()
    expect(await contract.game(game.id)).toEqual(game)
    expect(await contract.head()).toBe(await first.contract.head())
    expect(await contract.created(0n, 100n)).toEqual(await first.contract.created(0n, 100n))
    expect((await play(contract, game, game.cells.indexOf(0))).game.moves).toBeGreaterThan(game.moves)
    expect(kept!.transactions).toHaveLength(3)
  })

  it('follows another tab before it sends', async () => {
    const one = await open()
    const game = await begin(one.contract, NORMAL)
    const two = await open()
    await play(two.contract, game, 0)
    await begin(one.contract, HARD)
    expect((await one.contract.game(game.id)).moves).toBe(2)
    expect(kept!.transactions).toHaveLength(3)
  })

  it('begins anew with another contract', async () => {
    const { contract } = await open()
    await begin(contract, HARD)
    kept = { ...kept!, digest: 'another' }
    expect(await (await open()).contract.head()).toBe(0n)
  })

  it('answers in block 0, which has no parent', async () => {
    const { local, contract } = await open()
    expect(await contract.head()).toBe(0n)
    const data = encodeFunctionData({ abi: file.abi, functionName: 'newGame', args: [EASY, true] })
    await expect(local.request({ method: 'eth_call', params: [{ to: local.address, data }, 'latest'] })).resolves.toBe(numberToHex(0, { size: 32 }))
    await expect(contract.game(0n)).rejects.toThrow('NoSuchGame')
  })

  it('says what the contract says, and sends nothing', async () => {
    const { contract } = await open()
    const game = (await play(contract, await begin(contract, NORMAL), 0)).game
    const steps: string[] = []
    const problem = await contract.play(game, 0, ({ at }) => steps.push(at)).catch(problemOf)
    expect(problem).toEqual({ kind: 'contract', name: 'CellTaken', args: [0] })
    expect(steps).toEqual(['asking'])
    const late = { ...game, moves: 0 }
    expect(await contract.play(late, 8, quiet).catch(problemOf)).toEqual({ kind: 'contract', name: 'GameMovedOn', args: [0n, 2] })
    expect(await contract.head()).toBe(2n)
  })

  it('has a block for a transaction that fails, which changes nothing', async () => {
    const { local, contract } = await open()
    const data = encodeFunctionData({ abi: file.abi, functionName: 'play', args: [9n, 0] })
    const hash = (await local.request({ method: 'eth_sendTransaction', params: [{ from: PLAYER, to: local.address, data }] })) as Hex
    expect(await local.request({ method: 'eth_getTransactionReceipt', params: [hash] })).toMatchObject({ status: '0x0', logs: [] })
    expect(await contract.head()).toBe(1n)
  })

  it('refuses what it has not', async () => {
    const { local } = await open()
    await expect(local.request({ method: 'eth_sign' })).rejects.toMatchObject({ code: 4200 })
    await expect(local.request({ method: 'eth_call', params: [{ to: PLAYER, data: '0x' }] })).rejects.toMatchObject({ code: -32602 })
  })

  it('leaves no trace of a call, not even in the gas of the next', async () => {
    const chain = await Chain.deploy(file.bytecode, `0x${'1'.repeat(64)}`)
    const gas = numberToHex(1_000_000)
    const transaction = { data: encodeFunctionData({ abi: file.abi, functionName: 'newGame', args: [HARD, false] }), gas }
    const looked = await chain.look(transaction, 1)
    expect((await chain.look(transaction, 1)).gas).toBe(looked.gas)
    const { outcome } = await chain.mine(transaction)
    expect(outcome).toEqual(looked)
  })
})

describe('gas before the first step', () => {
  it('is 21,000 and 4 or 16 a byte, and at least 10 or 40', () => {
    expect(intrinsicGas(new Uint8Array([0, 1]))).toEqual({ start: 21_020n, floor: 21_050n })
  })
})
