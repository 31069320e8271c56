import type { Instant } from '#kernel/clock'
import { errorOf } from '#kernel/errors'
import { customerErrors, type PaymentToken } from '#modules/customers'
import { type Outcome, outcomeOf } from '#platform/batches/batches'
import { claimingKeys } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import { orderNotFound, referenceTaken } from '../requests/identifiers.ts'
import type { Charge, NewCharge } from '../model/charge.ts'
import { decideToken, refusalOfPayment } from '../charges/decide-payment.ts'
import { type PayOrderRequest, REFERENCE_PARAM } from '../charges/pay-order-request.ts'
import { type Payment, type PaymentsContext, routerOf } from '../context.ts'
import { shownWallet } from '../model/shown-instrument.ts'
import { initiateLockedCharges } from './initiate-charges.ts'
import { readPositiveAmount } from '../requests/amounts.ts'
import type { Order } from '../model/order.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import { byAnyIdentifier } from '../storage/order-selector.ts'
import { lockAggregates, PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'
import { findByReferences } from '../storage/transaction.repository.ts'
import type { OrderIdentifiers } from '../model/order-requests.ts'

const TOKEN_ERRORS = { ...errors, ...customerErrors }

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
        ...new Set(requests.flatMap(({ transaction }) => transaction.payment_token ?? [])),
      ]),
      findByReferences(tx, [
        ...new Set(requests.flatMap(({ transaction }) => transaction.reference_id ?? [])),
      ]),
    ])
    const hasWallets = requests.some(({ transaction }) => transaction.payment_method !== undefined)
    const router = hasWallets ? await routerOf(ctx, tx.businessId) : null
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
        if (order === undefined) throw orderNotFound(request.order)
        if (reference !== undefined && taken.has(reference))
          throw referenceTaken(REFERENCE_PARAM, taken.get(reference))
        return newCharge(order, request, instrumentOf(order, request, tokens, tx.now), {
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
      const refusal = refusalOfPayment(charge, order, outcome.value, router)
      return { kind: 'refused', error: errorOf(errors, refusal) }
    })
  })
}

function instrumentOf(
  order: Order,
  { transaction }: PayOrderRequest,
  tokens: ReadonlyMap<string, PaymentToken>,
  at: Instant,
): Pick<NewCharge, 'token' | 'direct'> {
  const { type, payment_token, payment_method: method, payer_device, return_url } = transaction
  if (method !== undefined) {
    const device = payer_device ?? 'desktop'
    const direct = { instrument: { type: method, autoDebit: false, device }, accountId: null } as const
    return { token: null, direct: { ...direct, shown: shownWallet(method, return_url) } }
  }
  const token = decideToken(order, tokens.get(payment_token ?? ''), at)
  if ('refused' in token) throw errorOf(TOKEN_ERRORS, token)
  const isAgreement = token.tokenType !== 'CreditCard' && token.acquirerToken !== null
  if (isAgreement && type === 'Authorization') throw errors.sales_only({ param: 'transaction.type' })
  return { token }
}

function newCharge(
  order: Order,
  { transaction }: PayOrderRequest,
  instrument: Pick<NewCharge, 'token' | 'direct'>,
  given: Required<Pick<NewCharge, 'reply' | 'at'>>,
): NewCharge {
  return {
    ...given,
    orderId: order.id,
    type: transaction.type,
    ...instrument,
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
