import type { CardBehavior } from '../../acquirers/card-behavior.ts'
import type { Random } from '../../random.ts'
import { drawNote, type NoteStep, SERIES, type SeriesKey } from './draw-invoices.ts'

/**
 * Acquirers refuse less than about 5.00. Each price is more than twice the one before, so that no change goes below
 * that, whatever the coupons, even on the last of 31 days.
 */
export const PRICES_HKD_MINOR = [500n, 50_055n, 120_103n, 280_999n, 600_001n, 1_400_000n] as const

/** - `offMinor`: An amount instead of a percentage. */
interface DrawnCoupon {
  readonly basisPointsOff?: bigint
  readonly offMinor?: bigint
  readonly times?: number
  readonly maxRedemptions?: number
}

/** Many plans race for the last coupon. */
export const COUPONS: readonly DrawnCoupon[] = [
  { basisPointsOff: 1_250n, times: 2 },
  { offMinor: 2_000n, times: 3 },
  { basisPointsOff: 725n, maxRedemptions: 7 },
]

interface DrawnPolicy {
  readonly steps: readonly { readonly after_days: number; readonly at_time?: string }[]
  readonly soft?: readonly {
    readonly decline_codes: readonly string[]
    readonly steps: DrawnPolicy['steps']
  }[]
  readonly hard: 'wait' | 'step'
  readonly new_token: 'retry' | 'wait'
  readonly exhausted: 'uncollectible' | 'cancel'
}

/** Faults do not use up the steps of the first policy, which end within the month. */
export const POLICIES: readonly DrawnPolicy[] = [
  {
    steps: Array.from({ length: 24 }, (_, index) => ({ after_days: index + 1 })),
    hard: 'wait',
    new_token: 'retry',
    exhausted: 'uncollectible',
  },
  {
    steps: [{ after_days: 1 }, { after_days: 3 }],
    soft: [
      {
        decline_codes: ['card_declined', 'insufficient_funds'],
        steps: [{ after_days: 1, at_time: '23:30' }, { after_days: 2 }],
      },
    ],
    hard: 'step',
    new_token: 'wait',
    exhausted: 'uncollectible',
  },
  { steps: [{ after_days: 1 }, { after_days: 2 }], hard: 'wait', new_token: 'retry', exhausted: 'cancel' },
]

export interface DrawnTrial {
  /** The trial ends this many days after the start, or else this many minutes. */
  readonly days?: number
  readonly minutes: number
  readonly withoutToken: 'cancel' | 'pause' | 'bill'
}

export interface PlanLife {
  readonly name: string
  readonly atMs: number
  /** `none`: no card is bound when the trial begins. */
  readonly card: CardBehavior | 'none'
  readonly priceIndex: number
  readonly frequency: 'WEEKLY' | 'MONTHLY'
  /**
   * The time from its creation to its first billing, so that most first billings fall into a move of the clock. A
   * trial comes between.
   */
  readonly startsAfterMinutes: number
  /** Counts from the opening of the business instead, so that many plans are due at once. */
  readonly startsFromOpening?: boolean
  readonly billingCount: number | null
  readonly gracePeriod: number | null
  readonly trial?: DrawnTrial
  /** Positions in `COUPONS`. */
  readonly coupons: readonly number[]
  /** A position in `POLICIES`. */
  readonly policy?: number
  readonly invoicing?: DrawnInvoicing
}

/**
 * - `addsTax`: Tax comes on top of prices, which otherwise contain it.
 * - `isSent`: The invoice is sent, with ten years to pay by bank transfer.
 */
export interface DrawnInvoicing {
  readonly series: SeriesKey
  readonly isTaxed: boolean
  readonly addsTax: boolean
  readonly isSent: boolean
}

/**
 * What is done to a plan and its newest orders. A plan whose card declines gets another card instead, whatever was
 * drawn. An act that does not fit a plan is left out: `transfer`, `undo` and `void` are for plans whose invoices are
 * sent.
 * - `transfer`: This part of the amount due arrives at the bank. A transfer whose match was undone is matched again
 * instead.
 * - `undo`: The last match is undone by hand, or the bank returns the transfer.
 * - `void`: An unpaid order is voided.
 */
