// What a transaction costs, in words.

import { formatEther } from 'viem'

export interface Cost {
  gas: bigint
  /** In the smallest unit of the network's currency. */
  fee: bigint
}

export function gasText(gas: bigint, lang: string): string {
  return new Intl.NumberFormat(lang).format(gas)
}

/** Three significant digits: what stands behind them nobody pays attention to. */
export function feeText(fee: bigint, currency: string): string {
  const digits = fee.toString()
  const kept = BigInt(digits.slice(0, 3).padEnd(digits.length, '0'))
  return `${formatEther(kept)} ${currency}`
}
