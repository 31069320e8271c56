import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import {
  AcquirerError,
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PaymentDeclinedError,
  PermissionError,
  Quittance,
  QuittanceError,
  RateLimitError,
  ServiceError,
  TimeoutError,
} from '../src/index.ts'
import { retryDelayMs } from '../src/retries.ts'
import { fakeFetch } from './fake-fetch.ts'

const BASE = { apiKey: 'qk_test_1', baseUrl: 'https://pay.example.com' }
const ORDER = { reference_number: 'o-1', currency: 'HKD', initial_total: '1' }
const PAYMENT = { type: 'Sales', payment_token: 'pmt_1' } as const
const CLOCK = { data: { clock: { now: '2026-01-01T00:00:00.000Z' } } }
const LOST = new TypeError('fetch failed')

afterEach(() => vi.useRealTimers())

type Reply = Parameters<typeof fakeFetch>[number]

/** Makes one call while waiting takes no time. Returns the requests, their keys, and the error if it failed. */
async function callWith(replies: Reply[], call: (quittance: Quittance) => PromiseLike<unknown>) {
  vi.useFakeTimers()
  const { fetch, requests } = fakeFetch(...replies)
  const outcome = Promise.resolve(call(new Quittance({ ...BASE, fetch }))).then(
    () => undefined,
    (error: unknown) => error,
  )
  await vi.runAllTimersAsync()
  const keys = requests.map(({ headers }) => headers.get('idempotency-key'))
  return { count: requests.length, keys, error: await outcome }
}

const getClock = (quittance: Quittance) => quittance.sandbox.getClock()
const pay = (quittance: Quittance) => quittance.orders.pay('ord_1', PAYMENT)

test('an upgrade of a plan takes place only if it is paid, unless the caller says otherwise', async () => {
  const { fetch, requests } = fakeFetch({ data: {} })
  const { plans } = new Quittance({ ...BASE, fetch })
  const replace = [{ from: 'itm_1', to: 'itm_2' }]
  await plans.upgrade('pln_1', { replace })
  await plans.upgrade('pln_1', { replace, only_if_paid: false })
  await plans.change('pln_1', { replace })
  expect(requests.map(({ body }) => JSON.parse(body ?? ''))).toEqual([
    { change: { replace, only_if_paid: true } },
    { change: { replace, only_if_paid: false } },
    { change: { replace } },
  ])
})

const failed = (status: number, reason: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  message: reason,
  data: { error: { type: 'service_error', reason, request_id: 'req_1' } },
})
const BUSY = failed(503, 'unavailable', { 'retry-after': '1' })
const LIMITED = failed(429, 'rate_limited', { 'retry-after': '2' })
const UNKNOWN = failed(504, 'outcome_unknown')
const IN_USE = failed(409, 'idempotency_key_in_use')

test.each([
  ['a lost connection', LOST],
  ['503 with Retry-After', BUSY],
  ['429 with Retry-After', LIMITED],
  ['a first request with the key that still runs', IN_USE],
  ['an outcome that is not known yet', UNKNOWN],
])('a payment is sent again after %s, under the same key', async (_case, reply) => {
  const { count, keys, error } = await callWith([reply, reply, { data: {} }], pay)
  expect(error).toBeUndefined()
  expect(count).toBe(3)
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
})

test.each([
  ['a decline', failed(402, 'payment_declined')],
  ['a conflict', failed(409, 'payment_in_progress')],
  ['a refusal by the acquirer', failed(502, 'acquirer_refused')],
  ['a defect', failed(500, 'internal_error')],
  ['503 without Retry-After', failed(503, 'acquirer_not_configured')],
  ['a Retry-After of more than a minute', failed(503, 'unavailable', { 'retry-after': '61' })],
])('a payment is not sent again after %s', async (_case, reply) => {
  const { count, error } = await callWith([reply], pay)
  expect(count).toBe(1)
  expect(error).toBeInstanceOf(ApiError)
})

test('a request that is not safe to repeat is sent once', async () => {
  const remove = (quittance: Quittance) => quittance.webhookEndpoints.delete('ep_1')
  for (const reply of [LOST, BUSY, LIMITED, UNKNOWN]) {
    expect(await callWith([reply], remove)).toMatchObject({ count: 1, keys: [null] })
  }
})

