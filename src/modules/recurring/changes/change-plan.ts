import { type Instant, timeOfChange } from '#kernel/clock'
import type { RequestError } from '#kernel/errors'
import type { ExactNumber } from '#kernel/json'
import { Money, parseMoney } from '#kernel/money'
import type { Caller } from '#platform/caller'
import { editMetadata, type MetadataEdit } from '#platform/http/validation/metadata'
import type { Tx } from '#platform/postgres/database'
import { once } from '#platform/idempotency/idempotency'
import { replaceTerms } from '#platform/search/term-index'
import { createWaitingOrder } from '../billing/create-plan-order.ts'
import { addCredit, cancel, pause, resume, retryNow } from './decide-change.ts'
import { errors } from '../errors.ts'
import type { PlanView, RecurringContext } from '../context.ts'
import { type Plan, type PlanAggregate, withEvent, withPlan } from '../model/plan.ts'
import { insertCredits, updateEditablePlanFields } from '../storage/plan.repository.ts'
import { readPauseUntil } from '../lifecycle/read-lifecycle.ts'
import { checkCallback } from '../plan/draft-plan.ts'
import { requirePlan } from '../plan/read-plans.ts'
import { savePlan } from '../plan/save-plans.ts'
import { viewPlan } from '../plan/view-plans.ts'
import { policyOfPlan } from '../policies/dunning-policies.ts'
import { PLAN_NAMES } from '../storage/search.repository.ts'

export interface PlanEdit {
  readonly name?: string
  readonly default_collection_method?: Plan['defaultCollectionMethod']
  readonly payment_retry_count?: number
  readonly payment_retry_day_period?: number
  readonly dunning_policy_id?: string | null
  readonly callback_url?: string
  readonly metadata?: MetadataEdit
}

export interface NewCredit {
  readonly amount: number | ExactNumber
  readonly note?: string
}

/** A merchant changes plans and cycles only. The job voids orders, because orders are locked before their plan. */

export function pausePlan(
  ctx: RecurringContext,
  caller: Caller,
  id: string,
  until?: string,
): Promise<PlanView> {
  return changePlan(ctx, caller, id, async (aggregate, at) =>
    pause(aggregate, at, readPauseUntil(until, aggregate.plan.zone, at)),
  )
}

export function resumePlan(ctx: RecurringContext, caller: Caller, id: string): Promise<PlanView> {
  return changePlan(ctx, caller, id, async (aggregate, at) => resume(aggregate, at))
}

export function retryPlan(
  ctx: RecurringContext,
  caller: Caller,
  id: string,
  orderNumber: string | null,
): Promise<PlanView> {
  return changePlan(ctx, caller, id, async (aggregate, at) => retryNow(aggregate, orderNumber, at))
}

export function cancelPlan(
  ctx: RecurringContext,
  caller: Caller,
  id: string,
  atPeriodEnd: boolean,
): Promise<PlanView> {
  return changePlan(ctx, caller, id, (aggregate, at, tx) =>
    createWaitingOrder(ctx, tx, cancel(aggregate, at, atPeriodEnd), at),
  )
}

export function previewCancel(
  { db }: RecurringContext,
  { businessId }: Caller,
  id: string,
  atPeriodEnd: boolean,
): Promise<void> {
  return db.transact(
    businessId,
    async (tx) => {
      const aggregate = await requirePlan(tx, id)
      cancel(aggregate, timeOfChange(aggregate.plan, tx.now), atPeriodEnd)
    },
    { isSnapshot: true },
  )
}

export function creditPlan(
  ctx: RecurringContext,
  caller: Caller,
  id: string,
  credit: NewCredit,
): Promise<PlanView> {
  return changePlan(ctx, caller, id, async (aggregate, at, tx) => {
    const { currency } = aggregate.plan.credit
    const amount = parseMoney(currency, credit.amount)
    if (!(amount instanceof Money)) throw creditInvalid(`amount ${amount.message}`)
    if (!amount.isPositive()) throw errors.credit_invalid({ param: 'amount' })
    const credited = addCredit(aggregate, amount)
    const total = parseMoney(currency, credited.plan.credit.toString())
    if (!(total instanceof Money)) throw creditInvalid(`The plan's credit ${total.message}`)
    await insertCredits(tx, [
      { planId: id, orderId: null, givenBy: null, amount, note: credit.note ?? null, at },
    ])
    return credited
  })
}

function creditInvalid(message: string): RequestError {
  return errors.credit_invalid({ param: 'amount', message: `${message}.` })
}

/** Dates that were set stay, and the next attempt is compared with the new count (reference/recurring#editing). */
export function editPlan(
  ctx: RecurringContext,
  caller: Caller,
  id: string,
  edit: PlanEdit,
): Promise<PlanView> {
  if (edit.callback_url !== undefined) checkCallback(ctx, edit.callback_url)
  return changePlan(ctx, caller, id, async (aggregate, _at, tx) => {
    const { plan } = aggregate
    const { dunning_policy_id: policyId = plan.dunningPolicyId } = edit
    const policy = policyId === plan.dunningPolicyId ? aggregate.policy : await policyOfPlan(tx, policyId)
    const edited = withPlan(
      { ...aggregate, policy },
      {
        name: edit.name ?? plan.name,
        defaultCollectionMethod: edit.default_collection_method ?? plan.defaultCollectionMethod,
        paymentRetryCount: edit.payment_retry_count ?? plan.paymentRetryCount,
        paymentRetryDayPeriod: edit.payment_retry_day_period ?? plan.paymentRetryDayPeriod,
        dunningPolicyId: policyId,
        callbackUrl: edit.callback_url ?? plan.callbackUrl,
        metadata: editMetadata(plan.metadata, edit.metadata, 'plan.metadata'),
      },
    )
    const update = () => updateEditablePlanFields(tx, edited.plan)
    await (edit.name === undefined ? update() : replaceTerms(tx, PLAN_NAMES, [id], update))
    return withEvent(edited, { type: 'plan.updated' })
  })
}

export async function changePlan(
  ctx: RecurringContext,
  caller: Caller,
  id: string,
  decide: (aggregate: PlanAggregate, at: Instant, tx: Tx) => Promise<PlanAggregate>,
): Promise<PlanView> {
  const change = async (tx: Tx) => {
    const before = await requirePlan(tx, id, 'wait')
    const at = timeOfChange(before.plan, tx.now)
    const after = await decide(before, at, tx)
    return after === before ? viewPlan(ctx, tx, before, at) : savePlan(ctx, tx, { before, after, at })
  }
  return ctx.taxes.withEngine(caller.businessId, () => once(ctx.db, caller, change))
}
