import type { RequestError } from '#kernel/errors'
import { methodCurrencies, type Router } from '#modules/acquirers'
import { customerErrors, type PaymentToken, whyNotChargeable } from '#modules/customers'
import { type Outcome, outcomeOf } from '#platform/batches/batches'
import { claimingKeys } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import { orderNotFound, referenceTaken } from '../requests/identifiers.ts'
import type { Charge, RefusedCharge, NewCharge } from '../model/charge.ts'
import { type PayOrderRequest, REFERENCE_PARAM } from '../charges/pay-order-request.ts'
import { type Payment, type PaymentsContext, routerOf } from '../context.ts'
import { directMethod } from '../charges/new-payment.ts'
import { isWalletMethod, shownWallet } from '../model/shown-instrument.ts'
import { initiateLockedCharges } from './initiate-charges.ts'
import { readPositiveAmount } from '../requests/amounts.ts'
import { correspondenceState, type Order } from '../model/order.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import { byAnyIdentifier } from '../storage/order-selector.ts'
import { lockAggregates, PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'
import { findByReferences } from '../storage/transaction.repository.ts'
import type { OrderIdentifiers } from '../model/order-requests.ts'

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
        return newCharge(order, request, instrumentOf(order, request, tokens, tx), {
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
      return { kind: 'refused', error: refusal(charge, order, outcome.value, router) }
    })
  })
}

function instrumentOf(
  order: Order,
  { transaction }: PayOrderRequest,
  tokens: ReadonlyMap<string, PaymentToken>,
  tx: Tx,
): Pick<NewCharge, 'token' | 'direct'> {
  const { type, payment_token, payment_method: method, payer_device, return_url } = transaction
  if (method !== undefined) {
    const device = payer_device ?? 'desktop'
    const direct = { instrument: { type: method, autoDebit: false, device }, accountId: null } as const
    return { token: null, direct: { ...direct, shown: shownWallet(method, return_url) } }
  }
  const token = chargeableToken(order, tokens.get(payment_token ?? ''), tx)
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

function refusal(
  refused: RefusedCharge,
  order: Order,
  { direct }: NewCharge,
  router: Router | null,
): RequestError {
  switch (refused.refused) {
    case 'order_not_found':
      return errors.order_not_found()
    case 'order_not_payable':
      return errors.order_not_payable({ message: `The order cannot be paid: it is ${whyNotPayable(order)}.` })
    case 'amount_too_large':
      return errors.amount_too_large({
        param: 'transaction.amount',
        ...(refused.message !== undefined && { message: refused.message }),
      })
    case 'payment_in_progress':
      return errors.payment_in_progress()
    case 'no_account_for_payment':
      if (direct !== undefined) return walletRefusal(directMethod(direct), order, router)
      return errors.no_account_for_payment({ param: 'transaction.payment_token' })
  }
}

function walletRefusal(
  method: ReturnType<typeof directMethod>,
  { currency }: Order,
  router: Router | null,
): RequestError {
  const isTaken = isWalletMethod(method) && router?.takesWallet(method) === true
  const isOfFps = method !== 'fps' || methodCurrencies(method)?.includes(currency) === true
  if (isOfFps && !isTaken) return errors.wallet_not_available({ param: 'transaction.payment_method' })
  return errors.wallet_currency_not_supported({
    param: 'order.currency',
    message: `${method} cannot be paid in ${currency} here.`,
  })
}

function whyNotPayable(order: Order): string {
  if (order.state === 'completed')
    return correspondenceState(order) === 'partial_paid' ? 'partly refunded' : 'paid'
  if (order.state !== 'open') return order.state
  return order.voiding === null ? 'expired' : 'being voided'
}
