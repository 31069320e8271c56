import type { ChargeRequest, Payer, VerifyRequest } from '../../port/port.ts'
import { toAdyenAmount } from '../amounts.ts'
import type { Members } from '../../port/members.ts'
import { paymentMethodOf } from './instrument.ts'

export interface Merchant {
  readonly merchantAccount: string
  readonly statementDescriptor: string | null
}

export type PaymentBody =
  | { readonly ok: true; readonly body: Members }
  | { readonly ok: false; readonly problem: string }

/** Adyen's limit for a value of `metadata`. */
const MAX_METADATA_VALUE = 80
const NO_RETURN = 'https://payer-is-not-present.invalid/'
const VERIFICATION_CURRENCY = 'EUR'
const REDIRECT_ONLY = { threeDSRequestData: { nativeThreeDS: 'disabled' } }

export function chargeBody(merchant: Merchant, request: ChargeRequest): PaymentBody {
  const { amount, instrument, key, orderNumber, payerPresent, returnUrl } = request
  const paymentMethod = paymentMethodOf(instrument)
  if (paymentMethod === null) return { ok: false, problem: 'Adyen does not support this payment method.' }
  const adyenAmount = toAdyenAmount(amount)
  if (adyenAmount === null) {
    return { ok: false, problem: `Adyen does not support this amount in ${amount.currency}.` }
  }
  const isStored = instrument.type === 'acquirer_token'
  const canChallenge = payerPresent && returnUrl !== undefined
  return {
    ok: true,
    body: {
      ...commonBody(merchant, { key, paymentMethod, returnUrl }),
      amount: adyenAmount,
      metadata: { order_number: orderNumber.slice(0, MAX_METADATA_VALUE) },
      additionalData: { manualCapture: 'true' },
      shopperInteraction: isStored || !payerPresent ? 'ContAuth' : 'Ecommerce',
      ...((isStored || !payerPresent) && {
        recurringProcessingModel: payerPresent ? 'CardOnFile' : 'UnscheduledCardOnFile',
      }),
      ...(isStored && instrument.payerReference !== null && { shopperReference: instrument.payerReference }),
      ...(request.savePayer !== undefined && savedWith(request.savePayer)),
      authenticationData: canChallenge || !payerPresent ? REDIRECT_ONLY : { attemptAuthentication: 'never' },
    },
  }
}

function savedWith(payer: Payer): Members {
  return {
    shopperReference: shopperOf({ payer }),
    storePaymentMethod: true,
    recurringProcessingModel: 'UnscheduledCardOnFile',
  }
}

export function withPayer(body: Members, returnUrl: string): Members {
  return {
    ...body,
    returnUrl,
    shopperInteraction: 'Ecommerce',
    authenticationData: { ...REDIRECT_ONLY, attemptAuthentication: 'always' },
  }
}

export function verificationBody(merchant: Merchant, request: VerifyRequest): PaymentBody {
  const { key, instrument, payer, returnUrl } = request
  const paymentMethod = paymentMethodOf(instrument)
  if (paymentMethod === null) return { ok: false, problem: 'Adyen cannot store this payment method.' }
  return {
    ok: true,
    body: {
      ...commonBody(merchant, { key, paymentMethod, returnUrl }),
      amount: { currency: VERIFICATION_CURRENCY, value: 0 },
      shopperReference: shopperOf(request),
      ...(payer.email !== '' && { shopperEmail: payer.email }),
      storePaymentMethod: true,
      shopperInteraction: 'Ecommerce',
      recurringProcessingModel: 'UnscheduledCardOnFile',
      authenticationData: returnUrl === undefined ? { attemptAuthentication: 'never' } : REDIRECT_ONLY,
    },
  }
}

export function shopperOf({ payer }: Pick<VerifyRequest, 'payer'>): string {
  return payer.reference ?? payer.customerUuid
}

function commonBody(
  { merchantAccount, statementDescriptor }: Merchant,
  {
    key,
    paymentMethod,
    returnUrl,
  }: { readonly key: string; readonly paymentMethod: Members; readonly returnUrl: string | undefined },
): Members {
  return {
    merchantAccount,
    reference: key,
    paymentMethod,
    channel: 'Web',
    returnUrl: returnUrl ?? NO_RETURN,
    redirectToIssuerMethod: 'GET',
    redirectFromIssuerMethod: 'GET',
    ...(statementDescriptor !== null && { shopperStatement: statementDescriptor }),
  }
}
