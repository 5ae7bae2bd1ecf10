// A provider is what EIP-1193 calls so: whatever answers `request`. Wallets are providers, and so is the page's own EVM.

export interface Request {
  method: string
  params?: unknown
}

export interface Provider {
  request(request: Request): Promise<unknown>
  on?(event: string, listener: (value: unknown) => void): unknown
  removeListener?(event: string, listener: (value: unknown) => void): unknown
}

/** EIP-1193's error: a code, and for a revert (code 3) the data that the contract gave with it. */
export class ProviderError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: string,
  ) {
    super(message)
  }
}

/** The person said no. */
export const REFUSED = 4001
/** The wallet does not know the chain that it is asked to go to. */
export const UNKNOWN_CHAIN = 4902
export const REVERTED = 3
export const NO_SUCH_METHOD = 4200

/** The code of an error from a provider; wallets on phones hide it one or two levels down. */
export function codeOf(error: unknown): number | undefined {
  const { code, data } = (error ?? {}) as { code?: unknown; data?: { originalError?: { code?: unknown } } }
  const inner = data?.originalError?.code
  return typeof inner === 'number' ? inner : typeof code === 'number' ? code : undefined
}
