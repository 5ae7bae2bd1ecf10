// The contract through any provider: asked before anything is sent, answered by the receipt's events.

import { createClient, custom, defineChain, parseEventLogs, type Abi, type Address, type Chain, type Client, type Hex, type TransactionReceipt } from 'viem'
import {
  estimateContractGas,
  getBlockNumber,
  getCode,
  getContractEvents,
  getGasPrice,
  readContract,
  simulateContract,
  waitForTransactionReceipt,
  writeContract,
} from 'viem/actions'
import type { Cost } from './cost'
import type { Provider } from './provider'

/** A network on which the contract stands; the page's own EVM is one. Without an explorer it is "". */
export interface Deployment {
  chain: number
  name: string
  title: string
  address: Address
  rpc: string
  explorer: string
  currency: string
}

export interface ContractFile {
  abi: Abi
  bytecode: Hex
  runtime: Hex
  digest: string
}

export interface Game {
  id: bigint
  player: Address
  /** 0 empty, 1 the person's, 2 the machine's. */
  cells: readonly number[]
  moves: number
  difficulty: number
  /** 0 in progress, 1 the person won, 2 the machine won, 3 a draw. */
  result: number
  cpuFirst: boolean
}

export interface Created {
  gameId: bigint
  difficulty: number
  cpuFirst: boolean
  cpuCell: number
}

export interface Played {
  gameId: bigint
  playerCell: number
  cpuCell: number
  result: number
}

export interface Mined<Event> {
  /** Null if the receipt holds none: the transaction failed, or another took its place. */
  event: Event | null
  cost: Cost
  hash: Hex
}

/** How far a transaction has come. */
export type Step = { at: 'asking' } | { at: 'signing'; cost: Cost } | { at: 'sent'; hash: Hex }

/** A cell that the machine has not taken. */
export const NO_CELL = 255

interface Call {
  functionName: string
  args: readonly unknown[]
}

/** An answer and the result of an easy game hang on the block that the transaction gets into, and gas hangs on them. */
const allowance = (gas: bigint) => gas + gas / 2n

export class Contract {
  private readonly client: Client
  private readonly chain: Chain

  constructor(
    provider: Provider,
    readonly deployment: Deployment,
    readonly account: Address,
    private readonly file: ContractFile,
    pollingInterval = 1000,
  ) {
    const { chain, title, currency, rpc } = deployment
    this.chain = defineChain({
      id: chain,
      name: title,
      nativeCurrency: { name: currency, symbol: currency, decimals: 18 },
      rpcUrls: { default: { http: [rpc] } },
    })
    // A request that fails is told at once: some wallets report a revert as an error that looks worth a second try.
    const transport = custom({ request: (request) => provider.request(request) as Promise<never> }, { retryCount: 0 })
    this.client = createClient({ chain: this.chain, transport, pollingInterval, cacheTime: 0 })
  }

  private get at() {
    return { address: this.deployment.address, abi: this.file.abi, account: this.account }
  }

  /** Whether that contract is at its address, and no other. */
  async stands(): Promise<boolean> {
    return (await getCode(this.client, { address: this.deployment.address })) === this.file.runtime
  }

  async game(id: bigint): Promise<Game> {
    type Word = Omit<Game, 'id' | 'cells'>
    const args = [id]
    const [word, cells] = await Promise.all([
      readContract(this.client, { ...this.at, functionName: 'getGame', args }) as Promise<Word>,
      readContract(this.client, { ...this.at, functionName: 'boardOf', args }) as Promise<readonly number[]>,
    ])
    const { player, moves, difficulty, result, cpuFirst } = word
    return { id, player, cells, moves, difficulty, result, cpuFirst }
  }

  newGame(difficulty: number, cpuFirst: boolean, tell: (step: Step) => void): Promise<Mined<Created>> {
    return this.send('GameCreated', { functionName: 'newGame', args: [difficulty, cpuFirst] }, tell)
  }

  /** Refused by the contract if the game is not as far as the page thinks: a move that is sent twice is played once. */
  play(game: Game, cell: number, tell: (step: Step) => void): Promise<Mined<Played>> {
    return this.send('MovePlayed', { functionName: 'playAt', args: [game.id, cell, game.moves] }, tell)
  }

  /** What a new game would cost. */
  costOfNew(difficulty: number, cpuFirst: boolean): Promise<Cost> {
    return this.estimate({ functionName: 'newGame', args: [difficulty, cpuFirst] })
  }

  head(): Promise<bigint> {
    return getBlockNumber(this.client)
  }

  /** The account's games that were begun in these blocks, both ends included. */
  async created(fromBlock: bigint, toBlock: bigint): Promise<Created[]> {
    const { address, abi } = this.at
    const logs = await getContractEvents(this.client, { address, abi, eventName: 'GameCreated', args: { player: this.account }, fromBlock, toBlock, strict: true })
    return logs.map((log) => log.args as unknown as Created)
  }

  private async estimate(call: Call): Promise<Cost> {
    const [gas, price] = await Promise.all([estimateContractGas(this.client, { ...this.at, ...call }), getGasPrice(this.client)])
    return { gas, fee: gas * price }
  }

  private async send<Event>(eventName: string, call: Call, tell: (step: Step) => void): Promise<Mined<Event>> {
    tell({ at: 'asking' })
    await simulateContract(this.client, { ...this.at, ...call })
    const cost = await this.estimate(call)
    tell({ at: 'signing', cost })
    const sent = await writeContract(this.client, { ...this.at, ...call, chain: this.chain, gas: allowance(cost.gas) })
    tell({ at: 'sent', hash: sent })
    const receipt = await waitForTransactionReceipt(this.client, { hash: sent })
    const events = parseEventLogs({ abi: this.file.abi, eventName, logs: receipt.logs.filter((log) => log.address.toLowerCase() === this.deployment.address.toLowerCase()) })
    return { event: (events[0] as { args?: Event } | undefined)?.args ?? null, cost: paid(receipt), hash: receipt.transactionHash }
  }
}

/** Networks on top of another also charge for their place there, and say so in a field of their own. */
function paid(receipt: TransactionReceipt): Cost {
  const { l1Fee } = receipt as { l1Fee?: Hex | bigint | null }
  return { gas: receipt.gasUsed, fee: receipt.gasUsed * receipt.effectiveGasPrice + BigInt(l1Fee ?? 0) }
}
