import { createHmac } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import type { NoticeSubject } from '../port/notices.ts'
import { type HttpReply, intent, INTENT, startDouble } from './testing/double.ts'

// Proves reference/acquirers#airwallex, reference/acquirers#notices.
const double = await startDouble()
const NOW = realClock.now()
const acquirer = double.connect({
  credentials: { client_id: 'id', api_key: 'key', webhook_secret: 'whsec_new, whsec_old' },
})
afterAll(() => acquirer.disconnect())

interface Sent {
  readonly secret?: string
  readonly ageMs?: number
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly signed?: string
}

function read(notice: object | string, { secret = 'whsec_new', ageMs = 0, headers = {}, signed }: Sent = {}) {
  const body = typeof notice === 'string' ? notice : JSON.stringify(notice)
  const timestamp = String(NOW.epochMilliseconds - ageMs)
  const signature = createHmac('sha256', secret)
    .update(timestamp)
    .update(signed ?? body)
    .digest('hex')
  return acquirer.readNotices({
    body: Buffer.from(body),
    headers: { 'x-timestamp': timestamp, 'x-signature': signature, ...headers },
    receivedAt: NOW,
  })
}

const notice = (name: string, object: object, more: object = {}) => ({
  id: 'evt_1',
  name,
  account_id: 'acct_1',
  data: { object },
  ...more,
})
const PAID = notice('payment_intent.succeeded', { id: 'int_1' })
const REFUSED = { ok: false, reason: 'invalid_signature' }

test('each of several secrets signs, and no other', () => {
  expect(read(PAID)).toMatchObject({ ok: true, notices: [{ id: 'evt_1' }] })
  expect(read(PAID, { secret: 'whsec_old' })).toMatchObject({ ok: true })
  for (const secret of ['whsec_other', 'whsec_new, whsec_old', ' whsec_old', ''])
    expect(read(PAID, { secret })).toEqual(REFUSED)
})

test('the signature is over the bytes of the body, and may not be missing, short or another', () => {
  expect(read(`${JSON.stringify(PAID)} `, { signed: JSON.stringify(PAID) })).toEqual(REFUSED)
  for (const headers of [
    { 'x-signature': undefined },
    { 'x-signature': '' },
    { 'x-signature': 'ab'.repeat(31) },
    { 'x-signature': 'zz'.repeat(32) },
    { 'x-timestamp': undefined },
    { 'x-timestamp': 'soon' },
    { 'x-timestamp': String(NOW.epochMilliseconds + 1) },
  ])
    expect(read(PAID, { headers })).toEqual(REFUSED)
})

test.each([
  [299_000, true],
  [-299_000, true],
  [301_000, false],
  [-301_000, false],
])('a notice of an age of %i ms is taken: %s', (ageMs, isTaken) => {
  expect(read(PAID, { ageMs }).ok).toBe(isTaken)
})

test('the account is read from both spellings, and a notice of an organization names none', () => {
  const { account_id: _, ...unnamed } = PAID
  for (const own of [PAID, { ...unnamed, accountId: 'acct_1' }, { ...unnamed, org_id: 'org_1' }])
    expect(read(own)).toMatchObject({ notices: [{ id: 'evt_1' }] })
})

test.each<[string, object | string]>([
  ['another account', { ...PAID, account_id: 'acct_2' }],
  ['another account, in the other spelling', { ...PAID, account_id: undefined, accountId: 'acct_2' }],
  ['no object', { ...PAID, data: {} }],
  ['no name', { ...PAID, name: undefined }],
  ['no JSON', 'not json'],
  ['a list', '[]'],
  ['an id that is too long', { ...PAID, id: 'x'.repeat(300) }],
  ['an id with NUL', { ...PAID, id: 'evt_\0' }],
  [
    'an object whose id has half of a surrogate pair',
    notice('payment_intent.succeeded', { id: 'int_\ud800' }),
  ],
])('a signed notice of %s is taken and means nothing', (_, sent) => {
  expect(read(sent)).toEqual({ ok: true, notices: [] })
})

