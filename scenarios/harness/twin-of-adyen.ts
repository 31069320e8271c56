import type { Behavior, TwinKind } from './twins.ts'

const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'
const EXPIRY = { month: '03', year: '2030' }

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
  noticeSecret: HMAC_KEY,
  noticeAccount: (merchantId) => merchantId,
  instrument: async (url, { id: accountId, credentials }, customerUuid, behavior) => {
    const holder = HOLDERS[behavior]
    // A stored card needs no verification, so these are bound by their number.
    if (holder === undefined) return rawCard(behavior)
    const id = await storeCard(url, credentials, customerUuid, holder)
    return { token_type: 'CreditCard', acquirer_token: { acquirer_account_id: accountId, id } }
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
      exp_month: EXPIRY.month,
      exp_year: EXPIRY.year,
      cvc: asks ? '7373' : '737',
      holder_name: asks ? 'Chan Tai Man' : 'DECLINED',
      billing_currency: 'HKD',
    },
  }
}

async function storeCard(
  url: string,
  credentials: Readonly<Record<string, string>>,
  customerUuid: string,
  holderName: string,
): Promise<string> {
  const response = await fetch(`${url}/v72/payments`, {
    method: 'POST',
    headers: { 'x-api-key': credentials['api_key'] ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({
      merchantAccount: credentials['merchant_account'],
      amount: { currency: 'HKD', value: 0 },
      reference: `stored-${customerUuid}`,
      shopperReference: customerUuid,
      storePaymentMethod: true,
      shopperInteraction: 'Ecommerce',
      recurringProcessingModel: 'UnscheduledCardOnFile',
      returnUrl: 'https://shop.example.com/back',
      paymentMethod: {
        type: 'scheme',
        number: '4111111111111111',
        expiryMonth: EXPIRY.month,
        expiryYear: EXPIRY.year,
        cvc: '737',
        holderName,
      },
    }),
  })
  const { additionalData } = (await response.json()) as { additionalData?: Record<string, string> }
  const id = additionalData?.['recurring.recurringDetailReference']
  if (id === undefined) throw new Error(`the twin stored no card: ${response.status}`)
  return id
}
