import { timeOfChange } from '#kernel/clock'
import { RequestError } from '#kernel/errors'
import type { Money } from '#kernel/money'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { TaxAnswers } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import type { BillingContext } from '../context.ts'
import {
  accepted,
  type DecidedChange,
  errorOfRefusal,
  loadPlans,
  type PlanAggregate,
  type PlanView,
  type PreviewedOrder,
  previewOrders,
  requirePlan,
  savePlan,
  totalOf,
  viewPlan,
  withEvent,
  withPlan,
  throwIfRefused,
} from '#modules/plans'
import { catalogueErrors as errors } from '#modules/catalogue'
import { type AppliedChange, shownChange } from '../paid-first/applied-change.ts'
import { ConcurrentPlanChange, onceUnlessConcurrent } from '../concurrent-change.ts'
import type { PlanChangeRequest } from './change-request.ts'
import { refuseInconsistent } from './read-change.ts'
import { refusedToday } from '../closed-days/require-open-today.ts'
import { decideChange, type DecidedPlan } from './decide-change.ts'
import { refuseAwaiting, voidingAwaited } from '../paid-first/void-awaited.ts'
import { findNamedByChange } from './named-by-change.ts'
import { billingOrderIds } from './sets/decide-billed-period.ts'
import { readChangeGrounds } from './sets/change-ground.ts'
import { saveChanges } from './sets/save-changes.ts'

export interface PreviewedChange {
  readonly aggregate: PlanAggregate
  readonly change: DecidedChange
  readonly orders: readonly PreviewedOrder[]
}

/** The number of reference/billing-changes#request. */
const PREVIEWED_ORDERS = 3

export async function previewPlanChange(
  ctx: BillingContext,
  { businessId }: Caller,
  id: string,
  request: PlanChangeRequest,
): Promise<PreviewedChange> {
  throwIfRefused(refuseInconsistent(request))
  const preview = async (tx: Tx, answers: TaxAnswers) => {
    const aggregate = await requirePlan(tx, id, { answers })
    const orders = await ctx.payments.findOrders(tx, billingOrderIds(aggregate))
    const named = await findNamedByChange(tx, request)
    const [ground] = await readChangeGrounds(ctx, tx, [aggregate], orders)
    if (ground === undefined) throw errors.plan_not_found()
    const { change, read } = accepted(decideChange(ground, { request, named }))
    const scheduled =
      change.state === 'applied'
        ? undefined
        : { items: read.wanted.items, config: read.wanted.rhythm?.config ?? null }
    const next = previewOrders(change.aggregate, change.items, PREVIEWED_ORDERS, scheduled)
    answers.requireAll()
    return { aggregate: change.aggregate, change, orders: next }
  }
  const work = (answers: TaxAnswers) =>
    ctx.db.transact(businessId, (tx) => preview(tx, answers), { isSnapshot: true })
  return ctx.taxes.withEngine(businessId, work, true)
}

export async function changePlanItems(
  ctx: BillingContext,
  caller: Caller,
  id: string,
  request: PlanChangeRequest,
): Promise<AppliedChange> {
  throwIfRefused(refuseInconsistent(request))
  return onceUnlessConcurrent(ctx, caller, async (tx, answers) => {
    const { apply } = await changeOfOne(ctx, tx, id, request, answers)
    return apply()
  })
}

/** Locks the plan and decides its change. `apply` makes it in the same transaction. */
export async function changeOfOne(
  ctx: BillingContext,
  tx: Tx,
  id: string,
  request: PlanChangeRequest,
  answers: TaxAnswers,
): Promise<{ readonly decided: DecidedPlan; readonly apply: () => Promise<AppliedChange> }> {
  const { decided, refused, locked } = await lockAndDecide(ctx, tx, [id], request, answers)
  const [one] = decided
  if (one === undefined) throw refused.get(id) ?? new ConcurrentPlanChange(id)
  const apply = async () => {
    const [done] = await saveChanges(ctx, tx, decided, locked)
    if (done === undefined) throw new Error(`the change of plan ${id} was not saved`)
    const { change, aggregate, order, at } = done
    const view = done.view ?? (await viewPlan(ctx, tx, aggregate, at))
    return { view, change: shownChange(change), order: order && { order, transactions: [] }, at }
  }
  return { decided: one, apply }
}

