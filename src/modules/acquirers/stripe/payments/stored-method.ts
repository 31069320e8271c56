import type { Reply } from '../../port/disputes.ts'
import type { VerifiedInstrument } from '../../port/port.ts'
import { failedReply } from '../reports/replies.ts'
import type { StripeClient } from '../wire/stripe-client.ts'
import { readInstrument } from './payment-methods.ts'

export async function readStoredMethod(
  client: StripeClient,
  id: string,
  payerReference: string | null,
): Promise<Reply<VerifiedInstrument>> {
  const answer = await client.get(`/v1/payment_methods/${encodeURIComponent(id)}`)
  if (answer.kind !== 'ok') return failedReply(answer)
  const instrument = readInstrument(answer.object, payerReference)
  if (instrument !== null) return { kind: 'ok', value: instrument }
  return { kind: 'refused', message: 'The payment method is not a card.' }
}