test('reads are sent again without a key, also those that are a POST', async () => {
  const check = (quittance: Quittance) => quittance.orders.get('ord_1')
  for (const read of [getClock, check]) {
    expect(await callWith([LOST, BUSY, CLOCK], read)).toMatchObject({ count: 3, keys: [null, null, null] })
  }
})

test('retries end after maxRetries, and the error says under which key to go on', async () => {
  const { count, keys, error } = await callWith([LOST], pay)
  expect(count).toBe(3)
  expect(error).toBeInstanceOf(ConnectionError)
  expect((error as ConnectionError).idempotencyKey).toBe(keys[0])
  const none = await callWith([BUSY], (quittance) =>
    quittance.orders.pay('ord_1', PAYMENT, { maxRetries: 0 }),
  )
  expect(none.count).toBe(1)
})

test('an error of the connection names the reason of the system', async () => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  const quittance = new Quittance({ apiKey: 'qk_test_1', baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 })
  await expect(quittance.sandbox.getClock()).rejects.toThrow(`connect ECONNREFUSED 127.0.0.1:${port}`)
  const local = new Quittance({ apiKey: null, baseUrl: `http://localhost:${port}`, maxRetries: 0 })
  await expect(local.sandbox.getClock()).rejects.toThrow('ECONNREFUSED')
})

test("the caller's key is kept, and two calls never share one of ours", async () => {
  const options = { idempotencyKey: 'mine' }
  const mine = await callWith([BUSY, {}], (quittance) => quittance.orders.pay('ord_1', PAYMENT, options))
  expect(mine.keys).toEqual(['mine', 'mine'])
  const two = await callWith([{}], async (quittance) => {
    await pay(quittance)
    await pay(quittance)
  })
  expect(new Set(two.keys).size).toBe(2)
})

test('the pause doubles up to 8 s with jitter, and is never shorter than Retry-After', () => {
  const lost = new ConnectionError('lost')
  const ends = (retry: number) => [0, 1].map((random) => retryDelayMs(lost, retry, () => random))
  expect([0, 1, 4, 20].map(ends)).toEqual([
    [250, 500],
    [500, 1_000],
    [4_000, 8_000],
    [4_000, 8_000],
  ])
  const headers = new Headers({ 'retry-after': '3' })
  const busy = new ServiceError({ status: 503, headers, message: 'busy', data: {}, error: {} })
  expect([0, 1].map((random) => retryDelayMs(busy, 0, () => random))).toEqual([3_000, 3_500])
  headers.set('retry-after', new Date(Date.now() + 20_000).toUTCString())
  expect(retryDelayMs(busy, 0, () => 0)).toBeGreaterThan(15_000)
  headers.set('retry-after', 'later')
  expect(retryDelayMs(busy, 0)).toBeUndefined()
})

test('the body that is sent again is the one that was sent', async () => {
  vi.useFakeTimers()
  const { fetch, requests } = fakeFetch(LOST, { data: { order: {} } })
  const made = new Quittance({ ...BASE, fetch }).orders.create({ ...ORDER, initial_total: '0.10' })
  await vi.runAllTimersAsync()
  await made
  const body = '{"order":{"reference_number":"o-1","currency":"HKD","initial_total":0.10}}'
  expect(requests.map((request) => request.body)).toEqual([body, body])
})

test.each([
  ['invalid_request', InvalidRequestError],
  ['authentication_failed', AuthenticationError],
  ['permission_denied', PermissionError],
  ['not_found', NotFoundError],
  ['conflict', ConflictError],
  ['payment_declined', PaymentDeclinedError],
  ['acquirer_error', AcquirerError],
  ['rate_limited', RateLimitError],
  ['service_error', ServiceError],
  ['a_type_of_tomorrow', ApiError],
])('an error of type %s is a %o', async (type, Class) => {
  const detail = {
    type,
    reason: 'r',
    request_id: 'req_1',
    param: 'order.x',
    decline_code: 'd',
    recommended_action: 'a',
  }
  const { fetch } = fakeFetch({
    status: 402,
    code: 40240,
    message: 'No.',
    data: { error: detail, order: { initial_total: 1.1 } },
  })
  const error = await pay(new Quittance({ ...BASE, fetch })).catch((thrown: unknown) => thrown)
  expect((error as Error).constructor).toBe(Class)
  expect(error).toBeInstanceOf(QuittanceError)
  expect(error).toMatchObject({
    name: Class.name,
    message: 'No.',
    status: 402,
    code: 40240,
    type,
    reason: 'r',
    param: 'order.x',
    declineCode: 'd',
    recommendedAction: 'a',
    requestId: 'req_1',
    data: { order: { initial_total: '1.1' } },
    outcomeUnknown: false,
  })
  expect((error as ApiError).data).not.toHaveProperty('error')
})

