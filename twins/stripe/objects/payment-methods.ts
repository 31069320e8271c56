import type Stripe from 'stripe'
import { invalidRequest, missing, StripeError } from '../errors.ts'
import { type Form, mergeMetadata, nested, oneOf, refuseUnknown, required, text, whole } from '../form.ts'
import { type Hidden, idOf, newStripeId, type Row, type Tx } from '../store.ts'
import {
  type Decline,
  fingerprintOf,
  passesLuhn,
  type TestCard,
  testCardNamed,
  testCardOf,
} from '../test-cards.ts'
import { readAddress } from './customers.ts'
import { recordEvent } from './events.ts'

const PARAMS = [
  'allow_redisplay',
  'billing_details',
  'card',
  'metadata',
  'type',
  'radar_options',
  'payment_method_data',
]
const READY_MADE = /^pm_card_(\w+)$/
const NO_CARD: TestCard = {
  names: [],
  number: '',
  brand: 'visa',
  funding: 'credit',
  country: 'US',
}

type MethodRow = Row<Stripe.PaymentMethod>

export function cardOf({ hidden }: { hidden: Hidden }): TestCard {
  return testCardNamed(hidden.card ?? '') ?? NO_CARD
}

export function createPaymentMethod(tx: Tx, form: Form): Stripe.PaymentMethod {
  refuseUnknown(form, PARAMS)
  return newMethod(tx, form).object
}

/** Also for `payment_method_data`. */
export function newMethod(tx: Tx, form: Form): MethodRow {
  required(form, 'type')
  oneOf(form, 'type', ['card'])
  const card = nested(form, 'card')
  if (card === undefined) throw parameterMissing('card')
  const token = text(card, 'token')
  const known = token === undefined ? undefined : testCardNamed(token.replace(/^tok_/, ''))
  if (token !== undefined && known === undefined) throw missing('token', token, 'card[token]')
  if (known) return newCardMethod(tx, form, known, nextYear(tx), false)
  const number = required(card, 'number').replaceAll(/[ -]/g, '')
  if (!passesLuhn(number)) {
    throw cardError({ code: 'incorrect_number', message: 'Your card number is incorrect.', param: 'number' })
  }
  const test = tx.livemode ? NO_CARD : testCardOf(number)
  if (test === undefined) {
    throw cardError({
      code: 'card_declined',
      decline_code: 'test_mode_live_card',
      message: 'Your card was declined. Your request was in test mode, but used a non test card.',
    })
  }
  return newCardMethod(tx, form, { ...test, number }, readExpiry(tx, card), text(card, 'cvc') !== undefined)
}

function parameterMissing(param: string): StripeError {
  return invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
}

function cardError(members: { code: string; message: string; [member: string]: unknown }): StripeError {
  return new StripeError(402, { type: 'card_error', ...members })
}

interface Expiry {
  readonly month: number
  readonly year: number
}

function nextYear(tx: Tx): Expiry {
  const now = new Date(tx.now * 1000)
  return { month: now.getUTCMonth() + 1, year: now.getUTCFullYear() + 1 }
}

function readExpiry(tx: Tx, card: Form): Expiry {
  if (card.exp_month === undefined) throw parameterMissing('card[exp_month]')
  if (card.exp_year === undefined) throw parameterMissing('card[exp_year]')
  const month = whole(card, 'exp_month') ?? 0
  const given = whole(card, 'exp_year') ?? 0
  const year = given < 100 ? 2000 + given : given
  if (month < 1 || month > 12) {
    const message = "Your card's expiration month is invalid."
    throw cardError({ code: 'invalid_expiry_month', message, param: 'exp_month' })
  }
  const now = new Date(tx.now * 1000)
  if (year * 12 + month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1) {
    const message = "Your card's expiration year is invalid."
    throw cardError({ code: 'invalid_expiry_year', message, param: 'exp_year' })
  }
  return { month, year }
}

