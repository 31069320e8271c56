import { hmacValidator as HmacValidator, TokenizationWebhooksHandler, type Types } from '@adyen/api-library'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { hasDescriptions, problemsOfNotice } from './testing/descriptions.ts'
import {
  ACCOUNT,
  CARD,
  HMAC_KEY,
  itemOf,
  type NoticeItem,
  payment,
  startReceiver,
  startWitnessedTwin,
  type WitnessedTwin,
} from './testing/witness.ts'

let twin: WitnessedTwin
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  twin = await startWitnessedTwin()
  receiver = await startReceiver()
})

beforeEach(async () => {
  receiver.received.length = 0
  receiver.status = 200
  await subscribe()
})

afterAll(async () => {
  await twin.close()
  await receiver.close()
})

const subscribe = (settings: object = {}) =>
  twin.control('PUT', 'notices', { account: ACCOUNT, url: receiver.url, secret: HMAC_KEY, ...settings })

async function pay(reference: string, members: object = {}): Promise<string> {
  const { body } = await twin.post('/v72/payments', payment(reference, members))
  return body.pspReference
}

const modify = async (psp: string, kind: string, reference: string, value?: number): Promise<string> => {
  const { status, body } = await twin.post(`/v72/payments/${psp}/${kind}`, {
    merchantAccount: ACCOUNT,
    reference,
    ...(value !== undefined && { amount: { currency: 'EUR', value } }),
  })
  expect(status).toBe(201)
  return body.pspReference
}

const held = (holderName: string) => ({ paymentMethod: { ...CARD, holderName } })

/** Waits for `count` standard notices and checks each with Adyen's validator and descriptions. */
async function notices(count: number): Promise<NoticeItem[]> {
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(count), 60_000)
  const validator = new HmacValidator()
  return receiver.received.map((notice) => {
    const item = itemOf(notice)
    expect(
      validator.validateHMAC(item as unknown as Types.notification.NotificationRequestItem, HMAC_KEY),
    ).toBe(true)
    if (hasDescriptions) expect(problemsOfNotice(notice.body)).toEqual([])
    return item
  })
}

const codes = (items: readonly NoticeItem[]) =>
  items
    .map(({ eventCode, success, merchantReference }) => `${eventCode} ${success} ${merchantReference}`)
    .sort()

test('authorizations, approved or refused, are reported with a signature that names each by our reference', async () => {
  const psp = await pay('n-1')
  await pay('n-2', held('NOT_ENOUGH_BALANCE'))
  const items = await notices(2)
  expect(codes(items)).toEqual(['AUTHORISATION false n-2', 'AUTHORISATION true n-1'])
  const approved = items.find(({ success }) => success === 'true')
  expect(approved).toMatchObject({ pspReference: psp, amount: { value: 1000, currency: 'EUR' } })
  expect(approved?.reason).toMatch(/^\d{6}:1111:03\/2030$/)
  const tampered = { ...approved, amount: { value: 1, currency: 'EUR' } }
  const validator = new HmacValidator()
  expect(
    validator.validateHMAC(tampered as unknown as Types.notification.NotificationRequestItem, HMAC_KEY),
  ).toBe(false)
})

test('a modification that cannot be done is accepted and reported as not successful', async () => {
  const psp = await pay('n-3')
  await modify(psp, 'refunds', 'n-3-refund', 100)
  await modify(psp, 'captures', 'n-3-more', 1001)
  const capture = await modify(psp, 'captures', 'n-3-capture', 600)
  await modify(psp, 'captures', 'n-3-again', 100)
  await modify(psp, 'cancels', 'n-3-cancel')
  await modify(psp, 'refunds', 'n-3-part', 500)
  await modify(psp, 'refunds', 'n-3-rest', 200)
  const items = await notices(8)
  expect(codes(items)).toEqual([
    'AUTHORISATION true n-3',
    'CANCELLATION false n-3-cancel',
    'CAPTURE false n-3-again',
    'CAPTURE false n-3-more',
    'CAPTURE true n-3-capture',
    'REFUND false n-3-refund',
    'REFUND false n-3-rest',
    'REFUND true n-3-part',
  ])
  expect(items.find(({ merchantReference }) => merchantReference === 'n-3-capture')).toMatchObject({
    pspReference: capture,
    originalReference: psp,
  })
  const reasons = Object.fromEntries(
    items.map(({ merchantReference, reason }) => [merchantReference, reason]),
  )
  expect(reasons).toMatchObject({
    'n-3-refund': "Transaction hasn't been captured, refund not possible",
    'n-3-more': 'Insufficient balance on payment',
  })
})