test.each<[string, object, NoticeSubject]>([
  ['payment_intent.succeeded', { id: 'int_1' }, { kind: 'payment', reference: 'int_1', key: null }],
  ['payment_intent.a_new_word', { id: 'int_1' }, { kind: 'payment', reference: 'int_1', key: null }],
  [
    'payment_attempt.expired',
    { id: 'att_1', payment_intent_id: 'int_1' },
    { kind: 'payment', reference: 'int_1', key: null },
  ],
  [
    'payment_attempt.capture_failed',
    { id: 'att_1', payment_intent_id: 'int_1' },
    { kind: 'failure', reference: 'int_1', key: null },
  ],
  ['refund.failed', { id: 'rfd_1' }, { kind: 'failure', reference: 'rfd_1', key: null }],
  ['refund.settled', { id: 'rfd_1' }, { kind: 'payment', reference: 'rfd_1', key: null }],
  [
    'payment_intent.cancelled',
    { id: 'int_1', metadata: { quittance_key: 'k', quittance_kind: 'authorization' } },
    { kind: 'release', reference: 'int_1', key: 'k' },
  ],
  [
    'payment_intent.cancelled',
    { id: 'int_1', metadata: { quittance_key: 'k', quittance_kind: 'sale' } },
    { kind: 'payment', reference: 'int_1', key: 'k' },
  ],
  ['payment_consent.verified', { id: 'cst_1' }, { kind: 'verification', reference: 'cst_1', key: null }],
  ['payment_consent.disabled', { id: 'cst_1' }, { kind: 'instrument', reference: 'cst_1', key: null }],
  ['payment_dispute.won', { id: 'dis_1' }, { kind: 'dispute', reference: 'dis_1', key: null }],
  ['customer.created', { id: 'cus_1' }, { kind: 'other', reference: 'cus_1', key: null }],
])('%s of %j', (name, object, subject) => {
  expect(read(notice(name, object))).toEqual({
    ok: true,
    notices: [{ id: 'evt_1', type: name, subject, facts: {} }],
  })
})

const key = 'txn_1'
const capture_failed = { latest_payment_attempt: { id: 'att_1', status: 'CAPTURE_FAILED' } }
const confirm = (type: string, reference: string) =>
  acquirer.confirmFailure?.({ type, subject: { kind: 'failure', reference, key: null } })

test.each<[string, string, HttpReply, object | null]>([
  [
    'a sale that was captured and failed',
    'payment_attempt.capture_failed',
    intent('SUCCEEDED', { metadata: { quittance_key: key, quittance_kind: 'sale' }, ...capture_failed }),
    { key, responseCode: 'capture_failed' },
  ],
  [
    'a capture of an authorization, by the request that was the last',
    'payment_attempt.capture_failed',
    intent('SUCCEEDED', {
      request_id: 'txn_2:again',
      metadata: { quittance_key: key, quittance_kind: 'authorization' },
      ...capture_failed,
    }),
    { key: 'txn_2' },
  ],
  [
    'a capture that did not fail',
    'payment_attempt.capture_failed',
    intent('SUCCEEDED', { metadata: { quittance_key: key, quittance_kind: 'sale' } }),
    null,
  ],
  [
    'an authorization that was canceled',
    'payment_intent.cancelled',
    intent('CANCELLED', { metadata: { quittance_key: key, quittance_kind: 'authorization' } }),
    { key, responseCode: 'cancelled' },
  ],
  [
    'an authorization that still stands',
    'payment_intent.cancelled',
    intent('REQUIRES_CAPTURE', { metadata: { quittance_key: key, quittance_kind: 'authorization' } }),
    null,
  ],
])('a notice is believed once the intent says so: %s', async (_, type, answer, value) => {
  double.answer({ [`GET ${INTENT}`]: answer })
  expect(await confirm(type, 'int_1')).toEqual({
    kind: 'ok',
    value: value === null ? null : expect.objectContaining(value),
  })
})

test('a refund that failed is read again, and a notice with a strange id asks nothing', async () => {
  const failed = { id: 'rfd_1', status: 'FAILED', request_id: key, failure_details: { code: 'NO_FUNDS' } }
  double.answer({ 'GET /pa/refunds/rfd_1': [200, failed] })
  expect(await confirm('refund.failed', 'rfd_1')).toMatchObject({ value: { key, responseCode: 'NO_FUNDS' } })
  double.answer({ 'GET /pa/refunds/rfd_1': [200, { ...failed, status: 'SETTLED' }] })
  expect(await confirm('refund.failed', 'rfd_1')).toEqual({ kind: 'ok', value: null })
  double.answer({})
  expect(await confirm('refund.failed', '../account')).toEqual({ kind: 'absent' })
  expect(await confirm('payment_attempt.capture_failed', 'att_1')).toEqual({ kind: 'absent' })
  expect(double.asked).toEqual([])
})
