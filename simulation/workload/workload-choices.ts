import { Random } from '../random.ts'

export interface WorkloadSize {
  readonly plans: number
  readonly orders: number
  readonly months: number
}

type OrderFlow = 'sale' | 'two_captures' | 'partial_refund' | 'full_refund' | 'void_and_pay_again'

export interface OrderChoice {
  readonly share: number
  readonly currency: 'HKD' | 'JPY' | 'USD'
  readonly totalMinor: bigint
  readonly partMinor: bigint
  readonly flow: OrderFlow
  readonly repeatsRequests: boolean
}

const FLOWS = [
  'sale',
  'sale',
  'sale',
  'sale',
  'sale',
  'sale',
  'two_captures',
  'partial_refund',
  'full_refund',
  'void_and_pay_again',
] as const

/** Acquirers refuse smaller charges: Stripe less than HKD 4, USD 0.50 or JPY 50. */
const MIN_CHARGE_MINOR = 500

export function chooseOrders(seed: number, count: number): OrderChoice[] {
  const random = new Random(seed, 'orders')
  return Array.from({ length: count }, (): OrderChoice => {
    const totalMinor = random.whole(2 * MIN_CHARGE_MINOR, 5_000_000)
    return {
      share: random.next() * 0.95,
      currency: random.pick(['HKD', 'HKD', 'USD', 'JPY']),
      totalMinor: BigInt(totalMinor),
      partMinor: BigInt(random.whole(MIN_CHARGE_MINOR, totalMinor - MIN_CHARGE_MINOR)),
      flow: random.pick(FLOWS),
      repeatsRequests: random.chance(0.2),
    }
  }).toSorted((a, b) => a.share - b.share)
}

export type CardBehavior = 'approves' | 'declines' | 'stolen'

export interface PlanChoice {
  readonly cardBehavior: CardBehavior
  readonly priceIndex: number
  readonly startOffset: Temporal.Duration
  /** Whether `billing_count` is the number of simulated months. Otherwise the plan has no end. */
  readonly isBounded: boolean
  readonly gracePeriod: number | null
}

export const PRICES_HKD_MINOR = [500n, 9_900n, 12_345n, 25_050n, 99_999n, 1_000_000n] as const

const PLANS_PER_GROUP = 250
const MAX_GROUPS = 9
const MIN_GROUPS = 4

export function groupCount(plans: number): number {
  return Math.min(MAX_GROUPS, Math.max(MIN_GROUPS, Math.ceil(plans / PLANS_PER_GROUP)))
}

export function choosePlans(seed: number, count: number): PlanChoice[] {
  const random = new Random(seed, 'plans')
  const groups = groupCount(count)
  return Array.from({ length: count }, (_, index) => ({
    cardBehavior: random.chance(0.05) ? random.pick(['declines', 'stolen'] as const) : 'approves',
    priceIndex: random.whole(0, PRICES_HKD_MINOR.length - 1),
    startOffset: groupOffset(index % groups),
    isBounded: random.chance(0.5),
    gracePeriod: random.pick([null, 0, 3]),
  }))
}

/** At most 24 days and a few hours, so that every group bills once in each month. */
export function groupOffset(group: number): Temporal.Duration {
  return Temporal.Duration.from({ hours: 24 * 3 * group + group, minutes: 7 * group })
}

export interface ClockMove {
  /** How far past the billing time the clock is moved. A negative offset stops the clock before the billing. */
  readonly offset: Temporal.Duration
  /** How long the clock then runs in real time. After a negative offset, the billing happens during this time. */
  readonly idleMs: number
}

/**
 * One clock move for each billing time; null where the next move passes over the billing time. Some billings are left to
 * the running clock, so that billing outside clock/advance is killed, too.
 */
export function chooseClockMoves(seed: number, count: number): (ClockMove | null)[] {
  const random = new Random(seed, 'clock moves')
  return Array.from({ length: count }, (_, index) => {
    const isLast = index === count - 1
    const kind = random.next()
    const idleMs = random.whole(0, 300)
    const hours = random.whole(0, 60)
    if (kind < 0.3 && !isLast) return null
    if (kind < 0.7 && !isLast) {
      return { offset: Temporal.Duration.from({ milliseconds: -500 }), idleMs: 1500 + idleMs }
    }
    return { offset: Temporal.Duration.from({ hours }), idleMs }
  })
}