export type PlanAct = { readonly atMs: number; readonly plan: string } & (
  | {
      readonly do: 'change'
      readonly to: 'dearer' | 'cheaper'
      readonly at: 'now' | 'period_end'
      readonly proration: 'now' | 'none'
      readonly isPaidFirst: boolean
    }
  | { readonly do: 'refund'; readonly percent: number }
  | { readonly do: 'transfer'; readonly percent: number; readonly format: 'camt053' | 'csv' }
  | { readonly do: 'undo'; readonly by: 'hand' | 'bank' }
  | { readonly do: 'void' }
  | { readonly do: 'attach' | 'detach'; readonly coupon: number }
  | { readonly do: 'pause'; readonly minutes: number }
  | { readonly do: 'cancel'; readonly unused: 'keep' | 'refund' }
  | { readonly do: 'reactivate'; readonly from: 'now' | 'missed' }
  | NoteStep
)

export type ClockMove = { readonly atMs: number; readonly minutes: number } | DueMove

/** Ends `ms` after the due time of the plans that began this many minutes after the opening. */
export interface DueMove {
  readonly atMs: number
  readonly startsAfterMinutes: number
  readonly months: number
  readonly ms: number
}

export const MINUTES_PER_DAY = 24 * 60
const MAX_START_MINUTES = 6 * MINUTES_PER_DAY
const MAX_TRIAL_DAYS = 10
const MAX_PAUSE_MINUTES = 10 * MINUTES_PER_DAY
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
    frequency: random.pick(['WEEKLY', 'WEEKLY', 'MONTHLY'] as const),
    startsAfterMinutes: random.whole(60, MAX_START_MINUTES),
    billingCount: random.chance(0.5) ? random.whole(1, 4) : null,
    gracePeriod: random.pick([null, 0, 3]),
    ...drawTerms(random, { declines: 0.2, maxTrialDays: MAX_TRIAL_DAYS }),
  }))
}

/** Draws who pays how much, from when, and how often it is tried. */
export function drawTerms(
  random: Random,
  { declines, maxTrialDays }: { readonly declines: number; readonly maxTrialDays: number },
): Pick<PlanLife, 'card' | 'priceIndex' | 'coupons' | 'policy' | 'trial' | 'invoicing'> &
  Partial<Pick<PlanLife, 'billingCount' | 'gracePeriod'>> {
  const trial = drawTrial(random, Math.min(maxTrialDays, MAX_TRIAL_DAYS))
  const isBad = random.chance(declines)
  const bad = random.pick([
    'declines',
    'stolen',
    ...(trial === undefined ? [] : (['none'] as const)),
  ] as const)
  const policy = isBad ? random.pick([undefined, 0, 1, 2]) : random.pick([undefined, 0])
  const priceIndex = random.whole(0, PRICES_HKD_MINOR.length - 1)
  const wanted = random.shuffle([...COUPONS.keys()]).filter(() => random.chance(0.3))
  const invoicing = drawInvoicing(random, !isBad)
  return {
    card: isBad ? bad : 'approves',
    priceIndex,
    coupons: priceIndex === 0 ? [] : wanted,
    ...(policy !== undefined && { policy }),
    ...(trial !== undefined && { trial }),
    ...(invoicing !== undefined && { invoicing }),
    ...(invoicing?.isSent === true && { billingCount: null, gracePeriod: null }),
  }
}

function drawInvoicing(random: Random, maySend: boolean): DrawnInvoicing | undefined {
  if (!random.chance(0.5)) return undefined
  const series = random.pick<(typeof SERIES)[number]>(SERIES).key
  const isTaxed = random.chance(0.6)
  const addsTax = isTaxed && random.chance(0.5)
  return { series, isTaxed, addsTax, isSent: random.chance(0.4) && maySend }
}

