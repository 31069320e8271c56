import type Stripe from 'stripe'
import { invalidRequest, StripeError, unexpectedState } from '../errors.ts'
import { flag, type Form, list, mergeMetadata, nested, oneOf, refuseUnknown, text } from '../form.ts'
import { idOf, newStripeId, randomText, type Row, type Tx } from '../store.ts'
import { recordEvent } from './events.ts'
import { alreadyUsed, attachTo, cardOf, declineMembers, newMethod, useMethod } from './payment-methods.ts'

type SetupRow = Row<Stripe.SetupIntent>

const CREATING = [
  'attach_to_self', 'automatic_payment_methods', 'confirm', 'customer', 'customer_account', 'description',
  'excluded_payment_method_types', 'flow_directions', 'metadata', 'on_behalf_of', 'payment_method_configuration',
  'single_use', 'usage',
] // prettier-ignore
const CONFIRMING = [
  'allowed_payment_method_types', 'confirmation_token', 'mandate_data', 'payment_method', 'payment_method_data',
  'payment_method_options', 'payment_method_types', 'return_url', 'use_stripe_sdk',
] // prettier-ignore
const OPEN = ['requires_payment_method', 'requires_confirmation', 'requires_action']

export function createSetupIntent(tx: Tx, form: Form, origin: string): Stripe.SetupIntent {
  refuseUnknown(form, [...CREATING, ...CONFIRMING])
  const customer = text(form, 'customer') ?? null
  if (customer !== null) tx.get('customer', customer, 'customer')
  const row = tx.insert('setup_intent', newSetup(tx, form, customer))
  useGivenMethod(tx, row, form)
  recordEvent(tx, 'setup_intent.created', row.object)
  if (flag(form, 'confirm') === true) confirm(tx, row, form, origin)
  return row.object
}

function newSetup(tx: Tx, form: Form, customer: string | null): Stripe.SetupIntent {
  const id = newStripeId('setup_intent')
  const types = [...list(form, 'payment_method_types'), ...list(form, 'allowed_payment_method_types')]
  const automatic = nested(form, 'automatic_payment_methods')
  const isAutomatic = types.length === 0 && (automatic === undefined || flag(automatic, 'enabled') === true)
  const redirects = automatic && oneOf(automatic, 'allow_redirects', ['always', 'never'])
  return {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: null,
    application: null,
    automatic_payment_methods: isAutomatic ? { allow_redirects: redirects ?? 'always', enabled: true } : null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${randomText(31)}`,
    created: tx.now,
    customer,
    customer_account: null,
    description: text(form, 'description') ?? null,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: tx.livemode,
    mandate: null,
    metadata: mergeMetadata({}, form),
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: isAutomatic ? { id: 'pmc_1Twin', parent: null } : null,
    payment_method_options: {
      card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: types.length > 0 ? types : ['card'],
    single_use_mandate: null,
    status: 'requires_payment_method',
    usage: oneOf(form, 'usage', ['off_session', 'on_session']) ?? 'off_session',
  }
}

function useGivenMethod(tx: Tx, { object: setup }: SetupRow, form: Form): void {
  const id = text(form, 'payment_method')
  const raw = nested(form, 'payment_method_data')
  if (id === undefined && raw === undefined) return
  const method = raw ? newMethod(tx, raw) : useMethod(tx, id ?? '')
  if (method.hidden.isConsumed === true) throw alreadyUsed()
  const owner = idOf(method.object.customer)
  if (owner !== null && owner !== idOf(setup.customer)) {
    throw invalidRequest(`The PaymentMethod ${method.object.id} belongs to another Customer.`, {
      param: 'payment_method',
    })
  }
  setup.payment_method = method.object.id
  if (setup.status === 'requires_payment_method') setup.status = 'requires_confirmation'
}

export function confirmSetupIntent(tx: Tx, id: string, form: Form, origin: string): Stripe.SetupIntent {
  refuseUnknown(form, [...CONFIRMING, 'client_secret'])
  const row = tx.edit('setup_intent', id, 'intent')
  if (!OPEN.includes(row.object.status)) throw unexpected('confirm', row.object)
  useGivenMethod(tx, row, form)
  confirm(tx, row, form, origin)
  return row.object
}

function confirm(tx: Tx, row: SetupRow, form: Form, origin: string): void {
  const { object: setup, hidden } = row
  if (setup.payment_method === null) {
    throw unexpectedState("You cannot confirm this SetupIntent because it's missing a payment method.", {
      code: 'setup_intent_unexpected_state',
      setup_intent: setup,
    })
  }
  const returnUrl = text(form, 'return_url')
  if (returnUrl === undefined && setup.automatic_payment_methods?.allow_redirects === 'always') {
    throw invalidRequest(
      'This SetupIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`.',
      { param: 'return_url' },
    )
  }
  delete hidden.returnUrl
  if (returnUrl !== undefined) hidden.returnUrl = returnUrl
  attemptSetup(tx, row, origin, false)
}

