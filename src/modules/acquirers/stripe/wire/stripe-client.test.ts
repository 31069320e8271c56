import { createServer, type IncomingMessage } from 'node:http'
import Stripe from 'stripe'
import { afterAll, expect, test } from 'vitest'
import { encodeForm } from './form.ts'
import { safeMessage } from './members.ts'
import { createStripeClient } from './stripe-client.ts'

// Proves reference/acquirers#outcomes.
// Proves reference/acquirers#stripe.

let reply: readonly [status: number, body: string] = [200, '{}']
let asked: IncomingMessage | null = null
const server = createServer((request, response) => {
  asked = request
  response.writeHead(reply[0]).end(reply[1])
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const port = typeof address === 'object' ? address?.port : 0
const client = createStripeClient({
  apiBase: `http://127.0.0.1:${port}/prefix`,
  secretKey: 'sk_test_1',
  connect: {},
  timeoutMs: 60_000,
})
afterAll(async () => {
  await client.close()
  server.close()
})

const NOT_FOUND = '{"error":{"type":"invalid_request_error","code":"resource_missing"}}'

test.each<[number, string, string]>([
  [200, '{"id":"pi_1"}', 'ok'],
  [200, 'not JSON', 'unknown'],
  [200, '[]', 'unknown'],
  [302, '', 'unknown'],
  [400, '{"error":{"type":"invalid_request_error"}}', 'error'],
  [400, '{"error":{"type":"idempotency_error"}}', 'unknown'],
  [401, '{}', 'error'],
  [402, '{"error":{"type":"card_error"}}', 'error'],
  [404, NOT_FOUND, 'error'],
  [408, '{}', 'unknown'],
  [409, '{"error":{"code":"idempotency_key_in_use"}}', 'unknown'],
  [424, '{}', 'unknown'],
  [429, '{"error":{"code":"lock_timeout"}}', 'unknown'],
  [500, '{}', 'unknown'],
  [503, '{}', 'unknown'],
])('%i with %s is %s', async (status, body, kind) => {
  reply = [status, body]
  const answer = await client.post('/v1/refunds', { amount: 1 }, { via: 'send', key: 'key-1' })
  expect(answer.kind).toBe(kind)
})

test('a request carries the key, the pinned version and a form', async () => {
  reply = [200, '{}']
  await client.post('/v1/refunds', { amount: 1 }, { via: 'begin', key: 'key-1' })
  expect(asked).toMatchObject({
    url: '/prefix/v1/refunds',
    headers: {
      authorization: 'Bearer sk_test_1',
      'content-type': 'application/x-www-form-urlencoded',
      'idempotency-key': 'key-1',
      'stripe-version': Stripe.API_VERSION,
    },
  })
})

test('a payment is not begun while Stripe does not answer; what was begun is ended', async () => {
  reply = [500, '{}']
  const begin = () => client.post('/v1/payment_intents', {}, { via: 'begin' })
  for (let failures = 0; failures < 10; failures++) await begin()
  asked = null
  expect(await begin()).toMatchObject({ kind: 'unknown', status: 0 })
  expect(asked).toBeNull()
  reply = [200, '{}']
  expect((await client.post('/v1/payment_intents/pi_1/cancel', {}, { via: 'send' })).kind).toBe('ok')
})

test('forms are nested as Stripe reads them', () => {
  const form = {
    amount: 5n,
    metadata: { a: 'x y', none: null },
    expand: ['a', 'b'],
    no: undefined,
    yes: true,
  }
  expect(decodeURIComponent(encodeForm(form))).toBe('amount=5&metadata[a]=x+y&expand[]=a&expand[]=b&yes=true')
})

test('messages carry no secret and no card number', () => {
  const secrets = ['sk_test_51Habc', 'rk_live_1', 'whsec_abc', 'pi_1_secret_abc', 'seti_1_secret_9']
  const said = safeMessage(`No: ${secrets.join(' ')} 4242424242424242 pi_1`)
  for (const secret of secrets) expect(said).not.toContain(secret)
  expect(said).not.toContain('4242424242424242')
  expect(said).toContain('pi_1')
  expect(safeMessage('x'.repeat(1_000))).toHaveLength(500)
})
