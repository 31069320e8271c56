import type { Random } from '../../random.ts'

export type CardBehavior = 'approves' | 'declines' | 'stolen'

/** Acquirers refuse less than about 5.00, also for a change from one price to the next on the last of 31 days. */
export const PRICES_HKD_MINOR = [500n, 16_900n, 34_545n, 55_050n, 99_999n, 1_000_000n] as const

export interface PlanLife {
  readonly name: string
  readonly atMs: number
  readonly card: CardBehavior
  readonly priceIndex: number
  readonly frequency: 'WEEKLY' | 'MONTHLY'
  /** From its creation to its first billing, so that most first billings fall into a move of the clock. */
  readonly startsAfterMinutes: number
  /** Counts from the opening of the business instead, so that many plans are due at once. */
  readonly startsFromOpening?: boolean
  readonly billingCount: number | null
  readonly gracePeriod: number | null
}

/** Moves a plan to a dearer price, so that no later order is lower by credit. Plans whose cards decline are left alone. */
export interface PlanChange {
  readonly atMs: number
  readonly plan: string
  readonly at: 'now' | 'period_end'
  readonly proration: 'now' | 'none'
}

export type ClockMove = { readonly atMs: number; readonly minutes: number } | DueMove

/** Ends `ms` after the moment at which plans are due that began so many minutes after the opening. */
export interface DueMove {
  readonly atMs: number
  readonly startsAfterMinutes: number
  readonly months: number
  readonly ms: number
}

const MAX_START_MINUTES = 6 * 24 * 60
/** A move makes at most three daily attempts of an order, of which there are 25 (`plans.ts`). */
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

export function drawPlanChanges(
  random: Random,
  plans: readonly string[],
  { count, roundMs }: { readonly count: number; readonly roundMs: number },
): PlanChange[] {
  if (plans.length === 0) return []
  return Array.from({ length: count }, () => ({
    atMs: random.whole(0, roundMs),
    plan: plans[random.whole(0, plans.length - 1)] ?? '',
    at: random.pick(['now', 'now', 'period_end'] as const),
    proration: random.pick(['now', 'now', 'none'] as const),
  }))
}

export function drawClockMoves(random: Random, roundMs: number): ClockMove[] {
  const count = Math.max(1, Math.round(roundMs / MS_PER_MOVE))
  return Array.from({ length: count }, () => ({
    atMs: random.whole(0, roundMs),
    minutes: random.chance(0.3) ? random.whole(1, 90) : random.whole(60, MAX_MOVE_MINUTES),
  })).toSorted((a, b) => a.atMs - b.atMs)
}