function drawTrial(random: Random, maxDays: number): DrawnTrial | undefined {
  if (!random.chance(0.3) || maxDays < 1) return undefined
  const withoutToken = random.pick(['cancel', 'pause', 'bill'] as const)
  const days = random.whole(1, maxDays)
  if (random.chance(0.5)) return { days, minutes: days * MINUTES_PER_DAY, withoutToken }
  return { minutes: random.whole(60, days * MINUTES_PER_DAY), withoutToken }
}

/** Every fourth plan is canceled and comes back. */
const LEAVING_INTERVAL = 4
/** Several acts on a plan follow each other, because acts that return parts of one order interact within its period. */
const MAX_ACTS_IN_A_ROW = 4
const MS_BETWEEN_ACTS = 100

export function drawPlanActs(
  random: Random,
  plans: readonly string[],
  { count, roundMs }: { readonly count: number; readonly roundMs: number },
): PlanAct[] {
  if (plans.length === 0) return []
  const acts: PlanAct[] = []
  while (acts.length < count) {
    const index = random.whole(0, plans.length - 1)
    const startMs = random.whole(0, roundMs)
    const inARow = random.whole(1, MAX_ACTS_IN_A_ROW)
    for (let nth = 0; nth < inARow; nth++) {
      const atMs = Math.min(roundMs, startMs + nth * MS_BETWEEN_ACTS)
      acts.push({ atMs, plan: plans[index] ?? '', ...drawAct(random, drawKind(random, index)) })
    }
  }
  return acts.slice(0, count)
}

function drawKind(random: Random, index: number): PlanAct['do'] {
  const ofPlan =
    index % LEAVING_INTERVAL === 0
      ? (['cancel', 'reactivate', 'reactivate'] as const)
      : (['change', 'change', 'detach'] as const)
  const giving = ['note', 'note', 'refund', 'transfer', 'transfer', 'undo', 'void'] as const
  return random.pick(['change', 'attach', 'pause', ...giving, ...ofPlan] as const)
}

type ActOf<Act> = Act extends PlanAct ? Omit<Act, 'atMs' | 'plan'> : never

function drawAct(random: Random, kind: PlanAct['do']): ActOf<PlanAct> {
  switch (kind) {
    case 'change':
      return {
        do: kind,
        to: random.pick(['dearer', 'cheaper'] as const),
        at: random.pick(['now', 'now', 'now', 'period_end'] as const),
        proration: random.pick(['now', 'now', 'none'] as const),
        isPaidFirst: random.chance(0.5),
      }
    case 'attach':
    case 'detach':
      return { do: kind, coupon: random.whole(0, COUPONS.length - 1) }
    case 'pause':
      return { do: kind, minutes: random.whole(60, MAX_PAUSE_MINUTES) }
    case 'cancel':
      return { do: kind, unused: random.pick(['keep', 'refund', 'refund'] as const) }
    case 'reactivate':
      return { do: kind, from: random.pick(['now', 'missed'] as const) }
    case 'refund':
      return { do: kind, percent: random.pick([100, random.whole(5, 95)]) }
    case 'transfer':
      return {
        do: kind,
        percent: random.pick([100, 100, random.whole(20, 80)]),
        format: random.pick(['camt053', 'csv'] as const),
      }
    case 'undo':
      return { do: kind, by: random.pick(['hand', 'bank'] as const) }
    case 'void':
      return { do: kind }
    case 'note':
      return drawNote(random, ['payment', 'credit', 'none'])
  }
}

export function drawClockMoves(random: Random, roundMs: number): ClockMove[] {
  const count = Math.max(1, Math.round(roundMs / MS_PER_MOVE))
  return Array.from({ length: count }, () => ({
    atMs: random.whole(0, roundMs),
    minutes: random.chance(0.3) ? random.whole(1, 90) : random.whole(60, MAX_MOVE_MINUTES),
  })).toSorted((a, b) => a.atMs - b.atMs)
}
