// The contract's own bytecode in an EVM of the page's own: a chain with one account, where each transaction is a block.

import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM, EVMError, type EVM } from '@ethereumjs/evm'
import { SimpleStateManager } from '@ethereumjs/statemanager'
import { Address, bytesToHex, createAddressFromString, hexToBytes } from '@ethereumjs/util'
import { concat, keccak256, numberToHex, type Hex } from 'viem'

/** The person at this page. Nobody holds a key to it, and nobody needs one. */
export const PLAYER: Hex = '0x0000000000000000000000000000000000676f6b'
const DEPLOYER: Hex = '0x00000000000000000000000000000000006b6f67'
/** Of a block, and of a call that names no limit. */
export const GAS_LIMIT = 30_000_000n

export interface Transaction {
  data: Hex
  gas: Hex
}

export interface Log {
  address: Hex
  topics: Hex[]
  data: Hex
}

export interface Outcome {
  /** All that the transaction costs, as on any network; `needed` is before the refund. */
  gas: bigint
  needed: bigint
  /** The revert's data, "0x" for any other failure; null when all went well. */
  failure: Hex | null
  answer: Hex
  logs: Log[]
}

export interface Block {
  number: number
  hash: Hex
  transaction: Hex
  outcome: Outcome
}

/** What a transaction costs before its first step, and the least that it may cost (EIP-2028, EIP-7623). */
export function intrinsicGas(data: Uint8Array): { start: bigint; floor: bigint } {
  const zeros = data.filter((byte) => byte === 0).length
  const tokens = BigInt(zeros + 4 * (data.length - zeros))
  return { start: 21_000n + 4n * tokens, floor: 21_000n + 10n * tokens }
}

export class Chain {
  readonly blocks: Block[] = []

  private constructor(
    private readonly evm: EVM,
    private readonly state: SimpleStateManager,
    /** Stands for the hash of block 0, so that no two browsers meet the same chain. */
    private readonly genesis: Hex,
    readonly contract: Hex,
  ) {}

  /** Deploys the contract in block 0. */
  static async deploy(bytecode: Hex, genesis: Hex): Promise<Chain> {
    const common = new Common({ chain: Mainnet, hardfork: Hardfork.Osaka })
    const state = new SimpleStateManager({ common })
    const hashes = {
      getBlock: (number: number) => Promise.resolve({ hash: () => hexToBytes(chain.hashOf(number)) }),
      putBlock: () => Promise.resolve(),
      shallowCopy: () => hashes,
    }
    const evm = await createEVM({ common, stateManager: state, blockchain: hashes })
    const { createdAddress, execResult } = await evm.runCall({
      caller: createAddressFromString(DEPLOYER),
      data: hexToBytes(bytecode),
      gasLimit: GAS_LIMIT,
    })
    if (!createdAddress || execResult.exceptionError) throw new Error('the contract cannot be deployed here')
    const chain: Chain = new Chain(evm, state, genesis, createdAddress.toString())
    await chain.settle()
    return chain
  }

  get head(): number {
    return this.blocks.length
  }

  hashOf(number: number): Hex {
    return number === 0 ? this.genesis : this.blocks[number - 1]!.hash
  }

  async code(address: Hex): Promise<Hex> {
    return bytesToHex(await this.state.getCode(createAddressFromString(address)))
  }

  /** What would happen, in the block `number`. */
  async look(transaction: Transaction, number: number): Promise<Outcome> {
    await this.state.checkpoint()
    try {
      return await this.run(transaction, number)
    } finally {
      await this.state.revert()
      await this.settle()
    }
  }

  /** The transaction in a block of its own; a failed one is in the chain as well, and changes nothing. */
  async mine(transaction: Transaction): Promise<Block> {
    const number = this.head + 1
    const parent = this.hashOf(this.head)
    const hash = keccak256(concat([parent, transaction.data, transaction.gas]))
    const outcome = await this.run(transaction, number)
    await this.settle()
    const block = { number, hash: keccak256(concat([parent, hash])), transaction: hash, outcome }
    this.blocks.push(block)
    return block
  }

  private async run({ data, gas }: Transaction, number: number): Promise<Outcome> {
    const bytes = hexToBytes(data)
    const { start, floor } = intrinsicGas(bytes)
    const { execResult } = await this.evm.runCall({
      caller: createAddressFromString(PLAYER),
      to: createAddressFromString(this.contract),
      data: bytes,
      gasLimit: BigInt(gas) - start,
      block: header(number),
    })
    const { exceptionError, executionGasUsed, gasRefund = 0n, returnValue, logs = [] } = execResult
    const used = start + executionGasUsed
    const refund = gasRefund < used / 5n ? gasRefund : used / 5n
    const most = (a: bigint, b: bigint) => (a > b ? a : b)
    const reverted = exceptionError?.error === EVMError.errorMessages.REVERT
    return {
      gas: most(used - refund, floor),
      needed: most(used, floor),
      failure: exceptionError ? (reverted ? bytesToHex(returnValue) : '0x') : null,
      answer: bytesToHex(returnValue),
      logs: logs.map(([address, topics, data]) => ({
        address: bytesToHex(address),
        topics: topics.map((topic) => bytesToHex(topic)),
        data: bytesToHex(data),
      })),
    }
  }

  /** Between two transactions: nothing is warm, and what is in storage is what was there before. */
  private async settle(): Promise<void> {
    await this.evm.journal.cleanup()
    this.state.originalStorageCache.clear()
  }
}

const NOBODY = new Address(new Uint8Array(20))

function header(number: number) {
  return {
    header: {
      number: BigInt(number),
      timestamp: BigInt(number),
      coinbase: NOBODY,
      difficulty: 0n,
      prevRandao: hexToBytes(keccak256(numberToHex(number))),
      gasLimit: GAS_LIMIT,
      baseFeePerGas: 0n,
      slotNumber: BigInt(number),
      getBlobGasPrice: () => undefined,
    },
  }
}
