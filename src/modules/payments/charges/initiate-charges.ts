import { timeOfChange } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Router } from '#modules/acquirers'
import type { Tx } from '#platform/postgres/database'
import type { Charge, InitiatedCharge, NewCharge, RefusedCharge } from './charge.ts'
import { chooseAccounts, isSimulator, NO_ACCOUNT } from './choose-account.ts'
import { routerOf, type PaymentsContext } from '../context.ts'
import { decidePayment } from './decide-payment.ts'
import { attemptId, newPayment } from './new-payment.ts'
import type { Operation } from '../model/operation.ts'
import type { Order } from '../model/order.ts'
import { OrderAggregate } from '../model/order-aggregate.ts'
import { initiatePayment } from '../operations/initiate.ts'
import { paymentLink } from '../orders/order-links.ts'
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
): Promise<InitiatedCharge[]> {
  if (charges.length === 0) return []
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
): Promise<InitiatedCharge[]> {
  const { businessId } = unit.tx
  const router = await routerOf(ctx, businessId)
  const reservations = charges.map((charge) => reserve(unit, charge, router))
  await unit.write()
  return reservations.map((reservation): InitiatedCharge => {
    if (!reservation.ok) return reservation
    const { operation, newCharge } = reservation
    const aggregate = unit.aggregate(operation.orderId)
    const { order } = aggregate
    const charge: Charge = {
      businessId,
      order,
      transaction: aggregate.transaction(operation.transactionId),
      operation,
      token: newCharge.token,
      direct: newCharge.direct ?? null,
      returnUrl: reservation.needsReturnUrl
        ? paymentLink(ctx.links, businessId, order, operation.startedAt)
        : null,
      at: operation.startedAt,
    }
    return { ok: true, charge }
  })
}

type Reservation =
  | {
      readonly ok: true
      readonly newCharge: NewCharge
      readonly operation: Operation
      readonly needsReturnUrl: boolean
    }
  | RefusedCharge

function reserve(unit: PaymentUnitOfWork, newCharge: NewCharge, router: Router): Reservation {
  const { orderId } = newCharge
  const aggregate = unit.aggregates.get(orderId)
  if (aggregate === undefined) return { ok: false, reason: 'order_not_found', orderId }
  const at = timeOfChange(aggregate.order, newCharge.at)
  const decision = decidePayment(aggregate.order, newCharge.amount, at)
  if (!decision.ok) return { ok: false, reason: decision.reason, orderId }
  const accounts = chooseAccounts(router, aggregate.order, newCharge, decision.amount)
  // An attempt off session fails with a reason instead, so that dunning goes on.
  if (accounts.length === 0 && newCharge.payerPresent) {
    return { ok: false, reason: 'no_account_for_payment', orderId }
  }
  const [account = NO_ACCOUNT, ...fallbacks] = accounts
  const { payerPresent, reply } = newCharge
  const transactionId = payerPresent ? newId('txn') : attemptId(aggregate.order, aggregate.transactions)
  const payment = newPayment(aggregate.order, { ...newCharge, at }, decision.amount, account, transactionId)
  const operation = initiatePayment(unit, aggregate, payment, {
    at,
    status: 'sent',
    payerPresent,
    fallbackAccounts: fallbacks.map(({ id }) => id),
    ...(reply && { reply }),
  })
  // A real acquirer may ask for the payer's confirmation off session, too.
  return { ok: true, newCharge, operation, needsReturnUrl: payerPresent || !isSimulator(account) }
}
