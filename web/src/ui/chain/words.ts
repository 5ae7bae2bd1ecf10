// Words that several parts of the page on the chain have in common.

import type { Deployment } from '../../state/chain/contract'
import { feeText, gasText, type Cost } from '../../state/chain/cost'
import type { Problem } from '../../state/chain/problems'
import { settings } from '../../state/settings.svelte'
import { chainTexts, type ChainKey } from '../../texts/chain'
import { sayer } from '../../texts/say.svelte'

export const say = sayer<ChainKey>(chainTexts)

export const cellText = (cell: number) => say('cell', { row: Math.floor(cell / 3) + 1, column: (cell % 3) + 1 })

export const costValues = ({ gas, fee }: Cost, { currency }: Deployment) => ({
  gas: gasText(gas, settings.lang),
  fee: feeText(fee, currency),
})

export function problemText(problem: Problem, currency: string): string {
  if (problem.kind !== 'contract') return say(problem.kind, { detail: problem.detail, currency })
  const { name, args } = problem
  const key = `error.${name}`
  const values = Object.fromEntries(args.map((value, index) => [index, String(value)]))
  return say(key in chainTexts.en ? (key as ChainKey) : 'error.?', { ...values, name, cell: cellText(Number(args[0])) })
}

/** The error as the contract wrote it. */
export const rawError = (problem: Problem) => (problem.kind === 'contract' ? `${problem.name}(${problem.args.map(String).join(', ')})` : '')

/** The first and the last digits of an address. */
export const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`
