import { newStripeCard } from '../../twins/common/new-card.ts'
import type { Behavior, TwinKind } from './twin-kind.ts'

const NUMBERS: Readonly<Record<Behavior, string>> = {
  approves: '4242424242424242',
  refuses_binding: '4000000000000002',
  asks_at_binding: '4000002500003155',
  soft_decline: '4000000000000341',
  hard_decline: '4000000000009953',
  asks_on_session: '4000003800000446',
  asks_always: '4000002760003184',
}

export const STRIPE: TwinKind = {
  acquirer: 'stripe',
  credentials: (name, mode) => ({
    secret_key: `sk_${mode}_${name}`,
    publishable_key: `pk_${mode}_${name}`,
    webhook_secret: 'whsec_scenarios',
  }),
  showsMode: true,
  takesStoredNumbers: true,
  noticeSecret: 'whsec_scenarios',
  forgedSecret: 'whsec_forged',
  noticeAccount: (merchantId) => merchantId,
  instrument: async (url, { id: accountId, credentials }, _customerUuid, behavior) => {
    const id = await newStripeCard(url, credentials['secret_key'] ?? '', NUMBERS[behavior])
    return { token_type: 'CreditCard', acquirer_token: { acquirer_account_id: accountId, id } }
  },
  bound: { number: /4242$/, expiry: ['12', '2049'], reference: /^pi_/, unknownToken: 'pm_none' },
  paths: {
    begin: '^POST /v1/payment_intents$',
    sale: '^POST /v1/payment_intents/[^/]+/confirm$',
    capture: '^POST /v1/payment_intents/[^/]+/capture$',
    refund: '^POST /v1/refunds$',
    void: '^POST /v1/payment_intents/[^/]+/cancel$',
  },
  declines: {
    soft_decline: ['card_declined', 'generic_decline'],
    hard_decline: ['stolen_card', 'stolen_card'],
  },
  challengeForm: (url, isApproved) => ({
    client_secret: url.searchParams.get('client_secret') ?? '',
    answer: isApproved ? 'approve' : 'decline',
  }),
}
