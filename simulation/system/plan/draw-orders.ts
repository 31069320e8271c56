import type { Random } from '../../random.ts'
import type { CardBehavior } from '../../acquirers/card-behavior.ts'

/** `times` requests are sent at once, each with a key of its own. A caller that does not wait accepts 504 as its response. */
export type OrderStep =
  | {
      readonly do: 'pay'
      readonly type: 'Sales' | 'Authorization'
      readonly percent: number
      readonly times: number
      readonly waits: boolean
    }
  | { readonly do: 'capture'; readonly percent: number; readonly times: number; readonly waits: boolean }
  | { readonly do: 'refund'; readonly percent: number; readonly times: number; readonly waits: boolean }
  | { readonly do: 'void'; readonly times: number }
  | { readonly do: 'void_order' }
  /** The payer sends the form of the payment page from this many windows at once. */
  | { readonly do: 'page'; readonly windows: number; readonly sends: number }
  /** Every earlier request is sent again with its key. */
  | { readonly do: 'repeat' }
  | { readonly do: 'idle'; readonly ms: number }

export interface OrderLife {
  readonly name: string
  readonly atMs: number
  readonly currency: 'HKD' | 'JPY' | 'USD'
  readonly totalMinor: number
  readonly card: CardBehavior
  /** Seconds after which the order expires unless it is paid. */
  readonly timeoutS: number | null
  /** The bulk action at the end of the round refunds it. */
  readonly isRefundedInBulk: boolean
  readonly steps: readonly OrderStep[]
}

/** What is done to an order of an earlier round. */
export interface OrderVisit {
  readonly atMs: number
  readonly order: string
  readonly steps: readonly OrderStep[]
}

/** Stripe refuses charges below HKD 4, USD 0.50 or JPY 50. A step moves at least a twentieth of the order. */
const MIN_TOTAL_MINOR = 20 * 500
const MAX_TOTAL_MINOR = 5_000_000

export function drawOrders(
  random: Random,
  prefix: string,
  { orders, roundMs }: { readonly orders: number; readonly roundMs: number },
): OrderLife[] {
  return Array.from({ length: orders }, (_, index) => {
    const card = random.chance(0.88) ? 'approves' : random.pick(['declines', 'stolen'] as const)
    return {
      name: `${prefix}o${index}`,
      atMs: random.whole(0, roundMs),
      currency: random.pick(['HKD', 'HKD', 'USD', 'JPY'] as const),
      totalMinor: random.whole(MIN_TOTAL_MINOR, MAX_TOTAL_MINOR),
      card,
      timeoutS: random.chance(0.15) ? random.whole(3_600, 172_800) : null,
      isRefundedInBulk: random.chance(0.1),
      steps: random.chance(0.06) ? [] : drawSteps(random),
    }
  })
}

function drawSteps(random: Random): OrderStep[] {
  const waits = (): boolean => random.chance(0.6)
  const times = (): number => random.pick([1, 1, 1, 2, 4])
  const sale = (): OrderStep => ({ do: 'pay', type: 'Sales', percent: 100, times: times(), waits: waits() })
  const authorization = (): OrderStep => ({ ...sale(), type: 'Authorization' }) as OrderStep
  const part = (): number => random.whole(20, 60)
  const lives: readonly [() => OrderStep[], ...(() => OrderStep[])[]] = [
    () => [sale()],
    () => [sale(), { do: 'refund', percent: part(), times: times(), waits: waits() }],
    () => [sale(), { do: 'refund', percent: 100, times: times(), waits: waits() }],
    () => [sale(), { do: 'void', times: times() }, sale()],
    () => [sale(), { do: 'void_order' }],
    () => [authorization(), { do: 'capture', percent: 100, times: times(), waits: waits() }],
    () => [
      authorization(),
      { do: 'capture', percent: part(), times: 1, waits: waits() },
      { do: 'capture', percent: 100, times: times(), waits: waits() },
    ],
    () => [authorization(), { do: 'void', times: 1 }, sale()],
    () => [authorization(), { do: 'void_order' }],
    () => [{ ...sale(), percent: part() } as OrderStep, sale()],
    () => [{ do: 'page', windows: random.whole(1, 3), sends: random.whole(1, 3) }],
    () => [
      { do: 'page', windows: 1, sends: 2 },
      { do: 'refund', percent: 100, times: 1, waits: true },
    ],
  ]
  const steps = random.pick(lives)()
  const withIdle = steps.flatMap((step): OrderStep[] =>
    random.chance(0.3) ? [{ do: 'idle', ms: random.whole(10, 2_000) }, step] : [step],
  )
  return random.chance(0.3) ? [...withIdle, { do: 'repeat' }] : withIdle
}

/** The amount that a step moves: at least one minor unit, because the service refuses an amount of zero. */
export function shareOf(minor: bigint, percent: number): bigint {
  const share = (minor * BigInt(percent)) / 100n
  return share > 0n ? share : 1n
}
