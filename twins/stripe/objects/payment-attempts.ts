import type Stripe from 'stripe'
import { decimalOf } from '../currency.ts'
import { StripeError } from '../errors.ts'
import { idOf, type Row, type Tx } from '../store.ts'
import { AUTHENTICATION_REQUIRED, type Decline, type TestCard } from '../test-cards.ts'
import { captureCharge, createCharge } from './charges.ts'
import { openDispute } from './disputes.ts'
import { recordEvent } from './events.ts'
import { alreadyUsed, attachTo, cardOf, declineMembers } from './payment-methods.ts'

type IntentRow = Row<Stripe.PaymentIntent>
type MethodRow = Row<Stripe.PaymentMethod>

export interface AttemptOptions {
  readonly origin: string
  /** The payer came back from 3-D Secure. */
  readonly isAuthenticated: boolean
  readonly failsOnAction?: boolean
}

/** How long a payment with the twin's card for slow payments is `processing`. */
const PROCESSING_SECONDS = 5

/** Attempts to pay a confirmed intent. A decline throws and keeps its changes. */
export function attempt(tx: Tx, row: IntentRow, options: AttemptOptions): void {
  const { object: intent, hidden } = row
  const method = tx.edit('payment_method', idOf(intent.payment_method) ?? '', 'payment_method')
  if (method.hidden.isConsumed === true) throw alreadyUsed()
  const card = cardOf(method)
  intent.last_payment_error = null
  intent.next_action = null

  if (!options.isAuthenticated && needsChallenge(card, method, intent, hidden.offSession === true)) {
    if (hidden.offSession === true) throw decline(tx, row, method, AUTHENTICATION_REQUIRED, false)
    if (options.failsOnAction === true) throw decline(tx, row, method, AUTHENTICATION_REQUIRED, false)
    intent.status = 'requires_action'
    intent.next_action = challengeOf(intent, hidden.returnUrl, options.origin)
    recordEvent(tx, 'payment_intent.requires_action', intent)
    return
  }
  if (card.decline) throw decline(tx, row, method, card.decline, options.isAuthenticated)
  if (card.outcome !== undefined) {
    intent.status = 'processing'
    intent.processing = { type: 'card', card: {} }
    hidden.dueAt = tx.now + PROCESSING_SECONDS
    move(tx, row, 'pending')
    recordEvent(tx, 'payment_intent.processing', intent)
    return
  }
  approve(tx, row, method, options.isAuthenticated)
}

function needsChallenge(
  card: TestCard,
  method: MethodRow,
  intent: Stripe.PaymentIntent,
  offSession: boolean,
): boolean {
  const requested = intent.payment_method_options?.card?.request_three_d_secure ?? 'automatic'
  if (
    !offSession &&
    requested !== 'automatic' &&
    method.object.card?.three_d_secure_usage?.supported === true
  ) {
    return true
  }
  if (card.challenge === undefined) return false
  if (!offSession || card.challenge === 'always') return true
  return card.challenge === 'unless_set_up' && method.hidden.isSetUp !== true
}

/** Without a `return_url`, Stripe expects its own script in the payer's browser to handle the challenge. */
function challengeOf(
  intent: Stripe.PaymentIntent,
  returnUrl: string | undefined,
  origin: string,
): Stripe.PaymentIntent.NextAction {
  const url = `${origin}/challenge/${intent.id}?client_secret=${intent.client_secret}`
  if (returnUrl !== undefined) {
    return { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } }
  }
  const sdk: Stripe.PaymentIntent.NextAction.UseStripeSdk = {
    type: 'three_d_secure_redirect',
    stripe_js: url,
  }
  return { type: 'use_stripe_sdk', use_stripe_sdk: sdk }
}

