import type Stripe from 'stripe'
import type { PaymentRequest } from '../../intents/intent-acquirer.ts'
import {
  type Intent,
  type IntentRefund,
  type PaymentIntents,
  type RefundRequest,
  type Step,
  unknown,
} from '../../intents/intent.ts'
import type { FollowUpRequest, Instrument } from '../../port/port.ts'
import { toStripeAmount } from '../amounts.ts'
import type { FormOf } from '../wire/form.ts'
import { membersOf } from '../wire/members.ts'
import type { StripeClient } from '../wire/stripe-client.ts'
import { findCustomer } from './customers.ts'
import { readIntentStep, readFailure, refusedUnlessSent } from './read-intent.ts'
import { readRefund } from './read-refund.ts'

const PATH = '/v1/payment_intents'
const EXPAND = { expand: ['latest_charge'] }
/** Stripe lists no more on a page. */
const REFUNDS_PER_PAGE = 100
/** Beyond these pages nobody knows whether a refund was booked, so its outcome stays unknown and no second one is sent. */
const MAX_PAGES = 10

export interface PaymentIntentOptions {
  readonly client: StripeClient
  readonly via: 'send' | 'ask'
  readonly statementDescriptor: string | null
}

export function paymentIntents(options: PaymentIntentOptions): PaymentIntents<PaymentRequest> {
  const { client, via } = options
  return {
    create: (request) => create(options, request),
    confirm: async (id, request, again) => {
      const form = { ...confirmation(request, again), ...EXPAND }
      const key = `${request.key}:confirm${again ? ':again' : ''}`
      return readIntentStep(await client.post(`${pathOf(id)}/confirm`, form, { via, key }))
    },
    read: async (id) => readIntentStep(await client.get(pathOf(id), EXPAND, via)),
    cancel: async (id) => readIntentStep(await client.post(`${pathOf(id)}/cancel`, {}, { via })),
    capture: (id, request) => capture(options, id, request),
    refund: (request) => refund(options, request),
    refundsOf: (id) => listRefunds(options, id),
  }
}

async function create(
  { client, statementDescriptor }: PaymentIntentOptions,
  request: PaymentRequest,
): Promise<Step<Intent>> {
  const amount = toStripeAmount(request.amount)
  if ('problem' in amount) return amountRefused(amount.problem)
  const { instrument } = request
  const method = methodForm(instrument)
  if (method === null) return instrumentRefused()
  const saved = await savedFor(client, request)
  const form: FormOf<Stripe.PaymentIntentCreateParams> = {
    amount: amount.amount,
    currency: request.amount.currency.toLowerCase(),
    allowed_payment_method_types: ['card'],
    capture_method: request.kind === 'authorization' ? 'manual' : null,
    statement_descriptor_suffix: statementDescriptor,
    metadata: { quittance_key: request.key, quittance_order: request.orderNumber },
    customer: instrument.type === 'acquirer_token' ? instrument.payerReference : saved,
    setup_future_usage: saved === null ? null : 'off_session',
    ...method,
  }
  const answer = await client.post(PATH, form, { via: 'begin', key: request.key })
  const step = readIntentStep(answer)
  return step.kind === 'unknown' ? refusedUnlessSent(step, answer) : step
}

async function savedFor(client: StripeClient, { savePayer, key }: PaymentRequest): Promise<string | null> {
  if (savePayer === undefined) return null
  const customer = await findCustomer(client, savePayer, key)
  return customer.kind === 'ok' ? customer.value : null
}

/** After a decline Stripe forgets the intent's payment method, so the request names it again. */
function confirmation(request: PaymentRequest, again: boolean): FormOf<Stripe.PaymentIntentConfirmParams> {
  const isOffSession = !request.payerPresent && !again
  return {
    off_session: isOffSession ? true : null,
    return_url: isOffSession ? null : request.returnUrl,
    ...(again && methodForm(request.instrument)),
  }
}

type MethodForm = FormOf<Pick<Stripe.PaymentIntentConfirmParams, 'payment_method' | 'payment_method_data'>>

function methodForm(instrument: Instrument): MethodForm | null {
  switch (instrument.type) {
    case 'acquirer_token':
      return { payment_method: instrument.id }
    case 'component':
      return isPaymentMethodId(instrument.data) ? { payment_method: instrument.data } : null
    case 'card':
      return { payment_method_data: cardForm(instrument) }
    case 'wallet_a_pay':
    case 'wallet_b':
    case 'fps':
      return null
  }
}

export function cardForm(
  card: Extract<Instrument, { type: 'card' }>,
): FormOf<Stripe.PaymentMethodCreateParams> {
  return {
    type: 'card',
    card: { number: card.number, exp_month: card.expMonth, exp_year: card.expYear, cvc: card.cvc },
    billing_details: { name: card.holderName === '' ? null : card.holderName },
  }
}

export function isPaymentMethodId(text: string): boolean {
  return /^pm_\w+$/.test(text)
}

async function capture(
  { client, via }: PaymentIntentOptions,
  id: string,
  request: FollowUpRequest,
): Promise<Step<Intent>> {
  const amount = toStripeAmount(request.amount)
  if ('problem' in amount) return amountRefused(amount.problem)
  const form: FormOf<Stripe.PaymentIntentCaptureParams> = { amount_to_capture: amount.amount, ...EXPAND }
  return readIntentStep(await client.post(`${pathOf(id)}/capture`, form, { via, key: request.key }))
}

async function refund(
  { client, via }: PaymentIntentOptions,
  { key, amount: money, originalReference }: RefundRequest,
): Promise<Step<IntentRefund>> {
  const amount = toStripeAmount(money)
  if ('problem' in amount) return amountRefused(amount.problem)
  const form: FormOf<Stripe.RefundCreateParams> = {
    payment_intent: originalReference,
    amount: amount.amount,
    metadata: { quittance_key: key },
  }
  const answer = await client.post('/v1/refunds', form, { via, key })
  if (answer.kind !== 'ok') return readFailure(answer)
  const found = readRefund(answer.object)
  return found === null ? unknown("Stripe's response cannot be parsed.") : { kind: 'ok', value: found }
}

async function listRefunds(
  { client, via }: PaymentIntentOptions,
  id: string,
): Promise<Step<readonly IntentRefund[]>> {
  const refunds: IntentRefund[] = []
  let after: string | null = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const query: FormOf<Stripe.RefundListParams> = {
      payment_intent: id,
      limit: REFUNDS_PER_PAGE,
      starting_after: after,
    }
    const answer = await client.get('/v1/refunds', query, via)
    if (answer.kind !== 'ok') return readFailure(answer)
    const { data, has_more: hasMore } = answer.object
    if (!Array.isArray(data)) return unknown("Stripe's response cannot be parsed.")
    const read = data.map((one) => readRefund(membersOf(one)))
    for (const one of read) {
      if (one === null) return unknown("A refund in Stripe's response cannot be parsed.")
      refunds.push(one)
    }
    const last = read.at(-1)
    if (hasMore !== true || last == null) return { kind: 'ok', value: refunds }
    after = last.outcome.gatewayTransactionId
  }
  return unknown('The payment has too many refunds to search.')
}

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`
}

function amountRefused(responseMessage: string): Step<never> {
  return { kind: 'refused', responseCode: 'amount_not_supported', responseMessage }
}

function instrumentRefused(): Step<never> {
  const responseMessage = 'Stripe takes cards, its own payment methods and the data of its component.'
  return { kind: 'refused', responseCode: 'instrument_not_supported', responseMessage }
}
