import { CheckoutAPI, DisputesAPI, type HttpClientException, type Types } from '@adyen/api-library'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { hasDescriptions, problemsOf } from './testing/descriptions.ts'
import { ACCOUNT, payment, sdkOf, startWitnessedTwin, type WitnessedTwin } from './testing/witness.ts'

type PaymentRequest = Types.checkout.PaymentRequest

let twin: WitnessedTwin
let checkout: CheckoutAPI
let disputes: DisputesAPI['DisputesApi']

beforeAll(async () => {
  twin = await startWitnessedTwin()
  const client = sdkOf(twin.url)
  checkout = new CheckoutAPI(client)
  disputes = new DisputesAPI(client).DisputesApi
})

afterEach(() => {
  if (hasDescriptions) expect(problemsOf(twin.exchanges)).toEqual([])
  twin.exchanges.length = 0
})

afterAll(async () => {
  await twin.close()
  vi.restoreAllMocks()
})

const pay = (reference: string, members: object = {}) =>
  checkout.PaymentsApi.payments(payment(reference, members) as unknown as PaymentRequest, {
    idempotencyKey: reference,
  })

async function failureOf(promise: Promise<unknown>): Promise<HttpClientException> {
  try {
    await promise
  } catch (error) {
    return error as HttpClientException
  }
  throw new Error('The request was expected to fail')
}

test("Adyen's library authorizes, captures and refunds, and the books hold each movement once under its reference", async () => {
  const authorised = await pay('order-1')
  expect(authorised).toMatchObject({ resultCode: 'Authorised', merchantReference: 'order-1' })
  expect(authorised.amount).toMatchObject({ currency: 'EUR', value: 1000 })
  const psp = authorised.pspReference ?? ''
  expect(psp).toMatch(/^[A-Z0-9]{16}$/)

  const amount = { currency: 'EUR', value: 700 }
  const captured = await checkout.ModificationsApi.captureAuthorisedPayment(
    psp,
    { merchantAccount: ACCOUNT, reference: 'order-1-capture', amount },
    { idempotencyKey: 'order-1:capture' },
  )
  expect(captured).toMatchObject({
    status: 'received',
    paymentPspReference: psp,
    reference: 'order-1-capture',
  })
  const refunded = await checkout.ModificationsApi.refundCapturedPayment(
    psp,
    { merchantAccount: ACCOUNT, reference: 'order-1-refund', amount: { currency: 'EUR', value: 200 } },
    { idempotencyKey: 'order-1:refund' },
  )
  expect(refunded.pspReference).not.toBe(captured.pspReference)
  const booked = await twin.movements()
  expect(booked.map(({ reference }) => reference)).toEqual([psp, psp, refunded.pspReference])
  const movements = booked.map(
    ({ key, operation, amount: moved, outcome }) => `${key} ${operation} ${moved} ${outcome}`,
  )
  expect(movements).toEqual([
    'order-1 authorization 10.00 approved',
    'order-1-capture capture 7.00 approved',
    'order-1-refund refund 2.00 approved',
  ])
})

test('a holder name of the table of test results brings its refusal, and the movement is declined', async () => {
  const cases = [
    ['DECLINED', 'Refused', '2', 'Refused'],
    ['NOT_ENOUGH_BALANCE', 'Refused', '12', 'Not enough balance'],
    ['CARD_EXPIRED', 'Refused', '6', 'Expired Card'],
    ['ERROR', 'Error', '4', 'Acquirer Error'],
    ['FRAUD_CANCELLED', 'Cancelled', '22', 'FRAUD-CANCELLED'],
    ['DECLINED : 06 : ERROR', 'Refused', '2', 'Refused'],
  ] as const
  for (const [holderName, resultCode, refusalReasonCode, refusalReason] of cases) {
    const { paymentMethod } = payment('') as { paymentMethod: object }
    const answer = await pay(`refused-${holderName}`, { paymentMethod: { ...paymentMethod, holderName } })
    expect(answer).toMatchObject({ resultCode, refusalReason, refusalReasonCode })
  }
  const requested = await pay('refused-by-code', {
    additionalData: { manualCapture: 'true', RequestedTestAcquirerResponseCode: '5' },
  })
  expect(requested.refusalReason).toBe('Blocked Card')
  const declined = (await twin.movements()).filter(({ key }) => key.startsWith('refused-'))
  expect(declined).toHaveLength(cases.length + 1)
  expect(declined.every(({ outcome }) => outcome === 'declined')).toBe(true)
})

