import type Stripe from 'stripe'
import { checkChargeAmount, decimalOf, readCurrency } from '../currency.ts'
import { invalidRequest, type StripeError, unexpectedState } from '../errors.ts'
import {
  flag,
  type Form,
  list,
  mergeMetadata,
  nested,
  oneOf,
  refuseUnknown,
  required,
  text,
  whole,
} from '../form.ts'
import { idOf, newStripeId, randomText, type Row, type Tx } from '../store.ts'
import { captureCharge, releaseCharge } from './charges.ts'
import { readAddress } from './customers.ts'
import { recordEvent } from './events.ts'
import { attempt } from './payment-attempts.ts'
import { newMethod, useMethod } from './payment-methods.ts'

type IntentRow = Row<Stripe.PaymentIntent>

const COMMON = [
  'allowed_payment_method_types', 'amount_details', 'capture_method', 'excluded_payment_method_types', 'hooks',
  'payment_details', 'payment_method', 'payment_method_data', 'payment_method_options', 'payment_method_types',
  'receipt_email', 'setup_future_usage', 'shipping',
] // prettier-ignore
const CONFIRMING = [
  'confirmation_token', 'error_on_requires_action', 'mandate', 'mandate_data', 'off_session', 'radar_options',
  'return_url', 'use_stripe_sdk',
] // prettier-ignore
const CREATING = [
  'amount', 'application_fee_amount', 'currency', 'customer', 'customer_account', 'description', 'metadata',
  'payment_method_configuration', 'statement_descriptor', 'statement_descriptor_suffix', 'transfer_data', 'transfer_group',
] // prettier-ignore
const ONLY_CREATING = ['automatic_payment_methods', 'confirm', 'confirmation_method', 'on_behalf_of']
/** Stripe takes these on create only together with `confirm=true`. */
const NEED_CONFIRM = ['error_on_requires_action', 'mandate_data', 'off_session', 'return_url']

const CAPTURE_METHODS = ['automatic', 'automatic_async', 'manual'] as const
const CANCELABLE = new Set([
  'requires_payment_method', 'requires_capture', 'requires_confirmation', 'requires_action', 'processing',
]) // prettier-ignore
const CONFIRMABLE = new Set(['requires_payment_method', 'requires_confirmation', 'requires_action'])

export function createPaymentIntent(tx: Tx, form: Form, origin: string): Stripe.PaymentIntent {
  refuseUnknown(form, [...COMMON, ...CONFIRMING, ...CREATING, ...ONLY_CREATING])
  const confirm = flag(form, 'confirm') ?? false
  const early = confirm
    ? undefined
    : NEED_CONFIRM.find((name) => form[name] !== undefined && form[name] !== '')
  if (early !== undefined) {
    throw invalidRequest(`The parameter ${early} can only be used together with confirm=true.`, {
      param: early,
    })
  }
  required(form, 'amount')
  const currency = readCurrency(required(form, 'currency'))
  const amount = whole(form, 'amount') ?? 0
  checkChargeAmount(amount, currency)
  const customer = text(form, 'customer') ?? null
  if (customer !== null) tx.get('customer', customer, 'customer')
  const descriptor = text(form, 'statement_descriptor') ?? null
  checkDescriptor(descriptor, 'statement_descriptor')
  checkDescriptor(text(form, 'statement_descriptor_suffix') ?? null, 'statement_descriptor_suffix')

  const row = tx.insert('payment_intent', newIntent(tx, form, { amount, currency, customer }))
  row.hidden = hiddenOf(tx, row.object)
  useGivenMethod(tx, row, form)
  recordEvent(tx, 'payment_intent.created', row.object)
  if (confirm) confirmIntent(tx, row, form, origin)
  return row.object
}

function hiddenOf(tx: Tx, intent: Stripe.PaymentIntent): IntentRow['hidden'] {
  const key = intent.metadata.quittance_key ?? tx.key
  return key === null ? {} : { key }
}

