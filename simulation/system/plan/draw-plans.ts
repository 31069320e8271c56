import type { Random } from '../../random.ts'
import { type CardBehavior, PRICES_HKD_MINOR } from '../../workload/workload-choices.ts'

export interface PlanLife {
  readonly name: string
  readonly atMs: number
  readonly card: CardBehavior
  readonly priceIndex: number
  readonly frequency: 'WEEKLY' | 'MONTHLY'
  /** From its creation to its first billing, so that most first billings fall into a move of the clock. */
  readonly startsAfterMinutes: number
  readonly billingCount: number | null
  readonly gracePeriod: number | null
}

export interface ClockMove {
  readonly atMs: number
  readonly minutes: number
}

const MAX_START_MINUTES = 6 * 24 * 60
/** A move makes at most three daily attempts of an order, of which there are 25 (`workload.ts`). */
const MAX_MOVE_MINUTES = 60 * 60
const MS_PER_MOVE = 4_000

export function drawPlans(
  random: Random,
  prefix: string,
  { orders, roundMs }: { readonly orders: number; readonly roundMs: number },
): PlanLife[] {
  return Array.from({ length: Math.ceil(orders / 3) }, (_, index) => ({
    name: `${prefix}p${index}`,
    atMs: random.whole(0, roundMs / 2),
    card: random.chance(0.8) ? 'approves' : random.pick(['declines', 'stolen'] as const),
    priceIndex: random.whole(0, PRICES_HKD_MINOR.length - 1),
    frequency: random.pick(['WEEKLY', 'WEEKLY', 'MONTHLY'] as const),
    startsAfterMinutes: random.whole(60, MAX_START_MINUTES),
    billingCount: random.chance(0.5) ? random.whole(1, 4) : null,
    gracePeriod: random.pick([null, 0, 3]),
  }))
}

export function drawClockMoves(random: Random, roundMs: number): ClockMove[] {
  const count = Math.max(1, Math.round(roundMs / MS_PER_MOVE))
  return Array.from({ length: count }, () => ({
    atMs: random.whole(0, roundMs),
    minutes: random.chance(0.3) ? random.whole(1, 90) : random.whole(60, MAX_MOVE_MINUTES),
  })).toSorted((a, b) => a.atMs - b.atMs)
}