test("Adyen's test cards are refused with another expiry date or security code", async () => {
  const { paymentMethod } = payment('') as { paymentMethod: object }
  const expiry = await pay('expiry', {
    paymentMethod: { ...paymentMethod, encryptedExpiryYear: 'test_2031' },
  })
  expect(expiry).toMatchObject({ resultCode: 'Refused', refusalReasonCode: '2' })
  const cvc = await pay('cvc', { paymentMethod: { ...paymentMethod, encryptedSecurityCode: 'test_123' } })
  expect(cvc).toMatchObject({ resultCode: 'Refused', refusalReasonCode: '24' })
})

test('a stored card is charged off session for its shopper only', async () => {
  const stored = await pay('store', {
    amount: { currency: 'EUR', value: 0 },
    shopperReference: 'shopper-1',
    storePaymentMethod: true,
    recurringProcessingModel: 'Subscription',
    shopperInteraction: 'Ecommerce',
  })
  expect(stored.resultCode).toBe('Authorised')
  const id = stored.additionalData?.['recurring.recurringDetailReference'] ?? ''
  expect(stored.additionalData).toMatchObject({
    'tokenization.storedPaymentMethodId': id,
    'tokenization.store.operationType': 'created',
    'recurring.shopperReference': 'shopper-1',
    cardSummary: '1111',
    paymentMethod: 'visa',
  })
  expect((await twin.movements()).some(({ key }) => key === 'store')).toBe(false)

  const charge = (reference: string, shopperReference: string) =>
    pay(reference, {
      paymentMethod: { type: 'scheme', storedPaymentMethodId: id },
      shopperReference,
      recurringProcessingModel: 'Subscription',
      shopperInteraction: 'ContAuth',
    })
  expect((await charge('renewal', 'shopper-1')).resultCode).toBe('Authorised')
  expect(await failureOf(charge('stranger', 'shopper-2'))).toMatchObject({
    statusCode: 422,
    errorCode: '803',
  })

  const listed = await checkout.RecurringApi.getTokensForStoredPaymentDetails('shopper-1', ACCOUNT)
  expect(listed.storedPaymentMethods).toMatchObject([
    { id, firstPspReference: stored.pspReference, lastFour: '1111', brand: 'visa', expiryYear: '2030' },
  ])
  const methods = await checkout.PaymentsApi.paymentMethods({
    merchantAccount: ACCOUNT,
    shopperReference: 'shopper-1',
  })
  expect(methods.storedPaymentMethods?.[0]?.id).toBe(id)

  await twin.control('PUT', `stored_payment_methods/${id}`, { result: 'NOT_ENOUGH_BALANCE' })
  expect((await charge('poor', 'shopper-1')).refusalReasonCode).toBe('12')
  await twin.control('PUT', `stored_payment_methods/${id}`, { result: null })
  expect((await charge('rich', 'shopper-1')).resultCode).toBe('Authorised')

  await checkout.RecurringApi.deleteTokenForStoredPaymentDetails(id, 'shopper-1', ACCOUNT)
  expect(await failureOf(charge('deleted', 'shopper-1'))).toMatchObject({ errorCode: '803' })
})

