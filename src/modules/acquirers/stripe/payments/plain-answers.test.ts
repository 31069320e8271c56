import { createServer } from 'node:http'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { ChargeRequest } from '../../port/port.ts'
import { stripeAdapter } from '../index.ts'
import { newLookup, newVerification } from '../testing/twin.ts'

// Proves reference/acquirers#stripe.

type HttpReply = readonly [status: number, body: object]

/** A double of Stripe that returns as few members as it can, and expands nothing. */
let answers: Record<string, HttpReply> = {}
const asked: string[] = []
const server = createServer((request, reply) => {
  const target = `${request.method} ${request.url?.split('?')[0]}`
  asked.push(target)
  const [status, body] = answers[target] ?? [404, { error: {} }]
  reply.writeHead(status).end(JSON.stringify(body))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const port = typeof address === 'object' ? address?.port : 0
const acquirer = stripeAdapter.connect(
  {
    environment: 'test',
    credentials: { secret_key: 'sk_test_1' },
    apiBase: `http://127.0.0.1:${port}`,
    statementDescriptor: null,
    merchantId: 'stripe',
  },
  { connect: {}, timeoutMs: 60_000, findNotices: async () => [] },
)
afterAll(async () => {
  await acquirer.disconnect()
  server.close()
})
beforeEach(() => {
  asked.length = 0
})

const PI = '/v1/payment_intents'
const SI = '/v1/setup_intents'
const request: ChargeRequest = {
  key: 'key-1',
  at: realClock.now(),
  amount: Money.ofDecimal('EUR', '5.00'),
  instrument: { type: 'acquirer_token', id: 'pm_1', payerReference: null },
  payerPresent: true,
  returnUrl: 'https://shop.test/back',
  orderNumber: 'O-1',
  commitReference: async () => true,
}
const lookup = { ...newLookup(request), reference: 'pi_1' }

function intent(status: string, more: object = {}): HttpReply {
  return [200, { id: 'pi_1', status, ...more }]
}

test('a payment needs nothing but id and status', async () => {
  answers = {
    [`POST ${PI}`]: intent('requires_confirmation'),
    [`POST ${PI}/pi_1/confirm`]: intent('succeeded'),
  }
  expect(await acquirer.sale(request)).toEqual({
    kind: 'approved',
    gatewayTransactionId: 'pi_1',
    rrn: '',
    authCode: '',
    batchNumber: '',
    responseCode: 'succeeded',
    responseMessage: '',
  })
})

test.each<[string, HttpReply]>([
  ['an error without the intent', [402, { error: { type: 'card_error', code: 'card_declined' } }]],
  [
    'an open intent with an error',
    intent('requires_payment_method', { last_payment_error: { type: 'card_error', code: 'card_declined' } }),
  ],
])('a decline can be %s', async (_, answer) => {
  answers = {
    [`POST ${PI}`]: intent('requires_confirmation'),
    [`POST ${PI}/pi_1/confirm`]: answer,
    [`POST ${PI}/pi_1/cancel`]: intent('canceled'),
  }
  expect(await acquirer.sale(request)).toMatchObject({
    kind: 'declined',
    gatewayTransactionId: 'pi_1',
    responseCode: 'card_declined',
  })
})

test('an intent that stays open without a reason is unknown, and can be closed', async () => {
  answers = {
    [`POST ${PI}`]: intent('requires_confirmation'),
    [`POST ${PI}/pi_1/confirm`]: intent('requires_payment_method'),
    [`GET ${PI}/pi_1`]: intent('requires_payment_method'),
    [`POST ${PI}/pi_1/cancel`]: intent('canceled'),
  }
  expect((await acquirer.sale(request)).kind).toBe('unknown')
  expect(await acquirer.inquire(lookup)).toEqual({ kind: 'absent', closed: false })
  expect(await acquirer.closeKey(lookup)).toEqual({ kind: 'absent', closed: true })
})

test.each(['requires_more', undefined])('an intent with the status %s is unknown', async (status) => {
  answers = {
    [`POST ${PI}`]: intent('requires_confirmation'),
    [`POST ${PI}/pi_1/confirm`]: [200, { id: 'pi_1', status }],
    [`GET ${PI}/pi_1`]: [200, { id: 'pi_1', status }],
  }
  expect((await acquirer.sale(request)).kind).toBe('unknown')
  expect((await acquirer.inquire(lookup)).kind).toBe('unknown')
})

test('a payment whose id is unknown at Stripe is never absent', async () => {
  answers = {}
  expect((await acquirer.inquire(lookup)).kind).toBe('unknown')
  expect((await acquirer.closeKey(lookup)).kind).toBe('unknown')
})

test('a verified card is read by its id where it is not expanded', async () => {
  const card = { brand: 'mastercard', last4: '4444', exp_month: 5, exp_year: 2031 }
  const method: HttpReply = [200, { id: 'pm_1', type: 'card', card }]
  const setup = (status: string): HttpReply => [
    200,
    { id: 'seti_1', status, payment_method: 'pm_1', customer: 'cus_1' },
  ]
  answers = {
    'GET /v1/payment_methods/pm_1': method,
    'POST /v1/customers': [200, { id: 'cus_1' }],
    'POST /v1/payment_methods/pm_1/attach': method,
    [`POST ${SI}`]: setup('requires_confirmation'),
    [`POST ${SI}/seti_1/confirm`]: setup('succeeded'),
    [`GET ${SI}/seti_1`]: setup('succeeded'),
  }
  const verification = newVerification({
    instrument: { type: 'acquirer_token', id: 'pm_1', payerReference: null },
  })
  const instrument = {
    id: 'pm_1',
    payerReference: 'cus_1',
    brand: 'mastercard',
    first6: null,
    last4: '4444',
    expMonth: 5,
    expYear: 2031,
    holderName: null,
    country: null,
  }
  expect(await acquirer.verify(verification.request)).toMatchObject({ kind: 'approved', instrument })
  expect(await acquirer.inquire(verification.lookup())).toMatchObject({ kind: 'approved', instrument })
  delete answers['GET /v1/payment_methods/pm_1']
  expect((await acquirer.inquire(verification.lookup())).kind).toBe('unknown')
  expect(asked).not.toContain(`POST ${SI}/seti_1/cancel`)
})
