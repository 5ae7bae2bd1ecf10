// The page's own EVM offered as an EIP-1193 provider, so that all above it is the same as with a wallet. Its
// transactions are kept and run again at the next visit.

import { numberToHex, type Hex } from 'viem'
import { Chain, GAS_LIMIT, PLAYER, type Block, type Log, type Transaction } from './evm'
import { NO_SUCH_METHOD, ProviderError, REVERTED, type Provider, type Request } from './provider'

/** No network's number: "gok". */
export const LOCAL_CHAIN = 0x676f6b

export interface Kept {
  /** Of the contract: a chain of another contract's is not run again. */
  digest: string
  genesis: Hex
  transactions: Transaction[]
}

/** Where the chain is kept. */
export interface Memory {
  load(): Kept | null
  save(kept: Kept): void
}

interface Call {
  to?: Hex
  data?: Hex
  input?: Hex
  gas?: Hex
}

interface Filter {
  address?: Hex
  topics?: (Hex | Hex[] | null)[]
  fromBlock?: string
  toBlock?: string
}

export class Local implements Provider {
  private queue: Promise<unknown> = Promise.resolve()

  private constructor(
    private readonly chain: Chain,
    private readonly memory: Memory,
    private readonly kept: Kept,
  ) {}

  static async open(contract: { bytecode: Hex; digest: string }, memory: Memory): Promise<Local> {
    const found = memory.load()
    const kept = found?.digest === contract.digest ? found : fresh(contract.digest)
    const chain = await Chain.deploy(contract.bytecode, kept.genesis)
    const local = new Local(chain, memory, { ...kept, transactions: [] })
    await local.catchUp(kept)
    return local
  }

  get address(): Hex {
    return this.chain.contract
  }

  /** One at a time: the EVM holds one state. */
  request(request: Request): Promise<unknown> {
    const answer = this.queue.then(() => this.answer(request))
    this.queue = answer.catch(() => undefined)
    return answer
  }

  private async answer({ method, params }: Request): Promise<unknown> {
    const [first] = (params ?? []) as unknown[]
    switch (method) {
      case 'eth_chainId':
        return numberToHex(LOCAL_CHAIN)
      case 'eth_accounts':
      case 'eth_requestAccounts':
        return [PLAYER]
      case 'eth_gasPrice':
        return '0x0'
      case 'eth_blockNumber':
        return numberToHex(this.chain.head)
      case 'eth_getCode':
        return this.chain.code(first as Hex)
      case 'eth_call':
        return (await this.look(first as Call, this.chain.head)).answer
      case 'eth_estimateGas':
        return numberToHex((await this.look(first as Call, this.chain.head + 1)).needed)
      case 'eth_sendTransaction':
        return this.send(first as Call)
      case 'eth_getTransactionReceipt':
        return this.receipt(first as Hex)
      case 'eth_getLogs':
        return this.logs(first as Filter)
      default:
        throw new ProviderError(NO_SUCH_METHOD, `there is no ${method} here`)
    }
  }

  private transaction(call: Call): Transaction {
    if (call.to?.toLowerCase() !== this.chain.contract) throw new ProviderError(-32602, 'nothing but the contract is here')
    return { data: call.data ?? call.input ?? '0x', gas: call.gas ?? numberToHex(GAS_LIMIT) }
  }

  private async look(call: Call, number: number) {
    const outcome = await this.chain.look(this.transaction(call), number)
    if (outcome.failure !== null) throw new ProviderError(REVERTED, 'execution reverted', outcome.failure)
    return outcome
  }

  private async send(call: Call): Promise<Hex> {
    const transaction = this.transaction(call)
    // Another tab may have gone on.
    const now = this.memory.load()
    if (now?.genesis === this.kept.genesis) await this.catchUp(now)
    const block = await this.add(transaction)
    this.memory.save(this.kept)
    return block.transaction
  }

  private async add(transaction: Transaction): Promise<Block> {
    this.kept.transactions.push(transaction)
    return this.chain.mine(transaction)
  }

  private async catchUp({ transactions }: Kept): Promise<void> {
    for (const transaction of transactions.slice(this.kept.transactions.length)) await this.add(transaction)
  }

  private receipt(hash: Hex) {
    const block = this.chain.blocks.find((one) => one.transaction === hash)
    if (!block) return null
    const gas = numberToHex(block.outcome.gas)
    return {
      ...place(block),
      from: PLAYER,
      to: this.chain.contract,
      contractAddress: null,
      gasUsed: gas,
      cumulativeGasUsed: gas,
      effectiveGasPrice: '0x0',
      logs: block.outcome.logs.map((log, index) => written(block, log, index)),
      logsBloom: `0x${'0'.repeat(512)}`,
      status: block.outcome.failure === null ? '0x1' : '0x0',
      type: '0x2',
    }
  }

  private logs({ address, topics = [], fromBlock, toBlock }: Filter) {
    const [from, to] = [this.number(fromBlock), this.number(toBlock)]
    return this.chain.blocks
      .filter(({ number }) => from <= number && number <= to)
      .flatMap((block) => block.outcome.logs.map((log, index) => written(block, log, index)))
      .filter((log) => !address || log.address === address.toLowerCase())
      .filter((log) => topics.every((topic, at) => topic === null || [topic].flat().includes(log.topics[at]!)))
  }

  private number(tag: string | undefined): number {
    if (tag === 'earliest') return 0
    return tag?.startsWith('0x') ? Number(tag) : this.chain.head
  }
}

const place = (block: Block) => ({
  blockHash: block.hash,
  blockNumber: numberToHex(block.number),
  transactionHash: block.transaction,
  transactionIndex: '0x0',
})

const written = (block: Block, log: Log, index: number) => ({ ...log, ...place(block), logIndex: numberToHex(index), removed: false })

function fresh(digest: string): Kept {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return { digest, genesis: `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`, transactions: [] }
}
