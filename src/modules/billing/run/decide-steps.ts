import { type Instant, isAfter } from '#kernel/clock'
import { isChargeable, type PaymentToken } from '#modules/customers'
import {
  nextOrderId,
  type OrderBill,
  type PlanAggregate,
  type PlanItems,
  type ReplacedCycles,
  type ScheduledChange,
  type StepGround,
  takeTimelineStep,
} from '#modules/plans'

/** - `tokens`: The default tokens of customers, by their uuid. Everything else goes by the plan's id. */
export interface StepsGround {
  readonly plans: ReadonlyMap<string, PlanAggregate>
  readonly items: ReadonlyMap<string, PlanItems>
  readonly scheduled: ReadonlyMap<string, ScheduledChange>
  readonly tokens: ReadonlyMap<string, PaymentToken>
}

export interface StepTimes {
  readonly until: Instant
  readonly timeOf: (dueAt: Instant) => Instant
}

export interface Step {
  readonly before: PlanAggregate
  readonly aggregate: PlanAggregate
  readonly items: PlanItems
  readonly replaced?: ReplacedCycles | undefined
  readonly at: Instant
  readonly bill: OrderBill | undefined
}

/** Leaves out plans that changed between the search and the lock. */
export function decideSteps(
  { plans, items, scheduled, tokens }: StepsGround,
  { until, timeOf }: StepTimes,
): Step[] {
  return [...plans.values()].flatMap((aggregate) => {
    const { id, customerUuid, due } = aggregate.plan
    if (due === null || due.kind !== 'timeline' || isAfter(due.at, until)) return []
    const at = timeOf(due.at)
    const token = tokens.get(customerUuid)
    const hasChargeableToken = token !== undefined && isChargeable(token, at)
    const ground = { at, hasChargeableToken }
    return [decideStep(aggregate, due.at, ground, items.get(id) ?? [], scheduled.get(id))]
  })
}

function decideStep(
  before: PlanAggregate,
  dueAt: Instant,
  ground: StepGround,
  items: PlanItems,
  scheduled: ScheduledChange | undefined,
): Step {
  const { at } = ground
  const next = takeTimelineStep(before, items, dueAt, ground, scheduled)
  return {
    before,
    ...next,
    at,
    bill: next.bill && {
      ...next.bill,
      orderId: nextOrderId(before, next.bill.period.start),
    },
  }
}
