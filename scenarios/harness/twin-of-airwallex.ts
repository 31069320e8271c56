import { newAirwallexCard } from '../../twins/common/new-card.ts'
import type { Behavior, TwinKind } from './twin-kind.ts'

const SECRET = 'whsec_scenarios'

/** Cards of consents that the payer's browser made, and which are bound by their id. */
const CONSENTS: Readonly<Partial<Record<Behavior, string>>> = {
  approves: '4035501000000008',
  soft_decline: '4000000000009995',
  hard_decline: '4000000000009979',
  asks_on_session: '4000002760003184',
  asks_always: '4000002760003184',
}

/** How often a cancellation that fails is sent: twice with one request id, then with a new one. */
export const CANCELLATIONS = 3

export const AIRWALLEX: TwinKind = {
  acquirer: 'airwallex',
  credentials: (name) => ({ client_id: name, api_key: `key_${name}`, webhook_secret: SECRET }),
  showsMode: false,
  takesStoredNumbers: false,
  noticeSecret: SECRET,
  forgedSecret: 'whsec_forged',
  noticeAccount: (merchantId) => merchantId,
  instrument: async (url, { id: accountId, credentials }, customerUuid, behavior) => {
    const number = CONSENTS[behavior]
    if (number === undefined) return rawCard(behavior)
    const id = await newAirwallexCard(url, {
      clientId: credentials['client_id'] ?? '',
      apiKey: credentials['api_key'] ?? '',
      customerUuid,
      number,
    })
    return { token_type: 'CreditCard', acquirer_token: { acquirer_account_id: accountId, id } }
  },
  bound: { number: /0008$/, expiry: ['12', '2049'], reference: /^int_/, unknownToken: 'cst_none' },
  paths: {
    begin: '^POST /api/v1/pa/payment_intents/create$',
    sale: '^POST /api/v1/pa/payment_intents/[^/]+/confirm$',
    capture: '^POST /api/v1/pa/payment_intents/[^/]+/capture$',
    refund: '^POST /api/v1/pa/refunds/create$',
    void: '^POST /api/v1/pa/payment_intents/[^/]+/cancel$',
  },
  declines: {
    soft_decline: ['insufficient_funds', '51'],
    hard_decline: ['stolen_card', '43'],
  },
  challengeForm: (_url, isApproved) => ({ answer: isApproved ? 'approve' : 'decline' }),
}

/** Asks the twin as the business itself, beside the service. A body is sent with POST. */
export async function askAirwallex(
  url: string,
  { client_id: name = '', api_key: key = '' }: Readonly<Record<string, string>>,
  path: string,
  body?: object,
): Promise<Response> {
  const login = await fetch(`${url}/api/v1/authentication/login`, {
    method: 'POST',
    headers: { 'x-client-id': name, 'x-api-key': key },
  })
  const { token } = (await login.json()) as { token: string }
  return fetch(`${url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
}

function rawCard(behavior: Behavior): Record<string, unknown> {
  return {
    token_type: 'CreditCard',
    credit_card: {
      number: behavior === 'asks_at_binding' ? '4012000300000088' : '4000000000000002',
      exp_month: '12',
      exp_year: '2030',
      cvc: '123',
      holder_name: 'Chan Tai Man',
      billing_currency: 'HKD',
    },
  }
}
