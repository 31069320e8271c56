import { createServer } from 'node:http'
import { onTestFinished, expect, test } from 'vitest'
import { stripeAdapter } from './index.ts'

// Proves reference/acquirers#stripe.

const CREDENTIALS = { secret_key: 'sk_test_1', publishable_key: 'pk_test_1', webhook_secret: 'whsec_1' }

function check(change: object = {}, rest: object = {}) {
  const credentials = { ...CREDENTIALS, ...change }
  const settings = { environment: 'test', credentials, apiBase: '', statementDescriptor: null } as const
  return stripeAdapter.checkForm({ ...settings, ...rest })
}

test('a test environment takes test keys, a live one live keys', () => {
  expect(check()).toBeNull()
  expect(check({ secret_key: 'rk_test_1', webhook_secret: 'whsec_1, whsec_2' })).toBeNull()
  const live = { secret_key: 'rk_live_1', publishable_key: 'pk_live_1' }
  expect(check(live, { environment: 'live' })).toBeNull()
  expect(check({}, { environment: 'live' })).toMatchObject({ member: 'credentials.secret_key' })
  expect(check(live)).toMatchObject({ member: 'credentials.secret_key' })
})

test.each([
  [{ secret_key: 'pk_test_1' }, 'credentials.secret_key'],
  [{ secret_key: 'sk_live_1' }, 'credentials.secret_key'],
  [{ secret_key: 'sk_test_' }, 'credentials.secret_key'],
  [{ publishable_key: 'sk_test_1' }, 'credentials.publishable_key'],
  [{ publishable_key: 'pk_live_1' }, 'credentials.publishable_key'],
  [{ webhook_secret: '' }, 'credentials.webhook_secret'],
  [{ webhook_secret: 'whsec_1,secret' }, 'credentials.webhook_secret'],
])('%j is refused as %s', (change, member) => {
  expect(check(change)).toMatchObject({ kind: 'refused', member })
})

test.each([
  ['SHOP 1', null],
  ['1234', 'statement_descriptor'],
  ["JOE'S", 'statement_descriptor'],
  ['A name that is much too long', 'statement_descriptor'],
])('the statement descriptor %s', (statementDescriptor, member) => {
  const refused = check({}, { statementDescriptor })
  expect(refused?.member ?? null).toBe(member)
})

type Answers = Readonly<Record<string, readonly [status: number, body: string]>>

/** Checks credentials against a server with these responses by path. */
async function checkAgainst(answers: Answers) {
  const asked: string[] = []
  const server = createServer((request, reply) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    const [status, body] = answers[request.url ?? ''] ?? [
      404,
      '{"error":{"message":"Unrecognized request URL"}}',
    ]
    reply.writeHead(status).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const result = await askAt(`http://127.0.0.1:${port}`)
  return { result, asked }
}

function askAt(apiBase: string) {
  const settings = {
    environment: 'test',
    credentials: CREDENTIALS,
    apiBase,
    statementDescriptor: null,
  } as const
  return stripeAdapter.checkCredentials(settings, { connect: {}, timeoutMs: 60_000 })
}

const ACCOUNT = '{"id":"acct_1","object":"account"}'
const INVALID_KEY =
  '{"error":{"type":"invalid_request_error","message":"Invalid API Key provided: sk_test_1"}}'

test('the account names the merchant', async () => {
  const { result, asked } = await checkAgainst({ '/v1/account': [200, ACCOUNT] })
  expect(result).toEqual({ kind: 'accepted', merchantId: 'acct_1' })
  expect(asked).toEqual(['GET /v1/account Bearer sk_test_1'])
})

test('a double without accounts is asked for its balance', async () => {
  const { result } = await checkAgainst({ '/v1/balance': [200, '{"object":"balance"}'] })
  expect(result).toEqual({ kind: 'accepted', merchantId: 'stripe' })
})

test('a key that Stripe refuses is named, and not repeated in the message', async () => {
  for (const status of [401, 403]) {
    const { result } = await checkAgainst({ '/v1/account': [status, INVALID_KEY] })
    expect(result).toMatchObject({ kind: 'refused', member: 'credentials.secret_key' })
    expect(JSON.stringify(result)).not.toContain('sk_test_1')
  }
})

test.each<[string, Answers]>([
  ['a web page', { '/v1/account': [200, '<html>'] }],
  ['other JSON', { '/v1/account': [200, '{"object":"list"}'] }],
  ['a redirect', { '/v1/account': [302, ''] }],
  ['a page that is missing', { '/v1/account': [404, 'x'], '/v1/balance': [404, 'x'] }],
])('%s is not Stripe', async (_, answers) => {
  const { result } = await checkAgainst(answers)
  expect(result).toMatchObject({ kind: 'refused', member: 'api_base' })
})

test('a server that is down or busy says nothing about the key', async () => {
  for (const status of [429, 500, 503]) {
    const { result } = await checkAgainst({ '/v1/account': [status, '{}'] })
    expect(result.kind).toBe('unavailable')
  }
  expect((await askAt('http://127.0.0.1:9')).kind).toBe('unavailable')
})