test('several captures need an account that allows them', async () => {
  const merchantAccount = 'TwinPartialCapturesECOM'
  const { body } = await twin.post('/v72/payments', payment('n-4', { merchantAccount }))
  const capture = (value: number) =>
    twin.post(`/v72/payments/${body.pspReference}/captures`, {
      merchantAccount,
      reference: `n-4-${value}`,
      amount: { currency: 'EUR', value },
    })
  for (const value of [300, 400, 301, 299]) await capture(value)
  const booked = (await twin.movements()).filter(({ account }) => account === merchantAccount)
  expect(booked.map(({ amount, outcome }) => `${amount} ${outcome}`)).toEqual([
    '10.00 approved',
    '3.00 approved',
    '4.00 approved',
    '3.01 declined',
    '2.99 approved',
  ])
})

test('captures and refunds that the bank refuses later move no money', async () => {
  const one = await pay('n-5', held('capture failed'))
  await modify(one, 'captures', 'n-5-capture', 1000)
  const two = await pay('n-6', held('refund failed'))
  await modify(two, 'captures', 'n-6-capture', 1000)
  await modify(two, 'refunds', 'n-6-refund', 1000)
  expect(codes(await notices(7))).toEqual([
    'AUTHORISATION true n-5',
    'AUTHORISATION true n-6',
    'CAPTURE true n-5-capture',
    'CAPTURE true n-6-capture',
    'CAPTURE_FAILED true n-5-capture',
    'REFUND true n-6-refund',
    'REFUND_FAILED true n-6-refund',
  ])
  const declined = (await twin.movements()).filter(({ key }) => ['n-5-capture', 'n-6-refund'].includes(key))
  expect(declined.map(({ outcome }) => outcome)).toEqual(['declined', 'declined'])
})

test('cancels are reported by the code of their kind', async () => {
  await modify(await pay('n-7'), 'cancels', 'n-7-void')
  await modify(await pay('n-8'), 'reversals', 'n-8-reversal')
  await modify(await pay('n-9', { additionalData: {} }), 'reversals', 'n-9-reversal')
  await pay('n-10')
  for (const paymentReference of ['n-10', 'n-10', 'never']) {
    await twin.post('/v72/cancels', { merchantAccount: ACCOUNT, paymentReference, reference: 'technical' })
  }
  const items = await notices(10)
  expect(codes(items.filter(({ eventCode }) => eventCode !== 'AUTHORISATION'))).toEqual([
    'CANCELLATION true n-7-void',
    'CANCEL_OR_REFUND true n-8-reversal',
    'CANCEL_OR_REFUND true n-9-reversal',
    'TECHNICAL_CANCEL false n-10',
    'TECHNICAL_CANCEL false never',
    'TECHNICAL_CANCEL true n-10',
  ])
  const actions = items.flatMap(({ additionalData }) => additionalData['modification.action'] ?? [])
  expect(actions.sort()).toEqual(['cancel', 'refund'])
})

