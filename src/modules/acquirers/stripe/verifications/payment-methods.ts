import type Stripe from 'stripe'
import { type Step, unknown } from '../../intents/intent.ts'
import type { Reply } from '../../port/disputes.ts'
import type { Instrument, VerifiedInstrument, VerifyRequest } from '../../port/port.ts'
import type { FormOf } from '../wire/form.ts'
import { failedReply } from '../reports/replies.ts'
import { idOf, textOf } from '../wire/members.ts'
import type { StripeResponse, StripeClient } from '../wire/stripe-client.ts'
import { findCustomer } from '../payments/customers.ts'
import { cardForm, isPaymentMethodId } from '../payments/payment-intents.ts'
import { readFailure, refusedUnlessSent } from '../payments/read-intent.ts'
import { readInstrument } from './read-instrument.ts'

const PATH = '/v1/payment_methods'
export interface AttachedMethod {
  readonly paymentMethod: string
  readonly customer: string
}

export async function attachMethod(
  client: StripeClient,
  request: VerifyRequest,
): Promise<Step<AttachedMethod>> {
  const method = await findMethod(client, request.instrument, request.key)
  if (method.kind !== 'ok') return method
  const { id, customer: owner } = method.value
  const { reference } = request.payer
  // A payer without a customer here may already have one at Stripe; we adopt that customer.
  if (owner !== null && owner !== (reference ?? owner)) return ownedByAnother()
  if (owner !== null) return { kind: 'ok', value: { paymentMethod: id, customer: owner } }
  const customer = await findCustomer(client, request.payer, request.key)
  if (customer.kind !== 'ok') return customer

  const path = `${PATH}/${encodeURIComponent(id)}/attach`
  const key = `${request.key}:attach`
  const form: FormOf<Stripe.PaymentMethodAttachParams> = { customer: customer.value }
  const response = await client.post(path, form, { via: 'send', key })
  if (response.kind !== 'ok') return readFailure(response)
  const paymentMethod = textOf(response.object.id) ?? id
  return { kind: 'ok', value: { paymentMethod, customer: customer.value } }
}

export async function readStoredMethod(
  client: StripeClient,
  { id, payerReference }: { readonly id: string; readonly payerReference: string | null },
): Promise<Reply<VerifiedInstrument>> {
  const response = await client.get(`${PATH}/${encodeURIComponent(id)}`)
  if (response.kind !== 'ok') return failedReply(response)
  const value = readInstrument(response.object, payerReference)
  return value === null
    ? { kind: 'refused', message: 'The payment method is not a card.' }
    : { kind: 'ok', value }
}

interface FoundMethod {
  readonly id: string
  readonly customer: string | null
}

async function findMethod(
  client: StripeClient,
  instrument: Instrument,
  key: string,
): Promise<Step<FoundMethod>> {
  if (instrument.type === 'card') {
    const options = { via: 'begin', key: `${key}:method` } as const
    return readMethod(await client.post(PATH, cardForm(instrument), options))
  }
  const id =
    instrument.type === 'acquirer_token'
      ? instrument.id
      : instrument.type === 'component'
        ? instrument.data
        : ''
  if (!isPaymentMethodId(id)) {
    return refused('payment_method_invalid', 'The id of a payment method at Stripe begins with pm_.')
  }
  return readMethod(await client.get(`${PATH}/${id}`, {}, 'begin'))
}

function readMethod(response: StripeResponse): Step<FoundMethod> {
  if (response.kind !== 'ok') {
    const step = readFailure(response)
    return step.kind === 'unknown' ? refusedUnlessSent(step, response) : step
  }
  const id = textOf(response.object.id)
  if (id === null) return unknown("Stripe's response cannot be parsed.")
  const type = textOf(response.object.type) ?? 'card'
  if (type !== 'card')
    return refused('payment_method_not_supported', `The payment method is not a card: ${type}.`)
  return { kind: 'ok', value: { id, customer: idOf(response.object.customer) } }
}

function ownedByAnother(): Step<never> {
  return refused(
    'payment_method_of_another_customer',
    'The payment method is attached to another customer at Stripe, and can be charged only there.',
  )
}

function refused(responseCode: string, responseMessage: string): Step<never> {
  return { kind: 'refused', responseCode, responseMessage }
}
