import { timeOfChange } from '#kernel/clock'
import type { ExactNumber } from '#kernel/json'
import { Money, readMoney } from '#kernel/money'
import type { Caller } from '#platform/caller'
import {
  accepted,
  cancel,
  type Cancellation,
  changePlan,
  findCycleItems,
  insertCycleItems,
  insertCycles,
  pause,
  type PlanAggregate,
  type PlanItems,
  type PlanView,
  previewOrders,
  reactivate,
  type REACTIVATE_FROM,
  readPauseUntil,
  requirePlan,
  resume,
  uncancel,
  withEvent,
  withPlan,
  withTrialEnd,
} from '#modules/plans'
import { catalogueErrors as errors } from '#modules/catalogue'
import { customerErrors } from '#modules/customers'
import { refuseAwaiting, voidingAwaited } from '../paid-first/void-awaited.ts'
import { createWaitingOrder } from '../orders/create-plan-order.ts'
import type { BillingContext } from '../context.ts'
import type { CancelRequest } from './cancel-request.ts'
import { decidePauseEnd } from './decide-pause-end.ts'
import { cancelAndRefund } from './unused/cancel-unused.ts'

/** @param maxDays bounds the pause, which otherwise lasts until somebody ends it */
export function pausePlan(
  ctx: BillingContext,
  caller: Caller,
  id: string,
  until?: string,
  maxDays?: number,
): Promise<PlanView> {
  return voidingAwaited(ctx, caller, () =>
    changePlan(ctx, caller, id, async (aggregate, at) => {
      const { zone } = aggregate.plan
      const end = decidePauseEnd(readPauseUntil(until, zone, at), maxDays, zone, at)
      const paused = accepted(end !== null && 'refused' in end ? end : pause(aggregate, at, end))
      refuseAwaiting(aggregate)
      return paused
    }),
  )
}

export function resumePlan(ctx: BillingContext, caller: Caller, id: string): Promise<PlanView> {
  return changePlan(ctx, caller, id, async (aggregate, at) => resume(aggregate, at))
}

/** @param cancellation why it is canceled. A repetition that says the same changes nothing and writes no event. */
export function cancelPlan(
  ctx: BillingContext,
  caller: Caller,
  id: string,
  atPeriodEnd: boolean,
  cancellation?: Cancellation,
): Promise<PlanView> {
  return voidingAwaited(ctx, caller, () =>
    changePlan(ctx, caller, id, async (aggregate, at, tx) => {
      const canceled = accepted(cancel(aggregate, at, atPeriodEnd))
      refuseAwaiting(aggregate)
      if (canceled === aggregate && isSaid(aggregate, cancellation)) return aggregate
      const explained = cancellation === undefined ? canceled : withPlan(canceled, { cancellation })
      const after = canceled === aggregate ? withEvent(explained, { type: 'plan.updated' }) : explained
      return createWaitingOrder(ctx, tx, after, at)
    }),
  )
}

function isSaid({ plan }: PlanAggregate, said: Cancellation | undefined): boolean {
  return (
    said === undefined ||
    (said.reason === plan.cancellation?.reason && said.comment === plan.cancellation.comment)
  )
}

export function previewCancel(
  { db }: BillingContext,
  { businessId }: Caller,
  id: string,
  atPeriodEnd: boolean,
): Promise<void> {
  return db.transact(
    businessId,
    async (tx) => {
      const aggregate = await requirePlan(tx, id)
      accepted(cancel(aggregate, timeOfChange(aggregate.plan, tx.now), atPeriodEnd))
    },
    { isSnapshot: true },
  )
}

export async function cancelAsAsked(
  ctx: BillingContext,
  caller: Caller,
  id: string,
  { at_period_end: atPeriodEnd = false, unused = 'keep' }: CancelRequest,
): Promise<PlanView> {
  if (unused === 'keep') return cancelPlan(ctx, caller, id, atPeriodEnd)
  if (!atPeriodEnd) return cancelAndRefund(ctx, caller, id)
  throw errors.change_inconsistent({
    param: 'unused',
    message:
      'unused: refund needs a cancellation at once, because nothing is unused at the end of the period.',
  })
}

export function uncancelPlan(ctx: BillingContext, caller: Caller, id: string): Promise<PlanView> {
  return changePlan(ctx, caller, id, async (aggregate, at) => uncancel(aggregate, at))
}

export function moveTrial(ctx: BillingContext, caller: Caller, id: string, until: string): Promise<PlanView> {
  return changePlan(ctx, caller, id, async (aggregate, at) => withTrialEnd(aggregate, until, at))
}

export function reactivatePlan(
  ctx: BillingContext,
  caller: Caller,
  id: string,
  from: (typeof REACTIVATE_FROM)[number],
  expectedTotal?: number | ExactNumber,
): Promise<PlanView> {
  return changePlan(ctx, caller, id, async (before, at, tx) => {
    const { customerUuid } = before.plan
    const customer = (await ctx.customers.holdCustomers(tx, [customerUuid])).get(customerUuid)
    if (customer?.erasedAt != null) throw customerErrors.customer_erased()
    const { aggregate, added, copied } = accepted(reactivate(before, from, at))
    const items = (await findCycleItems(tx, [id])).get(id) ?? []
    const itemsOf = added.map((cycle, index) => ({ cycle, items: items[copied[index] ?? 0] ?? [] }))
    if (expectedTotal !== undefined) {
      refuseOtherTotal(aggregate, [...items, ...itemsOf.map((one) => one.items)], expectedTotal)
    }
    await insertCycles(tx, added)
    await insertCycleItems(tx, itemsOf)
    return aggregate
  })
}

/** Compares what the first order after the return bills. */
function refuseOtherTotal(aggregate: PlanAggregate, items: PlanItems, expected: number | ExactNumber): void {
  const { currency } = aggregate.plan.credit
  const param = 'expected_total'
  const wanted = readMoney(currency, expected, param, (_, rule) =>
    errors.change_inconsistent({ param, message: `${param} ${rule}.` }),
  )
  const [first] = previewOrders(aggregate, items, 1)
  const total = first?.billed.total ?? Money.zero(currency)
  if (!total.equals(wanted)) {
    const message = 'The first order would have another total than expected_total, so nothing was done.'
    throw errors.total_changed({ param, message, data: { total } })
  }
}
