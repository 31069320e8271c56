import { HDKey } from '@scure/bip32'
import { decimal } from '#kernel/decimal'
import type { Asset, Chain } from '../model/chain.ts'

export const TEST_ROOT = HDKey.fromMasterSeed(new Uint8Array(32).fill(7))

const ETHER: Asset = {
  symbol: 'ETH',
  decimals: 18,
  usdPrice: decimal('2500.5'),
  contractAddress: '',
  cardCurrencies: [],
}

export function asset(symbol: string, decimals: number, contractAddress: string, usdPrice = '1'): Asset {
  const cardCurrencies = symbol === 'USDT' || symbol === 'USDC' ? ['USD'] : []
  return { symbol, decimals, usdPrice: decimal(usdPrice), contractAddress, cardCurrencies }
}

export function testChain(rpcUrls: readonly string[], options: Partial<Chain> = {}): Chain {
  return {
    name: 'anvil',
    chainId: 31337,
    rpcUrls,
    confirmations: 1,
    pollIntervalMs: 25,
    native: ETHER,
    tokens: [],
    isSandbox: false,
    ...options,
  }
}
