import { ADYEN_EXPIRY, newAdyenCard } from '../../twins/common/new-card.ts'
import type { Behavior, TwinKind } from './twin-kind.ts'

const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'

/** Cards that the twin stores for a payer and that are bound by their id there. */
const HOLDERS: Readonly<Partial<Record<Behavior, string>>> = {
  approves: 'Chan Tai Man',
  soft_decline: 'LATER NOT_ENOUGH_BALANCE',
  hard_decline: 'LATER BLOCK_CARD',
  asks_on_session: 'LATER AUTHENTICATION_REQUIRED',
  asks_always: 'LATER AUTHENTICATION_REQUIRED',
}

export const ADYEN: TwinKind = {
  acquirer: 'adyen',
  credentials: (name, mode) => ({
    api_key: `AQE_${mode}_${name}`,
    client_key: `${mode}_${name}`,
    merchant_account: `${name}ECOM`,
    hmac_key: HMAC_KEY,
  }),
  showsMode: true,
  takesStoredNumbers: true,
  noticeSecret: HMAC_KEY,
  forgedSecret: '0'.repeat(64),
  noticeAccount: (merchantId) => merchantId,
  instrument: async (url, { id: accountId, credentials }, customerUuid, behavior) => {
    const holder = HOLDERS[behavior]
    // A stored card needs no verification, so these are bound by their number.
    if (holder === undefined) return rawCard(behavior)
    const id = await newAdyenCard(url, {
      apiKey: credentials['api_key'] ?? '',
      merchantAccount: credentials['merchant_account'] ?? '',
      customerUuid,
      holderName: holder,
    })
    return { token_type: 'CreditCard', acquirer_token: { acquirer_account_id: accountId, id } }
  },
  bound: {
    number: /^411111\*+1111$|1111$/,
    expiry: ['03', '2030'],
    reference: /^[A-Z0-9]{16}$/,
    unknownToken: 'NONE',
  },
  paths: {
    begin: '^POST /v72/payments$',
    sale: '^POST /v72/payments/[^/]+/captures$',
    capture: '^POST /v72/payments/[^/]+/captures$',
    refund: '^POST /v72/payments/[^/]+/refunds$',
    void: '^POST /v72/payments/[^/]+/cancels$',
  },
  declines: {
    soft_decline: ['insufficient_funds', '12'],
    hard_decline: ['stolen_card', '5'],
  },
  challengeForm: (_url, isApproved) => ({ decision: isApproved ? 'approve' : 'decline' }),
}

function rawCard(behavior: Behavior): Record<string, unknown> {
  const asks = behavior === 'asks_at_binding'
  return {
    token_type: 'CreditCard',
    credit_card: {
      number: asks ? '371449635398431' : '4111111111111111',
      exp_month: ADYEN_EXPIRY.month,
      exp_year: ADYEN_EXPIRY.year,
      cvc: asks ? '7373' : '737',
      holder_name: asks ? 'Chan Tai Man' : 'DECLINED',
      billing_currency: 'HKD',
    },
  }
}
