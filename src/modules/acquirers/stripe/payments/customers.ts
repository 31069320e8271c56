import type Stripe from 'stripe'
import { type Step, unknown } from '../../intents/intent.ts'
import type { Payer } from '../../port/port.ts'
import type { FormOf } from '../wire/form.ts'
import { textOf } from '../wire/members.ts'
import type { StripeResponse, StripeClient } from '../wire/stripe-client.ts'
import { readFailure } from './read-intent.ts'

/**
 * All verifications of a payer use the same key to create the customer. Stripe refuses the key while it remembers
 * another name or address; then the customer is created under a key of this verification.
 */
export async function findCustomer(client: StripeClient, payer: Payer, key: string): Promise<Step<string>> {
  if (payer.reference !== null) return { kind: 'ok', value: payer.reference }
  const common = `customer:${payer.customerUuid}`
  const first = await createCustomer(client, payer, common)
  const isChanged = first.kind === 'unknown' && first.status === 400
  const response = isChanged ? await createCustomer(client, payer, `${common}:${key}`) : first
  if (response.kind !== 'ok') return readFailure(response)
  const id = textOf(response.object.id)
  return id === null ? unknown("Stripe's response cannot be parsed.") : { kind: 'ok', value: id }
}

function createCustomer(
  client: StripeClient,
  { name, email, customerUuid }: Payer,
  key: string,
): Promise<StripeResponse> {
  const form: FormOf<Stripe.CustomerCreateParams> = {
    name: name === '' ? null : name,
    email: email === '' ? null : email,
    metadata: { quittance_customer: customerUuid },
  }
  return client.post('/v1/customers', form, { via: 'send', key })
}
