// Wallets by EIP-6963: each announces itself when asked, and may do so later of its own accord.

import type { Provider } from './provider'

export interface Wallet {
  /** Reverse domain name: the same at every visit. */
  id: string
  name: string
  provider: Provider
}

interface Announcement {
  info?: { uuid?: unknown; rdns?: unknown; name?: unknown }
  provider?: Provider
}

/** Null for what is no announcement. Its icon is a data address, which this page's policy does not load. */
export function read(detail: unknown): Wallet | null {
  const { info, provider } = (detail ?? {}) as Announcement
  if (typeof info?.rdns !== 'string' || typeof info.name !== 'string' || typeof provider?.request !== 'function') return null
  return { id: info.rdns, name: info.name, provider }
}

/** Tells of each wallet once. Returns what ends it. */
export function discover(found: (wallet: Wallet) => void): () => void {
  const known = new Set<string>()
  const hear = (event: Event) => {
    const wallet = read((event as CustomEvent<unknown>).detail)
    if (!wallet || known.has(wallet.id)) return
    known.add(wallet.id)
    found(wallet)
  }
  addEventListener('eip6963:announceProvider', hear)
  dispatchEvent(new Event('eip6963:requestProvider'))
  return () => removeEventListener('eip6963:announceProvider', hear)
}
