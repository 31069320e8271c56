import { timeOfChange } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { leaseNow, type Router } from '#modules/acquirers'
import type { Tx } from '#platform/postgres/database'
import type { Charge, NewCharge, RefusedCharge } from '../model/charge.ts'
import { chooseAccounts, isSimulator, NO_ACCOUNT } from '../charges/choose-account.ts'
import { routerOf, type PaymentsContext } from '../context.ts'
import { decidePayment } from '../model/decide-amount.ts'
import { attemptId, newPayment } from '../charges/new-payment.ts'
import type { Order } from '../model/order.ts'
import { OrderAggregate } from '../model/order-aggregate.ts'
import { initiatePayment } from '../operations/initiate.ts'
import { paymentLink } from '../links/order-links.ts'
import { firstInquiryAt } from '../outcomes/inquiry-schedule.ts'
import { extendOperationLeases } from '../storage/operation.repository.ts'
import { byIds } from '../storage/order-selector.ts'
import { lockAggregates, PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'

/**
 * Locks the orders in the order of their ids, reserves the amounts and writes `initiated` transactions.
 * @param created orders that this database transaction created. Nobody else sees them yet, so they are neither locked nor
 *   read.
 */
export async function initiateCharges(
  ctx: PaymentsContext,
  tx: Tx,
  charges: readonly NewCharge[],
  created: readonly Order[],
): Promise<(Charge | RefusedCharge)[]> {
  const createdIds = new Set(created.map((order) => order.id))
  const existing = new Set(charges.map(({ orderId }) => orderId).filter((id) => !createdIds.has(id)))
  const locked = existing.size === 0 ? [] : await lockAggregates(tx, byIds([...existing]))
  const unit = new PaymentUnitOfWork(ctx, tx, [
    ...created.map((order) => OrderAggregate.createdForCharges(order)),
    ...locked,
  ])
  return initiateLockedCharges(ctx, unit, charges)
}

export async function initiateLockedCharges(
  ctx: PaymentsContext,
  unit: PaymentUnitOfWork,
  charges: readonly NewCharge[],
): Promise<(Charge | RefusedCharge)[]> {
  if (charges.length === 0) return []
  const router = await routerOf(ctx, unit.tx.businessId)
  const reserved = charges.map((charge) => reserve(ctx, unit, charge, router))
  await unit.write()
  return reserved.map((one) => (typeof one === 'function' ? one() : one))
}

/** @returns the charge, to be called once its transaction is written and has its receipt number */
function reserve(
  ctx: PaymentsContext,
  unit: PaymentUnitOfWork,
  newCharge: NewCharge,
  router: Router,
): (() => Charge) | RefusedCharge {
  const { businessId } = unit.tx
  const { orderId, token, direct = null, payerPresent, reply } = newCharge
  const aggregate = unit.aggregates.get(orderId)
  if (aggregate === undefined) return { refused: 'order_not_found', orderId }
  const at = timeOfChange(aggregate.order, newCharge.at)
  const decision = decidePayment(aggregate.order, newCharge.amount, at)
  if ('refused' in decision) return { ...decision, orderId }
  const accounts = chooseAccounts(router, aggregate.order, newCharge, decision.amount)
  // An attempt off session fails with a reason instead, so that dunning continues.
  if (accounts.length === 0 && payerPresent) return { refused: 'no_account_for_payment', orderId }
  const [account = NO_ACCOUNT, ...fallbacks] = accounts
  const transactionId = payerPresent ? newId('txn') : attemptId(aggregate.order, aggregate.transactions)
  const payment = newPayment(aggregate.order, { ...newCharge, at }, decision.amount, account, transactionId)
  const operation = initiatePayment(unit, aggregate, payment, {
    at,
    status: 'sent',
    payerPresent,
    fallbackAccounts: fallbacks.map(({ id }) => id),
    ...(direct?.keepAs && { keepAs: direct.keepAs }),
    ...(reply && { reply }),
  })
  // A real acquirer may ask for the payer's confirmation off session, too.
  const needsReturnUrl = payerPresent || !isSimulator(account)
  return () => {
    const { order } = aggregate
    const returnUrl = needsReturnUrl ? paymentLink(ctx.links, businessId, order, at) : null
    const transaction = aggregate.transaction(transactionId)
    return { businessId, order, transaction, operation, token, direct, returnUrl, at }
  }
}

/** @returns the number of charges whose lease was still held */
export function extendChargeLeases(tx: Tx, charges: readonly Charge[]): Promise<number> {
  const operations = charges.map(({ operation }) => operation)
  return extendOperationLeases(tx, operations, {
    dueAt: firstInquiryAt(tx.now),
    leasedUntil: leaseNow().until,
  })
}
