import { catalogueErrors as errors } from '#modules/catalogue'
import {
  type AcquirerResult,
  type Charge,
  failureOf,
  paymentErrors,
  type PaymentResult,
  retryRecording,
} from '#modules/payments'
import {
  type AwaitedPayment,
  awaitPayment,
  type DecidedChange,
  hasOpenOrder,
  insertPlanOrders,
  type OrderBill,
  orderToPayFirst,
  requirePlan,
  savePlans,
  updatePaidFirst,
  viewPlan,
  waitingOrder,
  withPlan,
  throwIfRefused,
} from '#modules/plans'
import type { RequestError } from '#kernel/errors'
import type { Caller } from '#platform/caller'
import { errorEnvelope } from '#platform/envelope'
import {
  claimIdempotencyKey,
  type IdempotencyId,
  keepReply,
  storeReply,
} from '#platform/idempotency/idempotency'
import type { TaxAnswers } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import { retryIfConcurrent } from '../concurrent-change.ts'
import type { BillingContext } from '../context.ts'
import { tokenToSend } from '../dunning/initiate-attempts.ts'
import { createNumberedOrders, newPlanOrder } from '../orders/create-plan-order.ts'
import { findRefusedTokens } from '../storage/refused-token.repository.ts'
import { type AppliedChange, shownChange } from '../paid-first/applied-change.ts'
import { changeWasRemoved } from '../paid-first/paid-first-changes.ts'
import { changeOfOne } from './apply-plan-change.ts'
import type { DecidedPlan } from './decide-change.ts'
import type { PlanChangeRequest } from './change-request.ts'
import { refuseInconsistent } from './read-change.ts'
import { withStoredConfigsOf } from './sets/save-changes.ts'

interface InitiatedCharge {
  readonly charge: Charge
  readonly change: DecidedChange
  readonly idempotencyId: IdempotencyId
}

/**
 * Charges the order of a change, and makes the change only if the order is paid (reference/billing-changes#paid-first). The
 * change itself takes place where every outcome arrives, in `applyOrderChanges`.
 */
export async function changePaidFirst(
  ctx: BillingContext,
  caller: Caller,
  id: string,
  request: PlanChangeRequest,
): Promise<AppliedChange> {
  throwIfRefused(refuseInconsistent(request))
  const { businessId } = caller
  const initiate = (answers: TaxAnswers) =>
    ctx.db.transact(businessId, async (tx): Promise<AppliedChange | InitiatedCharge> => {
      const idempotencyId = await claimIdempotencyKey(tx, caller)
      const { decided, apply } = await changeOfOne(ctx, tx, id, request, answers)
      const bill = orderToPayFirst(decided.change)
      if (bill !== undefined) {
        const reply = idempotencyId === null ? null : { idempotencyId, requestId: caller.requestId }
        return { ...(await initiateCharge(ctx, tx, decided, { bill, reply })), idempotencyId }
      }
      const applied = await apply()
      await keepReply(tx, idempotencyId, caller, applied)
      return applied
    })
  const initiated = await retryIfConcurrent(() => ctx.taxes.withEngine(businessId, initiate))
  if ('view' in initiated) return initiated
  const recorded = await ctx.payments.performWithFallbacks(initiated.charge, (charge, outcome) =>
    record(ctx, caller, id, { ...initiated, charge }, outcome),
  )
  if (recorded.failure !== null) throw recorded.failure
  return recorded.applied
}

