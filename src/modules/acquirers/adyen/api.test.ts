import { afterAll, expect, test } from 'vitest'
import { startHttpServer } from '#platform/testing/http-server'
import { adyenAdapter } from './index.ts'
import { NEEDS_DATA } from '../../../../twins/common/acquirer-data.ts'
import { examplesOf, HAS_EXAMPLES } from './testing/examples.ts'
import { chargeCall, lookup } from './testing/adyen-twin.ts'

// Proves reference/acquirers#adyen.
// A server that replies whatever the test says, because the twin never sends most of these replies.
let reply: { status: number; text: string; headers?: Record<string, string> } = { status: 200, text: '' }
const apiBase = await startHttpServer((_request, response) => {
  response.writeHead(reply.status, reply.headers).end(reply.text)
})
function connect() {
  const credentials = {
    api_key: 'AQE',
    client_key: 'test_1',
    merchant_account: 'Shop',
    hmac_key: 'AB'.repeat(32),
  }
  return adyenAdapter.connect(
    { environment: 'test', credentials, apiBase, statementDescriptor: null, merchantId: 'Shop' },
    { connect: {}, timeoutMs: 60_000, findNotices: async () => [] },
  )
}
const later = connect()
afterAll(() => later.disconnect())

async function sale(): Promise<string> {
  const acquirer = connect()
  const { kind } = await acquirer.sale(chargeCall().request)
  await acquirer.disconnect()
  return kind
}

test.each([
  [400, '{"errorCode":"702"}', {}, 'refused'],
  [401, 'no json', {}, 'refused'],
  [403, '{"errorCode":"901"}', {}, 'refused'],
  [422, '{"errorCode":"14_030"}', {}, 'refused'],
  [422, '{"errorCode":"704"}', {}, 'unknown'],
  [409, '{"errorCode":"704"}', {}, 'unknown'],
  [422, '{"errorCode":"1"}', { 'transient-error': 'true' }, 'unknown'],
  [408, '{}', {}, 'unknown'],
  [429, '{}', {}, 'unknown'],
  [500, '{"errorCode":"905"}', {}, 'unknown'],
  [302, '', { location: 'https://elsewhere.example' }, 'unknown'],
  [200, '', {}, 'unknown'],
  [200, '[]', {}, 'unknown'],
  [200, '{"resultCode":"Authorised"}', {}, 'unknown'],
  [200, '{"resultCode":"Refused","pspReference":"P"}', {}, 'declined'],
])('a payment that gets HTTP %i and %s is %s', async (status, text, headers, kind) => {
  reply = { status, text, headers }
  expect(await sale()).toBe(kind)
})

test.each([400, 401, 409, 422, 500])(
  'HTTP %i closes no key of a payment that may be captured',
  async (status) => {
    reply = { status, text: '{}' }
    const question = lookup('k', { reference: 'pending:P1' })
    expect((await later.closeKey(question)).kind).toBe('unknown')
  },
)

test('a sale that can neither be captured nor canceled stays unknown', async () => {
  reply = { status: 422, text: '{"errorCode":"167","message":"Original pspReference required"}' }
  const question = lookup('k', { reference: 'P1' })
  expect((await later.inquire(question)).kind).toBe('unknown')
})

test.skipIf(!HAS_EXAMPLES)(`Adyen's example of an error is reported as it is ${NEEDS_DATA}`, async () => {
  reply = { status: 422, text: JSON.stringify(examplesOf('CheckoutService-v72').get('generic-422')) }
  const acquirer = connect()
  expect(await acquirer.sale(chargeCall().request)).toEqual({
    kind: 'refused',
    responseCode: '14_030',
    responseMessage: 'Return URL is missing.',
  })
  await acquirer.disconnect()
})

test.skipIf(!HAS_EXAMPLES)(`Adyen's example of "received" counts as done ${NEEDS_DATA}`, async () => {
  const example = examplesOf('CheckoutService-v72').get(
    'post-payments-paymentPspReference-captures-capture-201',
  )
  reply = { status: 201, text: JSON.stringify(example) }
  const { key, at, amount, commitReference } = chargeCall().request
  const capture = {
    key,
    at,
    amount,
    commitReference,
    originalKey: 'o',
    originalReference: '993617894903480A',
  }
  expect(await later.capture(capture)).toMatchObject({
    kind: 'approved',
    gatewayTransactionId: '993617894903480A',
    rrn: '993617894906488A',
    responseCode: 'received',
  })
})
