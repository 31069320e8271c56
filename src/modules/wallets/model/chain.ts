import type { Decimal } from '#kernel/decimal'
import type { Environment } from '#platform/caller'

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
 * - `isSandbox`: A development node's chain, whose coins are worth nothing: only test environments get its deposits.
 */
export interface Chain {
  readonly name: string
  readonly chainId: number
  readonly rpcUrls: readonly string[]
  readonly confirmations: number | 'finalized'
  readonly pollIntervalMs: number
  readonly native: Asset | undefined
  readonly tokens: readonly Asset[]
  readonly isSandbox: boolean
}

/** The chains on which a tenant of the environment has deposit addresses. */
export function chainsOf(chains: readonly Chain[], environment: Environment): readonly Chain[] {
  return environment === 'test' ? chains : chains.filter((chain) => !chain.isSandbox)
}

export function assetsOf(chain: Chain): readonly Asset[] {
  return chain.native === undefined ? chain.tokens : [chain.native, ...chain.tokens]
}
