import type { Random } from '../../random.ts'

export type ChainAction =
  | { readonly do: 'deposit'; readonly atMs: number; readonly business: number; readonly gwei: number }
  | { readonly do: 'mine'; readonly atMs: number; readonly blocks: number }
  /** Empty blocks replace this number of blocks. */
  | { readonly do: 'reorganise'; readonly atMs: number; readonly blocks: number }
  | { readonly do: 'restart'; readonly atMs: number; readonly downMs: number }
  /** The node accepts connections and does not respond. */
  | { readonly do: 'stall'; readonly atMs: number; readonly ms: number }

const MS_PER_ACTION = 600
const MAX_GWEI = 2_000_000_000

export function drawChainActions(
  random: Random,
  { roundMs, businesses }: { readonly roundMs: number; readonly businesses: number },
): ChainAction[] {
  return Array.from({ length: Math.ceil(roundMs / MS_PER_ACTION) }, (): ChainAction => {
    const atMs = random.whole(0, roundMs)
    const kind = random.next()
    if (kind < 0.4) {
      const business = random.whole(0, businesses - 1)
      return { do: 'deposit', atMs, business, gwei: random.whole(1, MAX_GWEI) }
    }
    if (kind < 0.65) return { do: 'mine', atMs, blocks: random.whole(1, 6) }
    if (kind < 0.93) return { do: 'reorganise', atMs, blocks: random.whole(1, 10) }
    if (kind < 0.96) return { do: 'restart', atMs, downMs: random.whole(0, 1_500) }
    return { do: 'stall', atMs, ms: random.whole(200, 3_000) }
  }).toSorted((a, b) => a.atMs - b.atMs)
}
