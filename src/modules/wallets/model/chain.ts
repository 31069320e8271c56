import type { Decimal } from '#kernel/decimal'

export interface Asset {
  readonly symbol: string
  readonly decimals: number
  readonly usdPrice: Decimal
  readonly contractAddress: string
  readonly cardCurrencies: readonly string[]
}

/**
 * - `rpcUrls`: The URLs in order of preference. They may hold credentials, so they are never logged.
 * - `confirmations`: Confirmation depth in blocks, the deposit's own included, or the node's `finalized` tag.
 * - `native`: Native transfers are ignored when undefined.
 */
export interface Chain {
  readonly name: string
  readonly chainId: number
  readonly rpcUrls: readonly string[]
  readonly confirmations: number | 'finalized'
  readonly pollIntervalMs: number
  readonly native: Asset | undefined
  readonly tokens: readonly Asset[]
}

export function assetsOf(chain: Chain): readonly Asset[] {
  return chain.native === undefined ? chain.tokens : [chain.native, ...chain.tokens]
}