test('a response that is not from the service is an error, whatever its status', async () => {
  for (const reply of [
    { text: '<h1>Bad gateway</h1>', status: 502 },
    { text: '', status: 200 },
    { text: '"ok"' },
    { text: 'null' },
    { status: 302, headers: { location: 'https://elsewhere.example' }, text: '' },
  ]) {
    const { fetch } = fakeFetch(reply)
    const error = await getClock(new Quittance({ ...BASE, fetch })).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect((error as ApiError).status).toBe(reply.status ?? 200)
    expect((error as ApiError).outcomeUnknown).toBe(true)
  }
})

test('a response carries its request id, key and replay, unseen by JSON and spread', async () => {
  const headers = { 'x-request-id': 'req_7', 'idempotent-replayed': 'true' }
  const { fetch } = fakeFetch({ headers, data: { customer: { uuid: 'c' } } })
  const customer = await new Quittance({ ...BASE, fetch }).customers.create(
    { reference_number: 'r', name: 'n', phone: '1' },
    { idempotencyKey: 'k' },
  )
  expect(customer.lastResponse).toMatchObject({
    status: 200,
    requestId: 'req_7',
    idempotencyKey: 'k',
    replayed: true,
  })
  expect({ ...customer }).toEqual({ uuid: 'c' })
  expect(JSON.stringify(customer)).toBe('{"uuid":"c"}')
})

test('options become headers, and those of a call replace those of the client', async () => {
  const { fetch, requests } = fakeFetch(CLOCK)
  const quittance = new Quittance({
    ...BASE,
    appId: 'app_1',
    businessCode: 'biz',
    headers: { 'X-Trace': 'a', 'x-kept': 'b' },
    fetch,
  })
  await quittance.sandbox.getClock({ requestId: 'r-1', headers: { 'x-trace': 'c' } })
  await quittance.sandbox.advanceClock({ by: 'P1D' }, { headers: { 'Idempotency-Key': 'not this way' } })
  expect(requests[1]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/)
  expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
    authorization: 'Bearer qk_test_1',
    'x-appid': 'app_1',
    'x-p-customer-code': 'biz',
    'x-request-id': 'r-1',
    'x-trace': 'c',
    'x-kept': 'b',
  })
})

test.each<[string, (quittance: Quittance, options: { requestId: string }) => PromiseLike<unknown>]>([
  ['a query', ({ orders }, options) => orders.list(undefined, options)],
  ['a query after a body', ({ orders }, options) => orders.create(ORDER, undefined, options)],
  ['a body', ({ plans }, options) => plans.pause('pln_1', undefined, options)],
  ['members of a body', ({ transactions }, options) => transactions.refund('txn_1', undefined, options)],
  ['members of a query', ({ search }, options) => search('chan', undefined, options)],
])('options come after %s that is left out', async (_what, call) => {
  const page = { offset: 0, limit: 50, has_more: false, next_cursor: null }
  const { fetch, requests } = fakeFetch({ data: { orders: [], order: {}, plan: {}, results: {}, page } })
  await call(new Quittance({ ...BASE, fetch }), { requestId: 'r-1' })
  expect(requests.map(({ headers }) => headers.get('x-request-id'))).toEqual(['r-1'])
})

test('identifiers stay inside their place in the path', async () => {
  const { fetch, requests } = fakeFetch({ data: { plan: {} } })
  const quittance = new Quittance({ ...BASE, fetch })
  await quittance.plans.get('a/../b?c#d')
  expect(requests[0]?.url.pathname).toMatch(/\/plan\/a%2F\.\.%2Fb%3Fc%23d$/)
  for (const id of ['', '.', '..'])
    await expect(quittance.plans.get(id)).rejects.toThrow('id must be an identifier')
  expect(requests).toHaveLength(1)
})

