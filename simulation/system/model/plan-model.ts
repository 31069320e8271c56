import type { ExpectedPlan } from '../checks/accounts.ts'
import { type PlanLife, PRICES_HKD_MINOR } from '../plan/draw-plans.ts'

/** Attempts of a declining card are a day apart. */
export const ATTEMPTS_OF_DECLINING_CARD = 3
/** Attempts that meet an acquirer which is down are made again later. */
const SLACK_DAYS = 2
const TIME_ZONE = 'Asia/Hong_Kong'

export interface PlanModel {
  readonly life: PlanLife
  readonly startsAt: Temporal.Instant
  readonly id: string
  readonly changes: AppliedChange[]
  isChanging?: boolean
}

/** - `order`: Its number, where the change billed a difference. */
interface AppliedChange {
  readonly at: Temporal.Instant
  /** It comes before the period that begins at the same time. Any other change was refused until that period was billed. */
  readonly isScheduled: boolean
  readonly priceIndex: number
  readonly total: number
  readonly order?: string
}

/** When a plan is due for so many weeks or months after its start. */
export function dueAt(startsAt: Temporal.Instant, after: Temporal.DurationLike): Temporal.Instant {
  return startsAt.toZonedDateTimeISO(TIME_ZONE).add(after).toInstant()
}

/** The calendar of a plan until `now`, computed from its start. */
export function expectedPlan({ life, startsAt, changes }: PlanModel, now: Temporal.Instant): ExpectedPlan {
  const dueOf = (period: number): Temporal.Instant =>
    dueAt(startsAt, life.frequency === 'WEEKLY' ? { weeks: period } : { months: period })
  const hasCome = (time: Temporal.Instant): boolean => Temporal.Instant.compare(time, now) <= 0
  const { billingCount, gracePeriod, card } = life
  const dueTimes: Temporal.Instant[] = []
  for (let period = 0; period !== billingCount && hasCome(dueOf(period)); period++)
    dueTimes.push(dueOf(period))
  const days = ATTEMPTS_OF_DECLINING_CARD - 1 + (gracePeriod ?? 0) + SLACK_DAYS
  return {
    reference: life.name,
    cardBehavior: card,
    priceMinorAt: (due) => {
      const last = changes.findLast(
        ({ at, isScheduled }) => Temporal.Instant.compare(at, due) < (isScheduled ? 1 : 0),
      )
      return PRICES_HKD_MINOR[last?.priceIndex ?? life.priceIndex] ?? 0n
    },
    changeOrders: new Map(
      changes.flatMap(({ order, total }) => (order === undefined ? [] : [[order, total]])),
    ),
    dueTimes,
    isCompleted: billingCount !== null && hasCome(dueOf(billingCount)),
    gracePeriod,
    isUndecided: card !== 'approves' && !hasCome(startsAt.add({ hours: 24 * days })),
  }
}
