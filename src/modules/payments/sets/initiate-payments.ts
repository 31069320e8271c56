import type { RequestError } from '#kernel/errors'
import { customerErrors, type PaymentToken, whyNotChargeable } from '#modules/customers'
import { type Outcome, outcomeOf } from '#platform/batches/batches'
import { claimingKeys } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import { type OrderIdentifiers, orderParam, referenceTaken } from '../requests/identifiers.ts'
import type { Charge, ChargeRefusal, NewCharge } from '../model/charge.ts'
import { type PayOrderRequest, REFERENCE_PARAM } from '../charges/pay-order-request.ts'
import type { Payment, PaymentsContext } from '../context.ts'
import { initiateLockedCharges } from './initiate-charges.ts'
import { readPositiveAmount } from '../requests/amounts.ts'
import { dueTotal, type Order } from '../model/order.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import { byAnyIdentifier } from '../storage/order-selector.ts'
import { lockAggregates, PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'
import { findByReferences } from '../storage/transaction.repository.ts'

export function initiatePayments(
  ctx: PaymentsContext,
  tx: Tx,
  payments: readonly Payment[],
): Promise<Outcome<Charge>[]> {
  return claimingKeys(tx, payments, async (keyed) => {
    const requests = keyed.map(({ request: { request } }) => request)
    const [aggregates, tokens, taken] = await Promise.all([
      lockAggregates(tx, byAnyIdentifier(requests.map(({ order }) => order))),
      ctx.customers.findTokens(tx, [
        ...new Set(requests.map(({ transaction }) => transaction.payment_token)),
      ]),
      findByReferences(tx, [
        ...new Set(requests.flatMap(({ transaction }) => transaction.reference_id ?? [])),
      ]),
    ])
    const unit = new PaymentUnitOfWork(ctx, tx, aggregates)
    const named = ordersByName(aggregates)
    const references = new Set<string>()
    const wanted = keyed.map(({ request: { caller, request }, idempotencyId }): Outcome<NewCharge> => {
      const { reference_id: reference } = request.transaction
      // The outcome of the first payment with this reference is not known yet.
      if (reference !== undefined && references.has(reference)) return { kind: 'alone' }
      if (reference !== undefined) references.add(reference)
      return outcomeOf(() => {
        const order = named(request.order)
        if (order === undefined) throw errors.order_not_found({ param: orderParam(request.order) })
        if (reference !== undefined && taken.has(reference))
          throw referenceTaken(REFERENCE_PARAM, taken.get(reference))
        const token = tokens.get(request.transaction.payment_token)
        return newCharge(order, request, chargeableToken(order, token, tx), {
          reply: { idempotencyId, requestId: caller.requestId },
          at: tx.now,
        })
      })
    })
    const initiated = (
      await initiateLockedCharges(
        ctx,
        unit,
        wanted.flatMap((outcome) => (outcome.kind === 'done' ? [outcome.value] : [])),
      )
    ).values()
    return wanted.map((outcome): Outcome<Charge> => {
      if (outcome.kind !== 'done') return outcome
      const charge = initiated.next().value
      if (charge === undefined) throw new Error(`order ${outcome.value.orderId} has no charge`)
      if (!('refused' in charge)) return { kind: 'done', value: charge }
      const { order } = unit.aggregate(charge.orderId)
      return { kind: 'refused', error: refusal(charge.refused, order) }
    })
  })
}

function newCharge(
  order: Order,
  { transaction }: PayOrderRequest,
  token: PaymentToken,
  given: Required<Pick<NewCharge, 'reply' | 'at'>>,
): NewCharge {
  return {
    ...given,
    orderId: order.id,
    type: transaction.type,
    token,
    payerPresent: true,
    referenceId: transaction.reference_id ?? null,
    amount: readPositiveAmount(order.currency, transaction.amount, 'transaction.amount'),
  }
}

function ordersByName(aggregates: readonly OrderAggregate[]): (order: OrderIdentifiers) => Order | undefined {
  const byNumber = new Map(aggregates.map(({ order }) => [order.id, order]))
  const byReference = new Map(aggregates.map(({ order }) => [order.referenceNumber, order]))
  return ({ number, reference_number: reference }) => {
    const order = number === undefined ? byReference.get(reference ?? '') : byNumber.get(number)
    return reference === undefined || order?.referenceNumber === reference ? order : undefined
  }
}

function chargeableToken(order: Order, token: PaymentToken | undefined, tx: Tx): PaymentToken {
  const param = 'transaction.payment_token'
  if (token === undefined) throw customerErrors.payment_token_not_found({ param })
  if (order.customerUuid !== null && token.customerUuid !== order.customerUuid) {
    throw errors.payment_token_of_another_customer({ param })
  }
  const why = whyNotChargeable(token, tx.now)
  if (why === null) return token
  const message =
    why === 'payment_token_expired' ? 'The card has expired.' : 'The payment token is not active.'
  throw errors.payment_token_not_chargeable({ param, message })
}

function refusal(reason: ChargeRefusal, order: Order): RequestError {
  switch (reason) {
    case 'order_not_found':
      return errors.order_not_found()
    case 'order_not_payable':
      return errors.order_not_payable({ message: `The order cannot be paid: it is ${whyNotPayable(order)}.` })
    case 'amount_too_large':
      return errors.amount_too_large({
        param: 'transaction.amount',
        message: 'transaction.amount must not exceed the unpaid total.',
      })
    case 'payment_in_progress':
      return errors.payment_in_progress()
    case 'no_account_for_payment':
      return errors.no_account_for_payment({ param: 'transaction.payment_token' })
  }
}

function whyNotPayable(order: Order): string {
  if (order.state === 'completed') return dueTotal(order).isPositive() ? 'partly refunded' : 'paid'
  if (order.state !== 'open') return order.state
  return order.voiding === null ? 'expired' : 'being voided'
}
