// What went wrong, as the page tells it: an error that the contract names, or one of a few that wallets and networks have.

import { BaseError, ContractFunctionRevertedError, InsufficientFundsError, WaitForTransactionReceiptTimeoutError } from 'viem'
import { codeOf, REFUSED } from './provider'

export type Problem =
  | { kind: 'contract'; name: string; args: readonly unknown[] }
  | { kind: 'refused' | 'funds' | 'late' | 'replaced' | 'other'; detail: string }

export function problemOf(error: unknown): Problem {
  const revert = inside(error, (one) => one instanceof ContractFunctionRevertedError) as ContractFunctionRevertedError | null
  if (revert?.data) return { kind: 'contract', name: revert.data.errorName, args: revert.data.args ?? [] }
  const detail = error instanceof BaseError ? error.shortMessage : error instanceof Error ? error.message : String((error as { message?: unknown } | null)?.message ?? error)
  if (inside(error, (one) => codeOf(one) === REFUSED)) return { kind: 'refused', detail }
  if (inside(error, (one) => one instanceof InsufficientFundsError)) return { kind: 'funds', detail }
  if (inside(error, (one) => one instanceof WaitForTransactionReceiptTimeoutError)) return { kind: 'late', detail }
  return { kind: 'other', detail }
}

function inside(error: unknown, is: (one: unknown) => boolean): unknown {
  if (is(error)) return error
  return error instanceof BaseError ? error.walk(is) : null
}