function checkDescriptor(value: string | null, param: string): void {
  if (value === null || (value.length <= 22 && !/[<>\\'"*]/.test(value))) return
  throw invalidRequest(
    'The statement descriptor must be at most 22 characters without <, >, \\, \', " or *.',
    { param },
  )
}

function newIntent(
  tx: Tx,
  form: Form,
  { amount, currency, customer }: { amount: number; currency: string; customer: string | null },
): Stripe.PaymentIntent {
  const id = newStripeId('payment_intent')
  const types = [...list(form, 'payment_method_types'), ...list(form, 'allowed_payment_method_types')]
  const automatic = nested(form, 'automatic_payment_methods')
  const redirects = automatic && oneOf(automatic, 'allow_redirects', ['always', 'never'])
  const isAutomatic = types.length === 0 && (automatic === undefined || flag(automatic, 'enabled') === true)
  const shipping = nested(form, 'shipping')
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: isAutomatic ? { allow_redirects: redirects ?? 'always', enabled: true } : null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: oneOf(form, 'capture_method', CAPTURE_METHODS) ?? 'automatic_async',
    client_secret: `${id}_secret_${randomText(25)}`,
    confirmation_method: oneOf(form, 'confirmation_method', ['automatic', 'manual']) ?? 'automatic',
    created: tx.now,
    currency,
    customer,
    customer_account: null,
    description: text(form, 'description') ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: tx.livemode,
    managed_payments: null,
    metadata: mergeMetadata({}, form),
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: isAutomatic ? { id: 'pmc_1Twin', parent: null } : null,
    payment_method_options: {
      card: {
        installments: null,
        mandate_options: null,
        network: null,
        request_three_d_secure: requestedChallenge(form),
      },
    },
    payment_method_types: types.length > 0 ? types : ['card'],
    payment_record: null,
    processing: null,
    receipt_email: text(form, 'receipt_email') ?? null,
    review: null,
    setup_future_usage: oneOf(form, 'setup_future_usage', ['off_session', 'on_session']) ?? null,
    shipping: shipping ? readShipping(shipping) : null,
    source: null,
    statement_descriptor: text(form, 'statement_descriptor') ?? null,
    statement_descriptor_suffix: text(form, 'statement_descriptor_suffix') ?? null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: text(form, 'transfer_group') ?? null,
  }
}

function requestedChallenge(form: Form): 'any' | 'automatic' | 'challenge' {
  const card = nested(nested(form, 'payment_method_options') ?? {}, 'card') ?? {}
  return oneOf(card, 'request_three_d_secure', ['any', 'automatic', 'challenge']) ?? 'automatic'
}

function readShipping(form: Form): Stripe.PaymentIntent.Shipping {
  return {
    address: readAddress(nested(form, 'address') ?? {}) as Stripe.Address,
    carrier: text(form, 'carrier') ?? null,
    name: required(form, 'name'),
    phone: text(form, 'phone') ?? null,
    tracking_number: text(form, 'tracking_number') ?? null,
  }
}

/** Takes `payment_method` or `payment_method_data`, so that the intent can be confirmed. */
function useGivenMethod(tx: Tx, { object: intent }: IntentRow, form: Form): void {
  const id = text(form, 'payment_method')
  const raw = nested(form, 'payment_method_data')
  if (id === undefined && raw === undefined) return
  const method = raw ? newMethod(tx, raw) : useMethod(tx, id ?? '')
  const owner = idOf(method.object.customer)
  if (owner !== null && owner !== idOf(intent.customer)) {
    throw invalidRequest(
      intent.customer === null
        ? `The PaymentMethod ${method.object.id} belongs to a Customer. Please include the Customer in the \`customer\` parameter on the PaymentIntent.`
        : `The customer does not have a payment method with the ID ${method.object.id}. The payment method must be attached to the customer.`,
      { param: 'payment_method' },
    )
  }
  intent.payment_method = method.object.id
  if (intent.status === 'requires_payment_method') intent.status = 'requires_confirmation'
}

export function confirmPaymentIntent(tx: Tx, id: string, form: Form, origin: string): Stripe.PaymentIntent {
  refuseUnknown(form, [...COMMON, ...CONFIRMING, 'amount_to_confirm', 'client_secret'])
  const row = tx.edit('payment_intent', id, 'intent')
  if (!CONFIRMABLE.has(row.object.status)) throw unexpected('confirm', row.object)
  useGivenMethod(tx, row, form)
  confirmIntent(tx, row, form, origin)
  return row.object
}

function confirmIntent(tx: Tx, row: IntentRow, form: Form, origin: string): void {
  const { object: intent, hidden } = row
  if (intent.payment_method === null) {
    throw unexpectedState(
      "You cannot confirm this PaymentIntent because it's missing a payment method. Update the PaymentIntent with a payment method and then confirm it again.",
      { code: 'payment_intent_unexpected_state', payment_intent: intent },
    )
  }
  const returnUrl = text(form, 'return_url')
  if (returnUrl !== undefined && !URL.canParse(returnUrl)) {
    throw invalidRequest('Not a valid URL', { code: 'url_invalid', param: 'return_url' })
  }
  if (returnUrl === undefined && intent.automatic_payment_methods?.allow_redirects === 'always') {
    throw invalidRequest(
      'This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`.',
      { code: 'payment_intent_redirect_confirmation_without_return_url', param: 'return_url' },
    )
  }
  intent.capture_method = oneOf(form, 'capture_method', CAPTURE_METHODS) ?? intent.capture_method
  intent.setup_future_usage =
    oneOf(form, 'setup_future_usage', ['off_session', 'on_session']) ?? intent.setup_future_usage
  if (form.payment_method_options !== undefined && intent.payment_method_options?.card) {
    intent.payment_method_options.card.request_three_d_secure = requestedChallenge(form)
  }
  delete hidden.returnUrl
  if (returnUrl !== undefined) hidden.returnUrl = returnUrl
  hidden.offSession = !['', 'false', undefined].includes(form.off_session as string | undefined)
  const failsOnAction = flag(form, 'error_on_requires_action') ?? false
  attempt(tx, row, { origin, isAuthenticated: false, failsOnAction })
}

export function capturePaymentIntent(tx: Tx, id: string, form: Form): Stripe.PaymentIntent {
  refuseUnknown(form, [
    'amount_details', 'amount_to_capture', 'application_fee_amount', 'final_capture', 'hooks', 'metadata',
    'payment_details', 'statement_descriptor', 'statement_descriptor_suffix', 'transfer_data',
  ]) // prettier-ignore
  const { object: intent, hidden } = tx.edit('payment_intent', id, 'intent')
  if (intent.status !== 'requires_capture') {
    throw unexpectedState(
      `This PaymentIntent could not be captured because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be captured: requires_capture.`,
      { code: 'payment_intent_unexpected_state', payment_intent: intent },
    )
  }
  const amount = whole(form, 'amount_to_capture') ?? intent.amount_capturable
  if (amount < 1) {
    throw invalidRequest('Invalid positive integer', {
      code: 'parameter_invalid_integer',
      param: 'amount_to_capture',
    })
  }
  if (amount > intent.amount_capturable) {
    throw unexpectedState(
      `The requested capture amount is greater than the authorized amount (${intent.amount_capturable}).`,
      { code: 'amount_too_large', param: 'amount_to_capture' },
    )
  }
  if (flag(form, 'final_capture') === false) {
    throw invalidRequest('This PaymentIntent is not eligible for multiple captures.', {
      param: 'final_capture',
    })
  }
  const charge = tx.edit('charge', idOf(intent.latest_charge) ?? '')
  captureCharge(tx, charge, amount)
  intent.amount_capturable = 0
  intent.amount_received = amount
  intent.status = 'succeeded'
  const key = text(nested(form, 'metadata') ?? {}, 'quittance_key') ?? tx.key ?? hidden.key ?? ''
  intent.metadata = mergeMetadata(intent.metadata, form)
  tx.move({
    key,
    operation: 'capture',
    ...amountOf(amount, intent),
    outcome: 'approved',
    reference: intent.id,
  })
  recordEvent(tx, 'charge.captured', charge.object)
  recordEvent(tx, 'payment_intent.succeeded', intent)
  return intent
}

function amountOf(amount: number, { currency }: Stripe.PaymentIntent) {
  return { amount: decimalOf(amount, currency), currency: currency.toUpperCase() }
}

const REASONS = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'] as const

export function cancelPaymentIntent(tx: Tx, id: string, form: Form): Stripe.PaymentIntent {
  refuseUnknown(form, ['cancellation_reason'])
  const { object: intent, hidden } = tx.edit('payment_intent', id, 'intent')
  if (!CANCELABLE.has(intent.status)) throw unexpected('cancel', intent)
  if (intent.status === 'requires_capture') {
    const { object: charge } = tx.edit('charge', idOf(intent.latest_charge) ?? '')
    releaseCharge(tx, charge)
    const released = amountOf(intent.amount_capturable, intent)
    tx.move({
      key: tx.key ?? hidden.key ?? '',
      operation: 'void',
      ...released,
      outcome: 'approved',
      reference: id,
    })
  }
  delete hidden.dueAt
  intent.status = 'canceled'
  intent.canceled_at = tx.now
  intent.cancellation_reason = oneOf(form, 'cancellation_reason', REASONS) ?? null
  intent.amount_capturable = 0
  intent.next_action = null
  intent.processing = null
  recordEvent(tx, 'payment_intent.canceled', intent)
  return intent
}

export function updatePaymentIntent(tx: Tx, id: string, form: Form): Stripe.PaymentIntent {
  refuseUnknown(form, [...COMMON, ...CREATING])
  const row = tx.edit('payment_intent', id, 'intent')
  const { object: intent } = row
  if (form.amount !== undefined) {
    if (!CONFIRMABLE.has(intent.status)) throw unexpected('update', intent)
    intent.amount = whole(form, 'amount') ?? intent.amount
    checkChargeAmount(intent.amount, intent.currency)
  }
  if (form.description !== undefined) intent.description = text(form, 'description') ?? null
  const customer = text(form, 'customer')
  if (customer !== undefined) intent.customer = tx.get('customer', customer, 'customer').object.id
  intent.metadata = mergeMetadata(intent.metadata, form)
  if (CONFIRMABLE.has(intent.status)) useGivenMethod(tx, row, form)
  return intent
}

function unexpected(verb: 'cancel' | 'confirm' | 'update', intent: Stripe.PaymentIntent): StripeError {
  const allowed = [...(verb === 'cancel' ? CANCELABLE : CONFIRMABLE)].join(', ')
  return unexpectedState(
    `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be used for this: ${allowed}.`,
    { code: 'payment_intent_unexpected_state', payment_intent: intent },
  )
}
