import type Stripe from 'stripe'
import type { PreparedVerification } from '../../intents/intent-acquirer.ts'
import { type Intent, type Intents, type Step, unknown } from '../../intents/intent.ts'
import type { FormOf } from '../wire/form.ts'
import { idOf, membersOf } from '../wire/members.ts'
import type { StripeResponse, StripeClient } from '../wire/stripe-client.ts'
import type { AttachedMethod } from './payment-methods.ts'
import { readInstrument } from './read-instrument.ts'
import { readIntentStep } from '../payments/read-intent.ts'

const PATH = '/v1/setup_intents'
const EXPAND = { expand: ['payment_method'] }

type Verification = PreparedVerification<AttachedMethod>

export function setupIntents(client: StripeClient, via: 'send' | 'ask'): Intents<Verification> {
  const withInstrument = async (response: StripeResponse): Promise<Step<Intent>> => {
    const step = readIntentStep(response)
    if (step.kind !== 'ok' || response.kind !== 'ok' || step.value.state !== 'done') return step
    return addInstrument(client, via, step.value, response)
  }
  return {
    create: async ({ key, paymentMethod, customer }) => {
      const form: FormOf<Stripe.SetupIntentCreateParams> = {
        customer,
        payment_method: paymentMethod,
        allowed_payment_method_types: ['card'],
        usage: 'off_session',
        metadata: { quittance_key: key },
      }
      return readIntentStep(await client.post(PATH, form, { via, key }))
    },
    confirm: async (id, { key, paymentMethod, returnUrl }) => {
      const form: FormOf<Stripe.SetupIntentConfirmParams> = {
        payment_method: paymentMethod,
        return_url: returnUrl,
        ...EXPAND,
      }
      return withInstrument(await client.post(`${pathOf(id)}/confirm`, form, { via, key: `${key}:confirm` }))
    },
    read: async (id) => withInstrument(await client.get(pathOf(id), EXPAND, via)),
    cancel: async (id) => readIntentStep(await client.post(`${pathOf(id)}/cancel`, {}, { via })),
  }
}

async function addInstrument(
  client: StripeClient,
  via: 'send' | 'ask',
  intent: Intent,
  { object }: Extract<StripeResponse, { kind: 'ok' }>,
): Promise<Step<Intent>> {
  const customer = idOf(object.customer)
  const expanded = readInstrument(membersOf(object.payment_method), customer)
  if (expanded !== null) return { kind: 'ok', value: { ...intent, instrument: expanded } }
  const id = idOf(object.payment_method)
  if (id === null) return { kind: 'ok', value: intent }
  const response = await client.get(`/v1/payment_methods/${encodeURIComponent(id)}`, {}, via)
  const instrument = response.kind === 'ok' ? readInstrument(response.object, customer) : null
  if (instrument === null) return unknown('The card is verified, but its payment method cannot be read.')
  return { kind: 'ok', value: { ...intent, instrument } }
}

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`
}