function newCardMethod(tx: Tx, form: Form, card: TestCard, expiry: Expiry, hasCvc: boolean): MethodRow {
  const details: Stripe.PaymentMethod.Card = {
    brand: card.brand,
    checks: {
      address_line1_check: null,
      address_postal_code_check: null,
      cvc_check: hasCvc ? 'unchecked' : null,
    },
    country: card.country,
    display_brand: card.brand,
    exp_month: expiry.month,
    exp_year: expiry.year,
    fingerprint: fingerprintOf(card.number),
    funding: card.funding,
    generated_from: null,
    last4: card.number.slice(-4),
    networks: { available: [card.brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: card.brand !== 'amex' },
    wallet: null,
  }
  const hidden: Hidden = card.names[0] === undefined ? {} : { card: card.names[0] }
  return insertMethod(tx, form, details, hidden)
}

function insertMethod(tx: Tx, form: Form, card: Stripe.PaymentMethod.Card, hidden: Hidden): MethodRow {
  const billing = nested(form, 'billing_details') ?? {}
  const method: Stripe.PaymentMethod = {
    id: newStripeId('payment_method'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: {
      address: readAddress(nested(billing, 'address') ?? {}),
      email: text(billing, 'email') ?? null,
      name: text(billing, 'name') ?? null,
      phone: text(billing, 'phone') ?? null,
      tax_id: null,
    },
    created: tx.now,
    customer: null,
    customer_account: null,
    livemode: tx.livemode,
    metadata: mergeMetadata({}, form),
    type: 'card',
    card,
  }
  return tx.insert('payment_method', method, hidden)
}

/** A method by id; a ready-made one, such as `pm_card_visa`, becomes a new method each time that it is used. */
export function useMethod(tx: Tx, id: string, param = 'payment_method'): MethodRow {
  const name = READY_MADE.exec(id)?.[1]
  if (name === undefined) return tx.edit('payment_method', id, param)
  const card = testCardNamed(name)
  if (card === undefined || tx.livemode) throw missing('PaymentMethod', id, param)
  const row = newCardMethod(tx, {}, card, nextYear(tx), true)
  if (row.object.card?.checks) row.object.card.checks.cvc_check = 'pass'
  return row
}

export function attachPaymentMethod(tx: Tx, id: string, form: Form): Stripe.PaymentMethod {
  refuseUnknown(form, ['customer', 'customer_account'])
  const row = useMethod(tx, id)
  const customer = required(form, 'customer')
  tx.get('customer', customer, 'customer')
  if (idOf(row.object.customer) === customer) return row.object
  if (row.object.customer !== null) {
    throw invalidRequest('The payment method you provided has already been attached to a customer.', {
      code: 'payment_method_unexpected_state',
    })
  }
  if (row.hidden.isConsumed === true) throw alreadyUsed()
  const { decline, attachesThoughDeclined } = cardOf(row)
  if (decline && !attachesThoughDeclined)
    throw new StripeError(402, { ...declineMembers(decline), param: '' })
  attachTo(tx, row, customer)
  return row.object
}

export function attachTo(tx: Tx, row: MethodRow, customer: string): void {
  row.object.customer = customer
  if (row.object.card?.checks) row.object.card.checks.cvc_check = 'pass'
  recordEvent(tx, 'payment_method.attached', row.object)
}

export function detachPaymentMethod(tx: Tx, id: string): Stripe.PaymentMethod {
  const row = tx.edit('payment_method', id, 'payment_method')
  if (row.object.customer === null) {
    throw invalidRequest(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
    )
  }
  row.object.customer = null
  row.hidden.isConsumed = true
  recordEvent(tx, 'payment_method.detached', row.object)
  return row.object
}

export function updatePaymentMethod(tx: Tx, id: string, form: Form): Stripe.PaymentMethod {
  refuseUnknown(form, ['allow_redisplay', 'billing_details', 'card', 'metadata'])
  const { object: method } = tx.edit('payment_method', id, 'payment_method')
  const card = nested(form, 'card')
  if (card && method.card) {
    method.card.exp_month = whole(card, 'exp_month') ?? method.card.exp_month
    method.card.exp_year = whole(card, 'exp_year') ?? method.card.exp_year
  }
  method.metadata = mergeMetadata(method.metadata ?? {}, form)
  recordEvent(tx, 'payment_method.updated', method)
  return method
}

/** What the card networks' updater does: new digits or a new expiry of a stored card. */
export function renewCard(
  tx: Tx,
  id: string,
  renewal: { last4?: string; month?: number; year?: number },
): object {
  const { object: method } = tx.edit('payment_method', id, 'payment_method')
  if (method.card) {
    method.card.last4 = renewal.last4 ?? method.card.last4
    method.card.exp_month = renewal.month ?? method.card.exp_month
    method.card.exp_year = renewal.year ?? method.card.exp_year + 3
  }
  recordEvent(tx, 'payment_method.automatically_updated', method)
  return method
}

export function alreadyUsed(): StripeError {
  return invalidRequest(
    'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
    { param: 'payment_method' },
  )
}

export function declineMembers(decline: Decline) {
  return {
    type: 'card_error',
    advice_code: decline.adviceCode,
    code: decline.code,
    decline_code: decline.declineCode,
    message: decline.message,
    network_decline_code: decline.networkCode,
  } as const
}