function approve(tx: Tx, row: IntentRow, method: MethodRow, isAuthenticated: boolean): void {
  const { object: intent, hidden } = row
  const charge = createCharge(tx, { intent, method: method.object, isAuthenticated })
  const card = cardOf(method)
  intent.latest_charge = charge.id
  intent.processing = null
  delete hidden.dueAt
  keepMethod(tx, intent, method, isAuthenticated)
  if (intent.capture_method === 'manual') {
    intent.status = 'requires_capture'
    intent.amount_capturable = intent.amount
    move(tx, row, 'approved')
    recordEvent(tx, 'charge.succeeded', charge)
    recordEvent(tx, 'payment_intent.amount_capturable_updated', intent)
    return
  }
  captureCharge(tx, tx.edit('charge', charge.id), intent.amount)
  intent.status = 'succeeded'
  intent.amount_received = intent.amount
  move(tx, row, 'approved')
  recordEvent(tx, 'charge.succeeded', charge)
  recordEvent(tx, 'payment_intent.succeeded', intent)
  if (card.dispute) openDispute(tx, charge.id, card.dispute)
}

/** Without a customer a method serves one payment; with `setup_future_usage` it is kept for the customer. */
function keepMethod(tx: Tx, intent: Stripe.PaymentIntent, method: MethodRow, isAuthenticated: boolean): void {
  const customer = idOf(intent.customer)
  if (isAuthenticated && intent.setup_future_usage === 'off_session') method.hidden.isSetUp = true
  if (method.object.customer !== null) return
  if (customer !== null && intent.setup_future_usage !== null) attachTo(tx, method, customer)
  else method.hidden.isConsumed = true
}

function decline(
  tx: Tx,
  row: IntentRow,
  method: MethodRow,
  reason: Decline,
  isAuthenticated: boolean,
): StripeError {
  const { object: intent } = row
  const charge = createCharge(tx, { intent, method: method.object, isAuthenticated }, reason)
  const members = { ...declineMembers(reason), charge: charge.id }
  intent.latest_charge = charge.id
  intent.status = 'requires_payment_method'
  intent.payment_method = null
  intent.last_payment_error = {
    ...members,
    code: reason.code,
    payment_method: method.object,
  }
  move(tx, row, 'declined')
  recordEvent(tx, 'charge.failed', charge)
  recordEvent(tx, 'payment_intent.payment_failed', intent)
  const body = { ...members, payment_intent: intent, payment_method: method.object }
  return new StripeError(402, body, { commits: true })
}

function move(
  tx: Tx,
  { object: intent, hidden }: IntentRow,
  outcome: 'approved' | 'declined' | 'pending',
): void {
  tx.move({
    key: hidden.key ?? '',
    operation: intent.capture_method === 'manual' ? 'authorization' : 'sale',
    amount: decimalOf(intent.amount, intent.currency),
    currency: intent.currency.toUpperCase(),
    outcome,
    reference: intent.id,
  })
}

/** The payer answered the challenge on the twin's page. */
export function answerChallenge(tx: Tx, id: string, approved: boolean, origin: string): void {
  const row = tx.edit('payment_intent', id)
  const { object: intent } = row
  if (intent.status !== 'requires_action') return
  if (approved) {
    try {
      attempt(tx, row, { origin, isAuthenticated: true })
    } catch (error) {
      if (!(error instanceof StripeError && error.commits)) throw error
    }
    return
  }
  const method = tx.get('payment_method', idOf(intent.payment_method) ?? '').object
  intent.status = 'requires_payment_method'
  intent.next_action = null
  intent.payment_method = null
  intent.last_payment_error = {
    code: 'payment_intent_authentication_failure',
    doc_url: 'https://stripe.com/docs/error-codes/payment-intent-authentication-failure',
    message:
      'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
    payment_method: method,
    type: 'invalid_request_error',
  }
  move(tx, row, 'declined')
  recordEvent(tx, 'payment_intent.payment_failed', intent)
}

/** Ends `processing`. */
export function settleIntent(tx: Tx, id: string): void {
  const row = tx.edit('payment_intent', id)
  delete row.hidden.dueAt
  if (row.object.status !== 'processing') return
  const method = tx.edit('payment_method', idOf(row.object.payment_method) ?? '')
  row.object.processing = null
  if (cardOf(method).outcome === 'processing_succeeds') approve(tx, row, method, false)
  else {
    decline(
      tx,
      row,
      method,
      {
        code: 'card_declined',
        declineCode: 'generic_decline',
        message: 'Your card was declined.',
        adviceCode: 'try_again_later',
        networkCode: '01',
      },
      false,
    )
  }
}
