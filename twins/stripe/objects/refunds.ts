import type Stripe from 'stripe'
import { decimalOf } from '../currency.ts'
import { invalidRequest, unexpectedState } from '../errors.ts'
import { type Form, mergeMetadata, oneOf, refuseUnknown, text, whole } from '../form.ts'
import { idOf, type Row, type Tx } from '../store.ts'
import { bookLine } from './balance.ts'
import { newRefund } from './charges.ts'
import { recordEvent } from './events.ts'
import { cardOf } from './payment-methods.ts'

const PARAMS = [
  'amount', 'charge', 'currency', 'customer', 'instructions_email', 'metadata', 'origin', 'payment_intent', 'reason',
  'refund_application_fee', 'reverse_transfer',
] // prettier-ignore
/** How long a refund that starts as pending, or fails later, takes. */
const SETTLES_AFTER_SECONDS = 5

export function createRefund(tx: Tx, form: Form): Stripe.Refund {
  refuseUnknown(form, PARAMS)
  const { object: charge } = chargeToRefund(tx, form)
  const left = charge.amount - charge.amount_refunded
  if (left === 0) {
    throw unexpectedState(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
    })
  }
  if (charge.disputed) {
    throw unexpectedState(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    })
  }
  const amount = whole(form, 'amount') ?? left
  if (amount < 1) {
    throw invalidRequest('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' })
  }
  if (amount > left) {
    const asked = decimalOf(amount, charge.currency)
    throw unexpectedState(
      `Refund amount (${asked}) is greater than unrefunded amount on charge (${decimalOf(left, charge.currency)})`,
      { param: 'amount' },
    )
  }
  return book(tx, charge, amount, form)
}

function chargeToRefund(tx: Tx, form: Form): Row<Stripe.Charge> {
  const intentId = text(form, 'payment_intent')
  const chargeId = text(form, 'charge')
  if (intentId === undefined && chargeId === undefined) {
    throw invalidRequest(
      'One of the following params should be provided for this request: payment_intent or charge.',
    )
  }
  const intent =
    intentId === undefined ? undefined : tx.get('payment_intent', intentId, 'payment_intent').object
  const id = chargeId ?? (intent?.status === 'succeeded' ? idOf(intent.latest_charge) : null)
  if (id === null) {
    throw unexpectedState(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`, {
      param: 'payment_intent',
    })
  }
  const row = tx.edit('charge', id, 'charge')
  if (row.object.status === 'succeeded') return row
  throw unexpectedState(`Charge ${id} is not successful and cannot be refunded.`, { param: 'charge' })
}

function book(tx: Tx, charge: Stripe.Charge, amount: number, form: Form): Stripe.Refund {
  const behaviour = cardOf(tx.get('payment_method', charge.payment_method ?? '')).refund
  const refund = newRefund(tx, charge, amount)
  const transaction = bookLine(tx, {
    type: 'refund',
    category: 'refund',
    amount: -amount,
    currency: charge.currency,
    source: refund.id,
    description: `REFUND FOR CHARGE${charge.description === null ? '' : ` (${charge.description})`}`,
  })
  refund.balance_transaction = transaction.id
  refund.metadata = mergeMetadata({}, form)
  refund.reason = oneOf(form, 'reason', ['duplicate', 'fraudulent', 'requested_by_customer']) ?? null
  refund.status = behaviour === 'pending' ? 'pending' : 'succeeded'
  const key = refund.metadata.quittance_key ?? tx.key
  tx.insert('refund', refund, {
    ...(key !== null && { key }),
    ...(behaviour && { dueAt: tx.now + SETTLES_AFTER_SECONDS }),
  })
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount
  moveRefund(tx, refund, key ?? '', refund.status === 'pending' ? 'pending' : 'approved')
  recordEvent(tx, 'refund.created', refund)
  recordEvent(tx, 'charge.refunded', charge)
  return refund
}

function moveRefund(
  tx: Tx,
  refund: Stripe.Refund,
  key: string,
  outcome: 'approved' | 'declined' | 'pending',
): void {
  tx.move({
    key,
    operation: 'refund',
    amount: decimalOf(refund.amount, refund.currency),
    currency: refund.currency.toUpperCase(),
    outcome,
    reference: refund.id,
  })
}

export function updateRefund(tx: Tx, id: string, form: Form): Stripe.Refund {
  refuseUnknown(form, ['metadata'])
  const { object: refund } = tx.edit('refund', id)
  refund.metadata = mergeMetadata(refund.metadata ?? {}, form)
  recordEvent(tx, 'refund.updated', refund)
  return refund
}

/** Later, a pending refund succeeds, and one that cannot reach the card fails. */
export function settleRefund(tx: Tx, id: string): void {
  const { object: refund, hidden } = tx.edit('refund', id)
  delete hidden.dueAt
  const fails = refund.status === 'succeeded'
  refund.status = fails ? 'failed' : 'succeeded'
  moveRefund(tx, refund, hidden.key ?? '', fails ? 'declined' : 'approved')
  if (fails) {
    const { object: charge } = tx.edit('charge', idOf(refund.charge) ?? '')
    charge.amount_refunded -= refund.amount
    charge.refunded = false
    refund.failure_reason = 'expired_or_canceled_card'
    refund.failure_balance_transaction = bookLine(tx, {
      type: 'refund_failure',
      category: 'refund_failure',
      amount: refund.amount,
      currency: refund.currency,
      source: refund.id,
    }).id
    recordEvent(tx, 'refund.failed', refund)
  }
  recordEvent(tx, 'refund.updated', refund)
  recordEvent(tx, 'charge.refund.updated', refund)
}
