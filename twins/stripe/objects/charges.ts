import type Stripe from 'stripe'
import { idOf, newStripeId, type Row, type Tx } from '../store.ts'
import type { Decline } from '../test-cards.ts'
import { bookLine, processingFee } from './balance.ts'
import { recordEvent } from './events.ts'

const CAPTURE_WITHIN_SECONDS = 7 * 86_400

type Attempt = {
  readonly intent: Stripe.PaymentIntent
  readonly method: Stripe.PaymentMethod
  readonly isAuthenticated: boolean
}

/** The charge of one attempt to pay an intent: authorized, or failed where `decline` is given. */
export function createCharge(
  tx: Tx,
  { intent, method, isAuthenticated }: Attempt,
  decline?: Decline,
): Stripe.Charge {
  const failed = decline !== undefined
  const charge: Stripe.Charge = {
    id: newStripeId('charge'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'TWIN',
    captured: false,
    created: tx.now,
    currency: intent.currency,
    customer: idOf(intent.customer),
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: tx.livemode,
    metadata: { ...intent.metadata },
    on_behalf_of: null,
    outcome: outcomeOf(decline),
    paid: !failed,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: detailsOf(tx, { intent, method, isAuthenticated }, failed),
    radar_options: {},
    receipt_email: null,
    receipt_number: null,
    receipt_url: failed ? null : `https://pay.stripe.com/receipts/payment/${intent.id}`,
    refunded: false,
    review: null,
    shipping: intent.shipping,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: failed ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: intent.transfer_group,
  }
  // Recorded answers have these three, which the official types no longer describe.
  Object.assign(charge, { destination: null, dispute: null, order: null })
  tx.insert('charge', charge)
  return charge
}

function outcomeOf(decline: Decline | undefined): Stripe.Charge.Outcome {
  const blocked = decline?.declineCode === 'fraudulent'
  return {
    advice_code: decline?.adviceCode ?? null,
    network_advice_code: null,
    network_decline_code: decline?.networkCode ?? null,
    network_status:
      decline === undefined ? 'approved_by_network' : blocked ? 'not_sent_to_network' : 'declined_by_network',
    reason: decline === undefined ? null : blocked ? 'highest_risk_level' : decline.declineCode,
    risk_level: blocked ? 'highest' : 'normal',
    risk_score: blocked ? 92 : 20,
    seller_message: decline === undefined ? 'Payment complete.' : 'The bank declined the payment.',
    type: decline === undefined ? 'authorized' : blocked ? 'blocked' : 'issuer_declined',
  }
}

function detailsOf(
  tx: Tx,
  { intent, method, isAuthenticated }: Attempt,
  failed: boolean,
): Stripe.Charge.PaymentMethodDetails {
  const { card } = method
  if (card === undefined) return { type: method.type }
  return {
    card: {
      amount_authorized: failed ? null : intent.amount,
      authorization_code: failed ? null : String(100_000 + Math.floor(Math.random() * 900_000)),
      brand: card.brand,
      ...(intent.capture_method === 'manual' && { capture_before: tx.now + CAPTURE_WITHIN_SECONDS }),
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: card.country,
      electronic_commerce_indicator: isAuthenticated ? '05' : null,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      extended_authorization: { status: 'disabled' },
      fingerprint: card.fingerprint ?? null,
      funding: card.funding,
      incremental_authorization: { status: 'unavailable' },
      installments: null,
      last4: card.last4,
      mandate: null,
      multicapture: { status: 'unavailable' },
      network: card.brand,
      network_token: { used: false },
      network_transaction_id: String(100_000_000_000_000 + Math.floor(Math.random() * 1e14)),
      overcapture: { maximum_amount_capturable: intent.amount, status: 'unavailable' },
      regulated_status: 'unregulated',
      three_d_secure: isAuthenticated
        ? {
            authentication_flow: 'challenge',
            electronic_commerce_indicator: '05',
            exemption_indicator: null,
            result: 'authenticated',
            result_reason: null,
            transaction_id: newStripeId('charge'),
            version: '2.2.0',
          }
        : null,
      wallet: null,
    } as Stripe.Charge.PaymentMethodDetails.Card,
    type: 'card',
  }
}

/** Captures `amount` and releases the rest, which Stripe shows as a refund without money. */
export function captureCharge(tx: Tx, row: Row<Stripe.Charge>, amount: number): void {
  const { object: charge } = row
  const transaction = bookLine(tx, {
    type: 'charge',
    category: 'charge',
    amount,
    fee: processingFee(amount, charge.currency),
    currency: charge.currency,
    source: charge.id,
    ...(charge.description !== null && { description: charge.description }),
  })
  charge.captured = true
  charge.amount_captured = amount
  charge.balance_transaction = transaction.id
  releaseRest(tx, charge, charge.amount - amount)
}

export function releaseCharge(tx: Tx, charge: Stripe.Charge): void {
  releaseRest(tx, charge, charge.amount)
  charge.refunded = true
  recordEvent(tx, 'charge.refunded', charge)
}

function releaseRest(tx: Tx, charge: Stripe.Charge, amount: number): void {
  if (amount === 0) return
  charge.amount_refunded += amount
  const release: Stripe.Refund = {
    ...newRefund(tx, charge, amount),
    status: 'succeeded',
  }
  tx.insert('refund', release, { isReleased: true })
}

export function newRefund(tx: Tx, charge: Stripe.Charge, amount: number): Stripe.Refund {
  return {
    id: newStripeId('refund'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: tx.now,
    currency: charge.currency,
    customer: idOf(charge.customer),
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: {},
    payment_intent: idOf(charge.payment_intent),
    payment_method: charge.payment_method,
    reason: null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'pending',
    transfer_reversal: null,
  }
}
