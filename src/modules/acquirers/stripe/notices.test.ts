import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { noticeReader } from './notices.ts'

// Proves reference/acquirers#stripe.

const SECRET = 'whsec_first'
const SIGNED_AT = 1_795_000_000
/** The official SDK signs and verifies; the adapter must agree with it. */
const { webhooks } = new Stripe('sk_test_unused')

function sign(payload: string, secret = SECRET, timestamp = SIGNED_AT): string {
  return webhooks.generateTestHeaderString({ payload, secret, timestamp })
}

function read(payload: string, header: string | undefined, { secrets = [SECRET], after = 0 } = {}) {
  return noticeReader(secrets)({
    body: Buffer.from(payload),
    headers: { 'stripe-signature': header },
    receivedAt: Temporal.Instant.fromEpochMilliseconds((SIGNED_AT + after) * 1000),
  })
}

function eventOf(type: string, object: object): string {
  return JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } })
}

const EVENT = eventOf('payment_intent.succeeded', {
  id: 'pi_1',
  object: 'payment_intent',
  metadata: { quittance_key: 'key-1' },
})

test('a notice signed by the official SDK is read', () => {
  expect(read(EVENT, sign(EVENT))).toEqual({
    ok: true,
    notices: [
      {
        id: 'evt_1',
        type: 'payment_intent.succeeded',
        subject: { kind: 'payment', reference: 'pi_1', key: 'key-1' },
        facts: {},
      },
    ],
  })
})

test('the signature covers the bytes of the body and its time', () => {
  const header = sign(EVENT)
  const invalid = { ok: false, reason: 'invalid_signature' }
  expect(read(`${EVENT} `, header)).toEqual(invalid)
  expect(read(EVENT, header.replace(`t=${SIGNED_AT}`, `t=${SIGNED_AT + 1}`))).toEqual(invalid)
  expect(read(EVENT, sign(EVENT, 'whsec_wrong'))).toEqual(invalid)
  expect(read(EVENT, undefined)).toEqual(invalid)
  expect(read(EVENT, 'garbage')).toEqual(invalid)
  expect(read(EVENT, header.replace('v1=', 'v0='))).toEqual(invalid)
  expect(
    noticeReader([])({ body: Buffer.from(EVENT), headers: {}, receivedAt: Temporal.Now.instant() }),
  ).toEqual(invalid)
})

test('a signature is taken for 300 s', () => {
  expect(read(EVENT, sign(EVENT), { after: 300 }).ok).toBe(true)
  expect(read(EVENT, sign(EVENT), { after: 301 })).toEqual({ ok: false, reason: 'invalid_signature' })
})

test('while a secret is rotated, any signature may fit any of our secrets', () => {
  const both = `${sign(EVENT, 'whsec_old')},${sign(EVENT, 'whsec_new').split(',')[1]}`
  expect(read(EVENT, both, { secrets: ['whsec_old'] }).ok).toBe(true)
  expect(read(EVENT, both, { secrets: ['whsec_new'] }).ok).toBe(true)
  expect(read(EVENT, sign(EVENT, 'whsec_new'), { secrets: ['whsec_old', 'whsec_new'] }).ok).toBe(true)
  expect(read(EVENT, both, { secrets: ['whsec_other'] }).ok).toBe(false)
})

test.each([
  ['payment_intent.canceled', { id: 'pi_1', object: 'payment_intent' }, 'payment', 'pi_1'],
  ['charge.refunded', { id: 'ch_1', object: 'charge', payment_intent: 'pi_1' }, 'payment', 'pi_1'],
  ['charge.captured', { id: 'ch_1', object: 'charge', payment_intent: { id: 'pi_1' } }, 'payment', 'pi_1'],
  ['charge.failed', { id: 'ch_1', object: 'charge', payment_intent: null }, 'payment', 'ch_1'],
  ['refund.updated', { id: 're_1', object: 'refund', payment_intent: 'pi_1' }, 'payment', 're_1'],
  ['charge.refund.updated', { id: 're_1', object: 'refund', payment_intent: 'pi_1' }, 'payment', 're_1'],
  ['setup_intent.setup_failed', { id: 'seti_1', object: 'setup_intent' }, 'verification', 'seti_1'],
  ['payment_method.automatically_updated', { id: 'pm_1', object: 'payment_method' }, 'instrument', 'pm_1'],
  ['charge.dispute.closed', { id: 'dp_1', object: 'dispute', payment_intent: 'pi_1' }, 'dispute', 'dp_1'],
  ['payout.paid', { id: 'po_1', object: 'payout' }, 'report', 'po_1'],
  ['customer.created', { id: 'cus_1', object: 'customer' }, 'other', 'cus_1'],
])('%s is about its object', (type, object, kind, reference) => {
  const event = eventOf(type, object)
  expect(read(event, sign(event))).toMatchObject({
    notices: [{ type, subject: { kind, reference, key: null } }],
  })
})

test('what is signed and is no event is invalid', () => {
  for (const body of [
    '',
    '[]',
    '{}',
    '{"id":"evt_1","type":"x"}',
    '{"id":"evt_1","data":{"object":{"id":"x"}}}',
  ]) {
    expect(read(body, sign(body))).toEqual({ ok: false, reason: 'invalid_body' })
  }
})
