import { hmacValidator as HmacValidator } from '@adyen/api-library'
import { describe, expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import type { Members } from '../../port/members.ts'
import { listOf, membersOf } from '../members.ts'
import { countedRows, NEEDS_DATA } from '../../../../../twins/common/acquirer-data.ts'
import { examplesOf, HAS_EXAMPLES } from '../testing/examples.ts'
import { createReadNotices } from './read-notices.ts'

// Proves reference/acquirers#adyen.
const KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056'
const OLD_KEY = 'A'.repeat(64)
const MERCHANT = 'YOUR_MERCHANT_ACCOUNT'
const signer = new HmacValidator()
const read = createReadNotices({ credentials: { hmac_key: KEY, merchant_account: MERCHANT } })

const AUTHORISATION = {
  amount: { currency: 'EUR', value: 1000 },
  eventCode: 'AUTHORISATION',
  eventDate: '2021-01-01T01:00:00+01:00',
  merchantAccountCode: MERCHANT,
  merchantReference: 'txn_1',
  paymentMethod: 'visa',
  pspReference: 'QFQTPCQ8HXSKGK82',
  reason: '033899:1111:03/2030',
  success: 'true',
  additionalData: { cardSummary: '1111', expiryDate: '03/2030', cardBin: '411111', authCode: '033899' },
}

function signed(item: Members, key = KEY): Members {
  const hmacSignature = signer.calculateHmac(item as never, key)
  return { ...item, additionalData: { ...membersOf(item, 'additionalData'), hmacSignature } }
}

function post(items: readonly Members[], headers: Record<string, string> = {}) {
  const notificationItems = items.map((NotificationRequestItem) => ({ NotificationRequestItem }))
  return read({
    body: Buffer.from(JSON.stringify({ live: 'false', notificationItems })),
    headers,
    receivedAt: realClock.now(),
  })
}

function noticesIn(reading: ReturnType<typeof read>) {
  if (!reading.ok) throw new Error(reading.reason)
  return reading.notices
}

describe.skipIf(!HAS_EXAMPLES)(`the examples of Adyen's description ${NEEDS_DATA}`, () => {
  const examples = [...examplesOf('Webhooks-v1')].flatMap(([name, body]) =>
    listOf(body, 'notificationItems').map(
      (item) => [name, membersOf(item, 'NotificationRequestItem')] as const,
    ),
  )

  test.each(countedRows(examples, 39))(
    '%s is read once the official library has signed it',
    (_name, item) => {
      const [notice] = noticesIn(post([signed(item)]))
      expect(notice).toMatchObject({ type: item.eventCode, facts: { pspReference: item.pspReference } })
    },
  )

  test('there are examples of every kind of subject', () => {
    const kinds = examples
      .flatMap(([, item]) => noticesIn(post([signed(item)])))
      .map(({ subject }) => subject.kind)
    const expected = ['payment', 'hold', 'failure', 'expiry', 'dispute', 'report', 'instrument', 'other']
    expect(new Set(kinds)).toEqual(new Set(expected))
  })
})

test('a signature of the official library is taken, and one over other members is not', () => {
  expect(post([signed(AUTHORISATION)])).toMatchObject({ ok: true })
  for (const change of [
    { success: 'false' },
    { pspReference: 'QFQTPCQ8HXSKGK83' },
    { originalReference: 'X' },
    { merchantReference: 'txn_2' },
    { merchantAccountCode: 'Other' },
    { eventCode: 'CAPTURE' },
    { amount: { currency: 'EUR', value: 1001 } },
    { amount: { currency: 'USD', value: 1000 } },
  ]) {
    expect(post([{ ...signed(AUTHORISATION), ...change }])).toEqual({
      ok: false,
      reason: 'invalid_signature',
    })
  }
})

test('a body without items, without a signature or with a foreign one is refused as a whole', () => {
  const refusal = { ok: false, reason: 'invalid_signature' }
  expect(post([])).toEqual(refusal)
  expect(post([AUTHORISATION])).toEqual(refusal)
  expect(post([signed(AUTHORISATION, OLD_KEY)])).toEqual(refusal)
  expect(post([signed(AUTHORISATION), AUTHORISATION])).toEqual(refusal)
  expect(read({ body: Buffer.from('no json'), headers: {}, receivedAt: realClock.now() })).toEqual(refusal)
})

test('while keys rotate both are taken', () => {
  const rotating = createReadNotices({
    credentials: { hmac_key: `${KEY}, ${OLD_KEY}`, merchant_account: MERCHANT },
  })
  for (const key of [KEY, OLD_KEY]) {
    const notificationItems = [{ NotificationRequestItem: signed(AUTHORISATION, key) }]
    const body = Buffer.from(JSON.stringify({ notificationItems }))
    expect(rotating({ body, headers: {}, receivedAt: realClock.now() })).toMatchObject({ ok: true })
  }
})

test('facts hold no card data', () => {
  const text = JSON.stringify(noticesIn(post([signed(AUTHORISATION)])))
  for (const secret of ['1111', '03/2030', '411111', '033899']) expect(text).not.toContain(secret)
  const [declined] = noticesIn(post([signed({ ...AUTHORISATION, success: 'false', reason: 'Expired Card' })]))
  expect(declined?.facts.reason).toBe('Expired Card')
})

test('several items are several notices, and those of other merchant accounts are left out', () => {
  const capture = {
    ...AUTHORISATION,
    eventCode: 'CAPTURE',
    pspReference: 'CAPTURE1',
    originalReference: 'QFQTPCQ8HXSKGK82',
    merchantReference: 'txn_1:capture',
    reason: '',
  }
  const foreign = { ...AUTHORISATION, merchantAccountCode: 'Other' }
  expect(noticesIn(post([signed(AUTHORISATION), signed(capture), signed(foreign)]))).toMatchObject([
    { id: 'AUTHORISATION:QFQTPCQ8HXSKGK82:true', subject: { kind: 'hold', key: 'txn_1' } },
    { subject: { kind: 'payment', reference: 'QFQTPCQ8HXSKGK82', key: 'txn_1' } },
  ])
})

test('a repeated notice has the same id, a new status of a dispute another one', () => {
  const dispute = { ...AUTHORISATION, eventCode: 'CHARGEBACK', originalReference: 'P', reason: '' }
  const idOf = (item: Members) => noticesIn(post([signed(item)])).map(({ id }) => id)
  expect(idOf(AUTHORISATION)).toEqual(idOf({ ...AUTHORISATION, eventDate: '2021-01-02T01:00:00+01:00' }))
  const [open, lost] = ['Undefended', 'Lost'].map((disputeStatus) =>
    idOf({ ...dispute, additionalData: { disputeStatus } }),
  )
  expect(open).not.toEqual(lost)
})

test('a signed item without the documented members is invalid', () => {
  expect(post([signed({ ...AUTHORISATION, success: 'perhaps' })])).toEqual({
    ok: false,
    reason: 'invalid_body',
  })
  expect(post([signed({ ...AUTHORISATION, eventCode: '' })])).toEqual({ ok: false, reason: 'invalid_body' })
})

test('an event of a stored payment method is signed in a header', () => {
  const body = JSON.stringify({
    type: 'recurring.token.updated',
    eventId: 'E1',
    data: { merchantAccount: MERCHANT, storedPaymentMethodId: 'M5N7TQ4TG5PFWR50', shopperReference: 'cus_1' },
  })
  const hmacsignature = signer.calculateHmac(body, KEY)
  expect(signer.validateHMACSignature(KEY, hmacsignature, body)).toBe(true)
  const receivedAt = realClock.now()
  expect(noticesIn(read({ body: Buffer.from(body), headers: { hmacsignature }, receivedAt }))).toEqual([
    {
      id: 'recurring.token.updated:E1',
      type: 'recurring.token.updated',
      subject: { kind: 'instrument', reference: 'M5N7TQ4TG5PFWR50', key: null },
      facts: {},
    },
  ])
  expect(read({ body: Buffer.from(`${body} `), headers: { hmacsignature }, receivedAt })).toMatchObject({
    ok: false,
  })
})
