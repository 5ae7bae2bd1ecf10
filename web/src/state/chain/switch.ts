// Going to another network: the wallet is asked (EIP-3326), and told of it if it does not know it (EIP-3085).

import { numberToHex } from 'viem'
import type { Deployment } from './contract'
import { codeOf, UNKNOWN_CHAIN, type Provider } from './provider'

export async function switchTo(provider: Provider, { chain, title, currency, rpc, explorer }: Deployment): Promise<void> {
  const chainId = numberToHex(chain)
  const ask = () => provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  try {
    await ask()
  } catch (error) {
    if (codeOf(error) !== UNKNOWN_CHAIN || !rpc) throw error
    const network = {
      chainId,
      chainName: title,
      nativeCurrency: { name: currency, symbol: currency, decimals: 18 },
      rpcUrls: [rpc],
      ...(explorer && { blockExplorerUrls: [explorer] }),
    }
    await provider.request({ method: 'wallet_addEthereumChain', params: [network] })
    // Some wallets go there of their own accord, others only add it.
    if (Number(await provider.request({ method: 'eth_chainId' })) !== chain) await ask()
  }
}