test('a signal that aborts ends the pause between two attempts', async () => {
  const { fetch, requests } = fakeFetch(BUSY)
  const controller = new AbortController()
  const call = new Quittance({ ...BASE, fetch }).sandbox.getClock({ signal: controller.signal })
  setTimeout(() => controller.abort(new Error('enough')), 10)
  await expect(call).rejects.toThrow('enough')
  expect(requests).toHaveLength(1)
  await expect(
    new Quittance({ ...BASE, fetch }).sandbox.getClock({ signal: controller.signal }),
  ).rejects.toThrow('enough')
  expect(requests).toHaveLength(1)
})

test('a timeout is for each attempt, and a payment that timed out is sent again under its key', async () => {
  const keys: unknown[] = []
  const never = (_url: unknown, init: RequestInit = {}) => {
    keys.push(new Headers(init.headers).get('idempotency-key'))
    return new Promise<Response>((_resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
    })
  }
  vi.useFakeTimers()
  const call = pay(new Quittance({ ...BASE, fetch: never, timeoutMs: 100 })).catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  expect(await call).toBeInstanceOf(TimeoutError)
  expect(keys).toHaveLength(3)
  expect(new Set(keys).size).toBe(1)
})

test('wrong options are named', () => {
  expect(() => new Quittance({ ...BASE, baseUrl: 'pay.example.com' })).toThrow('baseUrl')
  for (const apiKey of ['', 'qk_test_1\n', 'qk_tést']) {
    expect(() => new Quittance({ ...BASE, apiKey })).toThrow('apiKey must be a key')
  }
})

test('a file is a response that can be streamed, and its failure an error like all others', async () => {
  const missing = { type: 'not_found', reason: 'reconciliation_not_found', request_id: 'req_1' }
  const { fetch, requests } = fakeFetch(
    { text: 'a,b\n1,2\n' },
    { status: 404, message: 'None.', data: { error: missing } },
  )
  const { reconciliations } = new Quittance({ ...BASE, fetch })
  expect(await (await reconciliations.downloadReport('rec_1')).text()).toBe('a,b\n1,2\n')
  await expect(reconciliations.downloadReport('rec_2')).rejects.toThrow(NotFoundError)
  expect(requests).toHaveLength(2)
})

test('a list asks for its pages one by one with the filter, and drops the offset', async () => {
  const page = (next: string | null) => ({ offset: 0, limit: 2, has_more: next !== null, next_cursor: next })
  const { fetch, requests } = fakeFetch(
    { data: { orders: [{ number: 'a' }, { number: 'b' }], page: page('c1') } },
    { data: { orders: [], page: page('c2') } },
    { data: { orders: [{ number: 'c' }], page: page(null) } },
  )
  const list = new Quittance({ ...BASE, fetch }).orders.list({
    filter: 'state = "open"',
    offset: 4,
    limit: 2,
  })
  expect(requests).toHaveLength(0)
  const numbers: string[] = []
  for await (const { number } of list) numbers.push(number)
  expect(numbers).toEqual(['a', 'b', 'c'])
  expect(requests.map(({ url }) => Object.fromEntries(url.searchParams))).toEqual([
    { filter: 'state = "open"', offset: '4', limit: '2' },
    { filter: 'state = "open"', limit: '2', cursor: 'c1' },
    { filter: 'state = "open"', limit: '2', cursor: 'c2' },
  ])
})

test('the payment tokens of a customer are an array and a list of one page', async () => {
  const { fetch, requests } = fakeFetch({ data: { payment_tokens: [{ token: 'a' }, { token: 'b' }] } })
  const { paymentTokens } = new Quittance({ ...BASE, fetch })
  const tokens = await paymentTokens.list('cus_1', { token_type: 'Credit Card' })
  expect(tokens.map(({ token }) => token)).toEqual(['a', 'b'])
  expect([tokens.data.length, tokens.hasMore, tokens.nextCursor, tokens.next()]).toEqual([
    2,
    false,
    null,
    null,
  ])
  expect(tokens.lastResponse.status).toBe(200)
  const read: string[] = []
  for await (const { token } of paymentTokens.list('cus_1')) read.push(token)
  for await (const { token } of tokens) read.push(token)
  expect(read).toEqual(['a', 'b', 'a', 'b'])
  expect(await paymentTokens.list('cus_1').toArray({ limit: 1 })).toEqual([{ token: 'a' }])
  expect(requests).toHaveLength(3)
})