/**
 * Makes the same change of many plans in the caller's transaction, or only decides it in a dry run.
 * @returns what each plan is billed or why it refuses; nothing for a plan that changed before it was locked
 */
export async function changePlans(
  ctx: BillingContext,
  tx: Tx,
  ids: readonly string[],
  request: PlanChangeRequest,
  { dryRun, answers }: { readonly dryRun: boolean; readonly answers: TaxAnswers },
): Promise<ReadonlyMap<string, Money | RequestError>> {
  throwIfRefused(refuseInconsistent(request))
  const { decided, refused, locked } = await lockAndDecide(ctx, tx, ids, request, answers)
  if (!dryRun && decided.length > 0) await saveChanges(ctx, tx, decided, locked)
  const totals = decided.map(({ before, change }) => [before.plan.id, totalOf(change)] as const)
  return new Map<string, Money | RequestError>([...totals, ...refused])
}

/** Orders are locked before their plans. If a plan then has other orders, another change came first, and the plan is left out. */
async function lockAndDecide(
  ctx: BillingContext,
  tx: Tx,
  ids: readonly string[],
  request: PlanChangeRequest,
  answers: TaxAnswers,
) {
  const found = await loadPlans(tx, { planIds: ids, bills: false })
  const orderIdsOf = new Map([...found].map(([id, aggregate]) => [id, billingOrderIds(aggregate)]))
  const named = await findNamedByChange(tx, request)
  const locked = await ctx.payments.lockOrdersToCredit(tx, [...orderIdsOf.values()].flat())
  const plans = await loadPlans(tx, { planIds: [...found.keys()], lock: 'wait', answers })
  const unchanged = [...plans.values()].filter(
    (aggregate) => billingOrderIds(aggregate).join() === orderIdsOf.get(aggregate.plan.id)?.join(),
  )
  const decided: DecidedPlan[] = []
  const refused = new Map<string, RequestError>()
  for (const id of ids) if (!found.has(id)) refused.set(id, errors.plan_not_found())
  const grounds = await readChangeGrounds(ctx, tx, unchanged, locked.orders)
  const changes = grounds.map((ground) => ({
    id: ground.aggregate.plan.id,
    change: decideChange(ground, { request, named }),
  }))
  answers.requireAll()
  for (const { id, change } of changes) {
    const held = 'refused' in change ? errorOfRefusal(change) : heldToTotal(change)
    if (held instanceof RequestError) refused.set(id, held)
    else decided.push(held)
  }
  const closed = await refusedToday(ctx, tx, decided.some(issuesDocuments))
  if (closed === null) return { decided, refused, locked }
  for (const one of decided) if (issuesDocuments(one)) refused.set(one.before.plan.id, closed)
  return { decided: decided.filter((one) => !issuesDocuments(one)), refused, locked }
}

function issuesDocuments({ before: { plan }, change: { order, credits } }: DecidedPlan): boolean {
  return plan.invoicing !== null && (order !== null || credits.length > 0)
}

function heldToTotal(decided: DecidedPlan): DecidedPlan | RequestError {
  const { expectedTotal } = decided.read
  const total = totalOf(decided.change)
  if (expectedTotal === undefined || total.equals(expectedTotal)) return decided
  return errors.total_changed({ param: 'change.expected_total', data: { total } })
}

export async function removePendingChange(
  ctx: BillingContext,
  caller: Caller,
  id: string,
): Promise<PlanView> {
  return voidingAwaited(ctx, caller, async (hasVoided) =>
    once(ctx.db, caller, async (tx) => {
      const before = await requirePlan(tx, id, { lock: 'wait' })
      refuseAwaiting(before)
      const { pendingChange } = before.plan
      if (pendingChange === null && hasVoided) return viewPlan(ctx, tx, before, tx.now)
      if (pendingChange === null) throw errors.nothing_scheduled()
      const after = withEvent(withPlan(before, { pendingChange: null }), { type: 'plan.change_removed' })
      return savePlan(ctx, tx, { before, after, at: timeOfChange(before.plan, tx.now) })
    }),
  )
}
