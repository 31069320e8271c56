import { timeOfChange } from '#kernel/clock'
import type { Acquirer } from '#modules/acquirers'
import type { Tx } from '#platform/postgres/database'
import type { Charge, InitiatedCharge, NewCharge, RefusedCharge } from './charge.ts'
import { acquirerOf, type PaymentsContext } from '../context.ts'
import { decidePayment } from './decide-payment.ts'
import { newPayment } from './new-payment.ts'
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
  const { environment } = await ctx.businesses.profile(businessId)
  const acquirer = await acquirerOf(ctx, businessId)
  const reservations = charges.map((charge) => reserve(unit, charge, acquirer))
  await unit.write()
  return reservations.map((reservation): InitiatedCharge => {
    if (!reservation.ok) return reservation
    const { operation, newCharge } = reservation
    const aggregate = unit.aggregate(operation.orderId)
    const { order } = aggregate
    const charge: Charge = {
      businessId,
      environment,
      order,
      transaction: aggregate.transaction(operation.transactionId),
      operation,
      token: newCharge.token,
      direct: newCharge.direct ?? null,
      returnUrl: operation.payerPresent
        ? paymentLink(ctx.links, businessId, order, operation.startedAt)
        : null,
      at: operation.startedAt,
    }
    return { ok: true, charge }
  })
}

type Reservation =
  | { readonly ok: true; readonly newCharge: NewCharge; readonly operation: Operation }
  | RefusedCharge

function reserve(unit: PaymentUnitOfWork, newCharge: NewCharge, acquirer: Acquirer): Reservation {
  const { orderId } = newCharge
  const aggregate = unit.aggregates.get(orderId)
  if (aggregate === undefined) return { ok: false, reason: 'order_not_found', orderId }
  const at = timeOfChange(aggregate.order, newCharge.at)
  const decision = decidePayment(aggregate.order, newCharge.amount, at)
  if (!decision.ok) return { ok: false, reason: decision.reason, orderId }
  const payment = newPayment(aggregate.order, { ...newCharge, at }, decision.amount, acquirer)
  const { payerPresent, reply } = newCharge
  const operation = initiatePayment(unit, aggregate, payment, {
    at,
    status: 'sent',
    payerPresent,
    ...(reply && { reply }),
  })
  return { ok: true, newCharge, operation }
}