test('a card can be stored first and refused later, or ask for a payer who is present', async () => {
  const store = async (shopperReference: string, holderName: string) => {
    const { paymentMethod } = payment('') as { paymentMethod: object }
    const stored = await pay(`store-${shopperReference}`, {
      amount: { currency: 'EUR', value: 0 },
      paymentMethod: { ...paymentMethod, holderName },
      shopperReference,
      storePaymentMethod: true,
      recurringProcessingModel: 'UnscheduledCardOnFile',
    })
    return stored.additionalData?.['tokenization.storedPaymentMethodId']
  }
  const charge = async (shopperReference: string, id: string | undefined, members: object) =>
    pay(`charge-${shopperReference}-${JSON.stringify(members)}`.slice(0, 60), {
      paymentMethod: { type: 'scheme', storedPaymentMethodId: id },
      shopperReference,
      ...members,
    })
  const poor = await store('poor', 'LATER NOT_ENOUGH_BALANCE')
  const nothing = { shopperInteraction: 'ContAuth', amount: { currency: 'EUR', value: 0 } }
  expect((await charge('poor', poor, nothing)).resultCode).toBe('Authorised')
  expect((await charge('poor', poor, { shopperInteraction: 'ContAuth' })).refusalReasonCode).toBe('12')
  const strict = await store('strict', 'LATER AUTHENTICATION_REQUIRED')
  expect((await charge('strict', strict, { shopperInteraction: 'ContAuth' })).refusalReasonCode).toBe('38')
  const present = await charge('strict', strict, { shopperInteraction: 'Ecommerce' })
  expect(present).toMatchObject({ resultCode: 'RedirectShopper', action: { type: 'redirect' } })
  const always = { shopperInteraction: 'Ecommerce', authenticationData: { attemptAuthentication: 'always' } }
  expect((await pay('always', always)).resultCode).toBe('RedirectShopper')
})

test('a payment with 3-D Secure is authorized once the shopper has returned, and not before', async () => {
  const card = {
    type: 'scheme',
    number: '4212345678901237',
    expiryMonth: '03',
    expiryYear: '2030',
    cvc: '737',
  }
  const begun = await pay('challenge', { paymentMethod: { ...card, holderName: 'Jane Doe' } })
  expect(begun).toMatchObject({ resultCode: 'RedirectShopper', action: { type: 'redirect', method: 'GET' } })
  const { url } = begun.action as Types.checkout.CheckoutRedirectAction
  const answer = await choose(url ?? '', 'approve')
  expect(answer.searchParams.get('order')).toBe('1')
  expect((await twin.movements()).some(({ key }) => key === 'challenge')).toBe(false)

  const details = { details: { redirectResult: answer.searchParams.get('redirectResult') ?? '' } }
  const done = await checkout.PaymentsApi.paymentsDetails(details, { idempotencyKey: 'challenge:details' })
  expect(done).toMatchObject({ resultCode: 'Authorised', merchantReference: 'challenge' })
  const again = await checkout.PaymentsApi.paymentsDetails(details, { idempotencyKey: 'challenge:details' })
  expect(again.pspReference).toBe(done.pspReference)
  // Adyen refuses a second attempt under another key.
  expect(await failureOf(checkout.PaymentsApi.paymentsDetails(details))).toMatchObject({ errorCode: '704' })

  const declined = await pay('declined-challenge', { paymentMethod: { ...card, holderName: 'Jane Doe' } })
  const page = (declined.action as Types.checkout.CheckoutRedirectAction).url ?? ''
  const back = await choose(page, 'decline')
  const refused = await checkout.PaymentsApi.paymentsDetails({
    details: { redirectResult: back.searchParams.get('redirectResult') ?? '' },
  })
  expect(refused).toMatchObject({ resultCode: 'Refused', refusalReasonCode: '11' })
  const made = await failureOf(
    checkout.PaymentsApi.paymentsDetails({ details: { redirectResult: 'made-up' } }),
  )
  expect(made).toMatchObject({ statusCode: 422, errorCode: '14_018' })
})

async function choose(url: string, decision: string): Promise<URL> {
  expect(await (await fetch(url)).text()).toContain('10.00 EUR')
  const answer = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ decision }),
    redirect: 'manual',
  })
  expect(answer.status).toBe(303)
  return new URL(answer.headers.get('location') ?? '')
}

test('cancels and reversals answer received, and a technical cancel needs only the reference', async () => {
  const one = await pay('cancel-1')
  const cancelled = await checkout.ModificationsApi.cancelAuthorisedPaymentByPspReference(
    one.pspReference ?? '',
    {
      merchantAccount: ACCOUNT,
      reference: 'cancel-1-void',
    },
  )
  expect(cancelled).toMatchObject({ status: 'received', paymentPspReference: one.pspReference })
  await pay('cancel-2')
  const technical = await checkout.ModificationsApi.cancelAuthorisedPayment({
    merchantAccount: ACCOUNT,
    paymentReference: 'cancel-2',
  })
  expect(technical).toMatchObject({ status: 'received', paymentReference: 'cancel-2' })
  const three = await pay('reverse-1', { additionalData: {} })
  await checkout.ModificationsApi.refundOrCancelPayment(three.pspReference ?? '', {
    merchantAccount: ACCOUNT,
  })
  const movements = (await twin.movements()).map(
    ({ key, operation, amount }) => `${key} ${operation} ${amount}`,
  )
  expect(movements).toEqual(
    expect.arrayContaining(['cancel-1-void void 10.00', 'cancel-2 void 10.00', 'reverse-1 refund 10.00']),
  )
})