async function initiateCharge(
  ctx: BillingContext,
  tx: Tx,
  decided: DecidedPlan,
  { bill, reply }: { readonly bill: OrderBill; readonly reply: AwaitedPayment['reply'] },
): Promise<Omit<InitiatedCharge, 'idempotencyId'>> {
  const { before, at, read } = decided
  const { customerUuid } = before.plan
  const tokens = await ctx.customers.defaultTokens(tx, [customerUuid])
  const token = tokenToSend(tokens.get(customerUuid), await findRefusedTokens(tx, tokens), at)
  if (token === undefined) throw errors.no_payment_token({ declineCode: 'no_payment_token' })
  if (hasOpenOrder(before)) {
    throw errors.plan_not_changeable({
      param: 'change.only_if_paid',
      message:
        'An order of the plan is unpaid. It must be paid first, or the change made without only_if_paid.',
    })
  }
  const [change = decided.change] = await withStoredConfigsOf(tx, [decided])
  const waiting = awaitPayment(before, change, read.wanted, { bill, reply })
  const { pendingChange } = waiting.plan
  const created = await createNumberedOrders(ctx, tx, [
    { aggregate: before, bill, at, reserved: bill.lines.total, isInvoicedOncePaid: true },
  ])
  const made = created.get(bill.orderId)
  if (made === undefined || pendingChange?.payment == null)
    throw new Error(`order ${bill.orderId} was not created`)
  const { order, suffix } = made
  const planOrder = waitingOrder(
    newPlanOrder(before.plan.id, order, bill, suffix),
    before.plan,
    pendingChange.payment.until,
  )
  await insertPlanOrders(tx, [{ ...planOrder, periodStart: bill.period.start }])
  await updatePaidFirst(tx, [planOrder])
  const after = withPlan({ ...waiting, orders: [...waiting.orders, planOrder] }, { lastSuffix: suffix })
  await savePlans(ctx, tx, [{ before, after, at }])
  const [charge] = await ctx.payments.initiateCharges(
    tx,
    [{ orderId: order.id, type: 'Sales', amount: order.initialTotal, token, payerPresent: true, at }],
    [order],
  )
  if (charge === undefined) throw new Error(`order ${order.id} was not charged`)
  if ('refused' in charge) throw paymentErrors[charge.refused]({ param: 'change.only_if_paid' })
  return { charge, change }
}

type Recorded = Pick<PaymentResult, 'fallback'> &
  ({ readonly failure: RequestError } | { readonly failure: null; readonly applied: AppliedChange })

/** A declined order is voided with the decline, so that nobody pays for a change that does not take place. */
function record(
  ctx: BillingContext,
  caller: Caller,
  planId: string,
  { charge, change, idempotencyId }: InitiatedCharge,
  outcome: AcquirerResult,
): Promise<Recorded> {
  const write = async (tx: Tx): Promise<Recorded> => {
    const [result] = await ctx.payments.recordOutcomes(tx, [{ charge, outcome, at: tx.now }])
    if (result === undefined) throw new Error(`the charge of order ${charge.order.id} was not recorded`)
    const { fallback } = result
    const failure = await failureOfChange(ctx, tx, result)
    if (failure !== null && fallback !== null) return { failure, fallback }
    if (failure !== null) {
      await storeReply(tx, idempotencyId, failure.status, errorEnvelope(failure, caller.requestId))
      return { failure, fallback }
    }
    const aggregate = await requirePlan(tx, planId)
    const view = await viewPlan(ctx, tx, aggregate, result.at)
    const order = (await ctx.payments.findOrders(tx, [charge.order.id])).get(charge.order.id)
    const applied: AppliedChange = { view, change: shownChange(change), order, at: result.at }
    await keepReply(tx, idempotencyId, caller, applied)
    return { failure: null, applied, fallback }
  }
  return retryRecording(() => ctx.db.transact(caller.businessId, write))
}

async function failureOfChange(
  ctx: BillingContext,
  tx: Tx,
  result: PaymentResult,
): Promise<RequestError | null> {
  const { kind, order, transaction, fallback } = result
  const isUnresolved = kind === 'pending' || kind === 'unknown'
  if ((kind === 'done' || isUnresolved) && order.voiding !== null) return changeWasRemoved()
  if (kind === 'done') return null
  const url = transaction.nextAction?.url
  if (kind === 'pending' && url !== undefined)
    return errors.payment_action_required({ data: { verify_url: url } })
  if (isUnresolved || fallback !== null)
    return paymentErrors.outcome_unknown({ data: ctx.present.payment(result) })
  await ctx.payments.voidOrders(tx, [{ orderId: order.id, at: result.at }])
  const current = (await ctx.payments.findOrders(tx, [order.id])).get(order.id)
  const data = ctx.present.payment(current === undefined ? result : { ...result, ...current })
  return failureOf(result, { data })
}
