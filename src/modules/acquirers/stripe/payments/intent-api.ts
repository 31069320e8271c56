import type { IntentApi } from '../../intents/intent-acquirer.ts'
import type { StripeClient } from '../wire/stripe-client.ts'
import { paymentIntents } from './payment-intents.ts'
import { type AttachedMethod, attachMethod } from '../verifications/payment-methods.ts'
import { setupIntents } from '../verifications/setup-intents.ts'

export function stripeIntents(
  client: StripeClient,
  statementDescriptor: string | null,
): IntentApi<AttachedMethod> {
  const over = (via: 'send' | 'ask') => ({
    payments: paymentIntents({ client, via, statementDescriptor }),
    verifications: setupIntents(client, via),
  })
  return {
    ...over('send'),
    inquiries: over('ask'),
    prepareVerification: (request) => attachMethod(client, request),
  }
}