function attemptSetup(tx: Tx, row: SetupRow, origin: string, isAuthenticated: boolean): void {
  const { object: setup, hidden } = row
  const method = tx.edit('payment_method', idOf(setup.payment_method) ?? '')
  const card = cardOf(method)
  setup.last_setup_error = null
  setup.next_action = null
  if (!isAuthenticated && (card.challenge === 'always' || card.challenge === 'unless_set_up')) {
    const url = `${origin}/challenge/${setup.id}?client_secret=${setup.client_secret}`
    setup.status = 'requires_action'
    setup.next_action =
      hidden.returnUrl === undefined
        ? {
            type: 'use_stripe_sdk',
            use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url },
          }
        : { type: 'redirect_to_url', redirect_to_url: { return_url: hidden.returnUrl, url } }
    recordEvent(tx, 'setup_intent.requires_action', setup)
    return
  }
  if (card.decline && !card.attachesThoughDeclined) {
    const members = declineMembers(card.decline)
    const error = { ...members, payment_method: method.object }
    failSetup(tx, setup, error)
    throw new StripeError(402, { ...error, setup_intent: setup }, { commits: true })
  }
  const customer = idOf(setup.customer)
  if (customer !== null && method.object.customer === null) attachTo(tx, method, customer)
  if (isAuthenticated) method.hidden.isSetUp = true
  setup.status = 'succeeded'
  setup.latest_attempt = `setatt_${randomText(24)}`
  recordEvent(tx, 'setup_intent.succeeded', setup)
}

function failSetup(tx: Tx, setup: Stripe.SetupIntent, error: Stripe.SetupIntent.LastSetupError): void {
  setup.status = 'requires_payment_method'
  setup.payment_method = null
  setup.next_action = null
  setup.last_setup_error = error
  recordEvent(tx, 'setup_intent.setup_failed', setup)
}

export function answerSetupChallenge(tx: Tx, id: string, approved: boolean, origin: string): void {
  const row = tx.edit('setup_intent', id)
  if (row.object.status !== 'requires_action') return
  if (!approved) {
    const method = tx.get('payment_method', idOf(row.object.payment_method) ?? '').object
    failSetup(tx, row.object, {
      code: 'setup_intent_authentication_failure',
      message: 'The latest attempt to set up the payment method has failed because authentication failed.',
      payment_method: method,
      type: 'invalid_request_error',
    })
    return
  }
  try {
    attemptSetup(tx, row, origin, true)
  } catch (error) {
    if (!(error instanceof StripeError && error.commits)) throw error
  }
}

export function cancelSetupIntent(tx: Tx, id: string, form: Form): Stripe.SetupIntent {
  refuseUnknown(form, ['cancellation_reason'])
  const { object: setup } = tx.edit('setup_intent', id, 'intent')
  if (!OPEN.includes(setup.status)) throw unexpected('cancel', setup)
  setup.status = 'canceled'
  setup.next_action = null
  setup.cancellation_reason =
    oneOf(form, 'cancellation_reason', ['abandoned', 'duplicate', 'requested_by_customer']) ?? null
  recordEvent(tx, 'setup_intent.canceled', setup)
  return setup
}

function unexpected(verb: 'cancel' | 'confirm', setup: Stripe.SetupIntent): StripeError {
  return unexpectedState(
    `You cannot ${verb} this SetupIntent because it has a status of ${setup.status}. Only a SetupIntent with one of the following statuses may be used for this: ${OPEN.join(', ')}.`,
    { code: 'setup_intent_unexpected_state', setup_intent: setup },
  )
}