test("refused requests have the form and the codes of Adyen's errors", async () => {
  const wrongKey = new CheckoutAPI(sdkOf(twin.url, 'refused'))
  const unauthorized = await failureOf(wrongKey.PaymentsApi.paymentMethods({ merchantAccount: ACCOUNT }))
  expect(unauthorized).toMatchObject({ statusCode: 401, errorCode: '000' })
  const merchant = await failureOf(checkout.PaymentsApi.paymentMethods({ merchantAccount: 'refused' }))
  expect(merchant).toMatchObject({ statusCode: 403, errorCode: '901' })
  const psp = (await pay('mine')).pspReference ?? ''
  const body = { merchantAccount: 'OtherShopECOM', amount: { currency: 'EUR', value: 1 } }
  const stranger = await failureOf(checkout.ModificationsApi.captureAuthorisedPayment(psp, body))
  expect(stranger).toMatchObject({ statusCode: 422, errorCode: '167' })
  expect(await failureOf(pay('no-return', { returnUrl: null }))).toMatchObject({ errorCode: '14_030' })
  const sealed = { type: 'scheme', encryptedCardNumber: 'adyenjs_0_1_25' }
  expect(await failureOf(pay('sealed', { paymentMethod: sealed }))).toMatchObject({ errorCode: '174' })
  const unknown = await twin.post('/v72/payments', payment('unknown', { capture: false }))
  expect(unknown.status).toBe(400)
  expect(unknown.body).toMatchObject({ errorCode: '702', errorType: 'validation' })
})

test('a dispute is defended with documents, once', async () => {
  const card = payment('') as { paymentMethod: object }
  const disputed = await pay('disputed', {
    additionalData: {},
    paymentMethod: { ...card.paymentMethod, holderName: 'Chargeback:10.4' },
  })
  const listed = (await twin.control('GET', 'disputes')) as { disputes: { psp: string; payment: string }[] }
  const dispute = listed.disputes.find((each) => each.payment === disputed.pspReference)
  const named = { merchantAccountCode: ACCOUNT, disputePspReference: dispute?.psp ?? '' }
  const reasons = await disputes.retrieveApplicableDefenseReasons(named)
  expect(reasons.defenseReasons?.map(({ defenseReasonCode }) => defenseReasonCode)).toContain(
    'SupplyDefenseMaterial',
  )

  const defense = { ...named, defenseReasonCode: 'SupplyDefenseMaterial' }
  expect((await disputes.defendDispute(defense)).disputeServiceResult.success).toBe(false)
  const document = {
    defenseDocumentTypeCode: 'DefenseMaterial',
    contentType: 'application/pdf',
    content: Buffer.from('%PDF-1.4 proof').toString('base64'),
  }
  const text = await disputes.supplyDefenseDocument({
    ...named,
    defenseDocuments: [{ ...document, contentType: 'text/plain' }],
  })
  expect(text.disputeServiceResult.success).toBe(false)
  const supplied = await disputes.supplyDefenseDocument({ ...named, defenseDocuments: [document] })
  expect(supplied.disputeServiceResult.success).toBe(true)
  const satisfied = (await disputes.retrieveApplicableDefenseReasons(named)).defenseReasons?.filter(
    (reason) => reason.satisfied,
  )
  expect(satisfied).toHaveLength(1)
  expect((await disputes.defendDispute(defense)).disputeServiceResult.success).toBe(true)
  expect((await disputes.defendDispute(defense)).disputeServiceResult.success).toBe(false)
  const stranger = { ...named, merchantAccountCode: 'OtherShopECOM' }
  expect((await disputes.acceptDispute(stranger)).disputeServiceResult.success).toBe(false)
})
