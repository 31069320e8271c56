import { timeOfChange } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import {
  accepted,
  cancel,
  changePlan,
  findCycleItems,
  insertCycleItems,
  insertCycles,
  pause,
  type PlanView,
  reactivate,
  type REACTIVATE_FROM,
  readPauseUntil,
  requirePlan,
  resume,
  uncancel,
  withTrialEnd,
} from '#modules/plans'
import { catalogueErrors as errors } from '#modules/catalogue'
import { refuseAwaiting, voidingAwaited } from '../paid-first/void-awaited.ts'
import { createWaitingOrder } from '../orders/create-plan-order.ts'
import type { BillingContext } from '../context.ts'
import { cancelAndRefund, type UNUSED } from './unused/cancel-unused.ts'

export function pausePlan(
  ctx: BillingContext,
  caller: Caller,
  id: string,
  until?: string,
): Promise<PlanView> {
  return voidingAwaited(ctx, caller, () =>
    changePlan(ctx, caller, id, async (aggregate, at) => {
      const paused = accepted(pause(aggregate, at, readPauseUntil(until, aggregate.plan.zone, at)))
      refuseAwaiting(aggregate)
      return paused
    }),
  )
}

export function resumePlan(ctx: BillingContext, caller: Caller, id: string): Promise<PlanView> {
  return changePlan(ctx, caller, id, async (aggregate, at) => resume(aggregate, at))
}

export function cancelPlan(
  ctx: BillingContext,
  caller: Caller,
  id: string,
  atPeriodEnd: boolean,
): Promise<PlanView> {
  return voidingAwaited(ctx, caller, () =>
    changePlan(ctx, caller, id, async (aggregate, at, tx) => {
      const canceled = accepted(cancel(aggregate, at, atPeriodEnd))
      refuseAwaiting(aggregate)
      return createWaitingOrder(ctx, tx, canceled, at)
    }),
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

interface CancelRequest {
  readonly at_period_end?: boolean
  readonly unused?: (typeof UNUSED)[number]
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
): Promise<PlanView> {
  return changePlan(ctx, caller, id, async (before, at, tx) => {
    const { aggregate, added, copied } = accepted(reactivate(before, from, at))
    const items = (await findCycleItems(tx, [id])).get(id) ?? []
    await insertCycles(tx, added)
    await insertCycleItems(
      tx,
      added.map((cycle, index) => ({ cycle, items: items[copied[index] ?? 0] ?? [] })),
    )
    return aggregate
  })
}