test('a pending payment gets its result later, and a delayed capture happens at its hour', async () => {
  const { body } = await twin.post('/v72/payments', payment('n-11', held('PENDING')))
  expect(body.resultCode).toBe('Received')
  await pay('n-12', { additionalData: {}, captureDelayHours: 2 })
  await twin.control('POST', 'clock', { advance_seconds: 10 })
  expect(codes(await notices(2))).toEqual(['AUTHORISATION true n-11', 'AUTHORISATION true n-12'])
  const captured = async () =>
    (await twin.movements()).some(({ key, operation }) => key === 'n-12' && operation === 'capture')
  expect(await captured()).toBe(false)
  await twin.control('POST', 'clock', { advance_seconds: 7200 })
  expect(await captured()).toBe(true)
})

test('a stored card is reported in a webhook of its own, signed over the body', async () => {
  const store = {
    shopperReference: 'n-shopper',
    storePaymentMethod: true,
    recurringProcessingModel: 'CardOnFile',
  }
  await pay('n-13', store)
  await pay('n-14', store)
  await vi.waitFor(() => expect(receiver.received).toHaveLength(4), 60_000)
  const tokens = receiver.received.filter(({ headers }) => headers['hmacsignature'] !== undefined)
  const validator = new HmacValidator()
  for (const { headers, body } of tokens) {
    expect(validator.validateHMACSignature(HMAC_KEY, String(headers['hmacsignature']), body)).toBe(true)
  }
  const read = tokens.map(({ body }) => new TokenizationWebhooksHandler(body).getGenericWebhook())
  const types = read.map(({ type }): string => type).sort()
  expect(types).toEqual(['recurring.token.alreadyExisting', 'recurring.token.created'])
  const ids = new Set(read.map(({ data }) => data.storedPaymentMethodId))
  expect(ids.size).toBe(1)
  expect(read[0]?.data).toMatchObject({ merchantAccount: ACCOUNT, shopperReference: 'n-shopper' })
})

test('notices come late, repeatedly and out of order on demand, and again until they are taken', async () => {
  // Each takes up to twice the delay, which is longer than a busy machine takes for all payments.
  await subscribe({ delay_ms: 2_000, repeat: 2, shuffle: true })
  for (let n = 0; n < 8; n++) await pay(`shuffled-${n}`)
  const items = await notices(24)
  const order = items.map(({ merchantReference }) => merchantReference)
  expect(new Set(order).size).toBe(8)
  expect(order).not.toEqual(order.toSorted())
  await subscribe()
  receiver.received.length = 0
  receiver.status = 500
  await pay('refused-once')
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(receiver.received).toHaveLength(0)
  receiver.status = 200
  expect(codes(await notices(1))).toEqual(['AUTHORISATION true refused-once'])
})

test('a chargeback and its course are reported, and each has its own deadline and status', async () => {
  const psp = await pay('n-15', held('Chargeback:10.4'))
  await modify(psp, 'captures', 'n-15-capture', 1000)
  await modify(await pay('n-16', held('Second Chargeback')), 'captures', 'n-16-capture', 1000)
  const items = await notices(10)
  const course = (reference: string) =>
    items
      .filter(
        ({ merchantReference, eventCode }) =>
          merchantReference === reference && eventCode.includes('CHARGEBACK'),
      )
      .map(({ eventCode, additionalData }) => `${eventCode} ${additionalData['disputeStatus']}`)
      .sort()
  expect(course('n-15')).toEqual(['CHARGEBACK Unresponded', 'NOTIFICATION_OF_CHARGEBACK Unresponded'])
  expect(course('n-16')).toEqual([
    'CHARGEBACK Unresponded',
    'CHARGEBACK_REVERSED Unresponded',
    'NOTIFICATION_OF_CHARGEBACK Unresponded',
    'SECOND_CHARGEBACK Lost',
  ])
  const chargeback = items.find((item) => item.eventCode === 'CHARGEBACK' && item.originalReference === psp)
  expect(chargeback?.additionalData).toMatchObject({ chargebackReasonCode: '10.4', defendable: 'true' })
  receiver.received.length = 0
  await twin.control('POST', 'clock', { advance_seconds: 15 * 86_400 })
  expect((await notices(1)).map(({ eventCode }) => eventCode)).toEqual(['DISPUTE_DEFENSE_PERIOD_ENDED'])
})
