import { once } from 'node:events'
import { connect } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { defineErrors } from '#kernel/errors'
import { platformErrors } from '#platform/errors'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { SuccessWithMessage } from '#platform/envelope'
import { defineRoute } from '#platform/http/routes/route'
import { strictObject, Text } from '#platform/http/validation/schemas'
import { routeThat, startTestServer, TEST_PRINCIPAL, type TestServer } from '#platform/testing/test-server'

const ORDERS = '/api/v1/openapi/orders'
const CHECK = '/api/v1/openapi/orders/check'
const PLAN = '/api/v1/openapi/plan'
const DOES = '/api/v1/openapi/does'

async function reasonOf(server: TestServer, ...request: Parameters<TestServer['send']>): Promise<string> {
  const response = await server.send(...request)
  return `${response.status} ${response.body.data.error?.reason ?? 'succeed'}`
}

// Proves reference/conventions#envelope.
test('a success is an envelope in which money keeps all its digits', async () => {
  const server = await startTestServer()
  const response = await server.send('POST', CHECK, { body: '{}' })
  expect(response.status).toBe(200)
  expect(response.text).toContain('"total":150.50')
  expect(response.body).toMatchObject({
    code: 200,
    message: 'succeed',
    data: { caller: { businessId: 'biz_1' } },
  })
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
})

test('a SuccessWithMessage sets the message of the envelope', async () => {
  const server = await startTestServer({
    routes: [routeThat(async () => new SuccessWithMessage('plan has been created', { plan: {} }))],
  })
  const response = await server.send('POST', DOES)
  expect(response.body).toEqual({ code: 200, message: 'plan has been created', data: { plan: {} } })
})

// Proves reference/conventions#errors.
test('a failure has its HTTP status, code and reason, and the data that a module adds', async () => {
  const errors = defineErrors({
    declined: {
      status: 402,
      number: 41,
      type: 'payment_declined',
      message: 'Declined.',
      recommendedAction: 'Ask.',
    },
  })
  const server = await startTestServer({
    routes: [
      routeThat(async () => {
        throw errors.declined({
          declineCode: 'lost_card',
          data: { order: { number: 'ord_1' } },
          param: 'order',
        })
      }),
    ],
    catalogues: [errors.catalogue],
  })
  const response = await server.send('POST', DOES, { headers: { 'x-request-id': 'mine-1' } })
  expect(response.status).toBe(402)
  expect(response.body).toEqual({
    code: 40241,
    message: 'Declined.',
    data: {
      order: { number: 'ord_1' },
      error: {
        type: 'payment_declined',
        reason: 'declined',
        param: 'order',
        decline_code: 'lost_card',
        recommended_action: 'Ask.',
        request_id: 'mine-1',
      },
    },
  })
})

// Proves reference/access#api-keys.
test('an unauthenticated request is 401 before its content is checked', async () => {
  const server = await startTestServer()
  const headers = { authorization: 'Bearer bad', 'content-type': 'text/plain' }
  expect(await reasonOf(server, 'POST', ORDERS, { body: '{', headers })).toBe('401 unauthenticated')
})

// Proves reference/access#signed-requests.
test('authentication gets the bytes of the body as they were sent', async () => {
  const seen: unknown[] = []
  const server = await startTestServer({
    authenticate: async ({ method, target, rawBody }) => {
      seen.push(method, target, rawBody?.toString())
      return TEST_PRINCIPAL
    },
  })
  await server.send('POST', `${CHECK}?a=%20b`, { body: '{ "order" : {}\n}' })
  expect(seen).toEqual(['POST', `${CHECK}?a=%20b`, '{ "order" : {}\n}'])
})

// Proves reference/access#caller-headers.
test('x-appid and X-P-Customer-Code must match the key on every request', async () => {
  const server = await startTestServer()
  const send = (headers: Record<string, string>) => reasonOf(server, 'POST', CHECK, { headers })
  expect(await send({ 'x-appid': 'app_1', 'x-p-customer-code': 'ACME' })).toBe('200 succeed')
  expect(await send({ 'x-appid': 'app_2' })).toBe('403 app_mismatch')
  expect(await send({ 'x-p-customer-code': 'OTHER' })).toBe('403 business_mismatch')
})

test('a missing required header is 400', async () => {
  const server = await startTestServer()
  const response = await server.send('PUT', PLAN)
  expect(response.status).toBe(400)
  expect(response.body.data.error).toMatchObject({ reason: 'missing_header', param: 'X-P-Customer-Code' })
  expect(await reasonOf(server, 'PUT', PLAN, { headers: { 'X-P-Customer-Code': 'ACME' } })).toBe(
    '200 succeed',
  )
})

// Proves reference/access#scopes.
test('a key needs the scope of the route; a write scope includes the read scope, but not the reverse', async () => {
  const withScopes = (...scopes: string[]) =>
    startTestServer({ authenticate: async () => ({ ...TEST_PRINCIPAL, scopes: new Set(scopes) }) })
  const reader = await withScopes('payments:read')
  expect(await reasonOf(reader, 'POST', CHECK)).toBe('200 succeed')
  expect(await reasonOf(reader, 'POST', ORDERS, { body: '{}' })).toBe('403 scope_missing')
  const writer = await withScopes('payments:write')
  expect(await reasonOf(writer, 'POST', CHECK)).toBe('200 succeed')
  expect(await reasonOf(writer, 'DELETE', '/api/v1/openapi/apps/self')).toBe('403 scope_missing')
})

// Proves reference/access#live-environments.
test('a live key cannot use operations of the test environment', async () => {
  const server = await startTestServer({
    authenticate: async () => ({ ...TEST_PRINCIPAL, environment: 'live' as const }),
  })
  const headers = { 'X-P-Customer-Code': 'ACME' }
  expect(await reasonOf(server, 'PUT', PLAN, { headers })).toBe('403 test_environment_only')
})

// Proves reference/conventions#statuses.
test('an unknown path or method is 404 with an envelope', async () => {
  const server = await startTestServer()
  expect(await reasonOf(server, 'GET', '/nowhere')).toBe('404 route_not_found')
  expect(await reasonOf(server, 'GET', ORDERS)).toBe('404 route_not_found')
  expect(await reasonOf(server, 'OPTIONS', ORDERS)).toBe('404 route_not_found')
  expect((await server.send('POST', `${ORDERS}s`, { body: '{}' })).text).toContain(
    `The nearest one is POST ${ORDERS}.`,
  )
})

test('a path parameter that is too long for an identifier is 404', async () => {
  const server = await startTestServer({
    routes: [
      defineRoute({
        method: 'GET',
        path: '/api/v1/openapi/orders/:id',
        scope: 'payments:read',
        summary: 'Get an order',
        tag: 'Orders',
        params: strictObject({ id: Type.String() }),
        data: Type.Object({}),
        handle: async () => ({}),
      }),
    ],
  })
  expect(await reasonOf(server, 'GET', `${ORDERS}/${'a'.repeat(5_000)}`)).toBe('404 route_not_found')
})

test('the duration of every request is measured, rejected ones included', async () => {
  for (const [response, status] of [
    [async () => ({}), 200],
    [() => Promise.reject(platformErrors.unavailable()), 503],
  ] as const) {
    const slow = routeThat(async () => {
      await sleep(30)
      return response()
    })
    const server = await startTestServer({ routes: [slow] })
    expect((await server.send('POST', slow.path, { body: '{}' })).status).toBe(status)
    const metrics = (await server.send('GET', '/metrics')).text
    const seconds = /http_request_duration_seconds_sum\{[^}]*route="[^"]*does"[^}]*\} ([\d.]+)/.exec(
      metrics,
    )?.[1]
    expect(Number(seconds)).toBeGreaterThan(0.025)
  }
})

test('a body must be uncompressed JSON of at most 1 MiB', async () => {
  const server = await startTestServer()
  const send = (body: string, headers: Record<string, string> = {}) =>
    reasonOf(server, 'POST', ORDERS, { body, headers })
  expect(await send('{}', { 'content-type': 'text/plain' })).toBe('415 unsupported_media_type')
  expect(await send('{}', { 'content-type': 'nonsense' })).toBe('415 unsupported_media_type')
  expect(await send('{}', { 'content-type': 'application/json; charset=latin1' })).toBe(
    '415 unsupported_media_type',
  )
  expect(await send('{}', { 'content-encoding': 'gzip' })).toBe('415 unsupported_media_type')
  expect(await send('{}', { 'content-type': 'application/json; charset=UTF-8' })).toBe('400 missing_member')
  expect(await send('{"order"')).toBe('400 malformed_json')
  expect(await send('[]')).toBe('400 body_invalid')
  expect(await send('1.5')).toBe('400 body_invalid')
  expect(await send('')).toBe('400 missing_member')
  expect(await send(`{"order":"${'x'.repeat(1024 * 1024)}"}`)).toBe('413 payload_too_large')
})

test('a caller whose body is megabytes too large gets the 413 and not a broken connection', async () => {
  const server = await startTestServer()
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const response = readAll(socket)
  const write = (text: string) =>
    new Promise<void>((resolve, reject) => socket.write(text, (error) => (error ? reject(error) : resolve())))
  const piece = 'x'.repeat(64 * 1024)
  await write(
    `POST ${ORDERS} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${piece.length * 128}\r\n\r\n`,
  )
  // Slower than the reply, which arrives before the body is sent.
  for (let sent = 0; sent < 128; sent++) await write(piece).then(() => sleep(1))
  socket.end()
  expect(await response).toContain('413 Payload Too Large')
})

test.each([
  ['Bearer bad', 'payments:write', 20_000_000, '401 Unauthorized'],
  ['Bearer good', 'customers:write', 20_000_000, '403 Forbidden'],
  ['Bearer good', 'payments:write', 40_000_000, '413 Payload Too Large'],
  ['Bearer good', 'payments:write', 5_000_000, '200 OK'],
] as const)(
  'a large body of %s with the scope %s and %s bytes gets %s, and only the last is waited for',
  async (authorization, scope, bytes, expected) => {
    const upload = defineRoute({
      method: 'POST',
      path: '/api/v1/openapi/uploads',
      scope: 'payments:write',
      summary: 'Upload',
      tag: 'Uploads',
      maxBodyBytes: 32_000_000,
      body: strictObject({ text: Text({ max: 30_000_000 }) }),
      data: Type.Object({ length: Type.Integer() }),
      handle: async ({ body }) => ({ length: body.text.length }),
    })
    const server = await startTestServer({
      routes: [upload],
      authenticate: async ({ headers }) => {
        if (headers.authorization !== 'Bearer good') throw platformErrors.unauthenticated()
        return { ...TEST_PRINCIPAL, scopes: new Set([scope]) }
      },
    })
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write(
      `POST ${upload.path} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n{"text":"`,
    )
    const responded = once(socket, 'data')
    if (expected === '200 OK') {
      expect(await Promise.race([responded, sleep(200, 'nothing')])).toBe('nothing')
      socket.write(`${'x'.repeat(bytes - 11)}"}`)
    }
    const [response] = (await responded) as [Buffer]
    expect(response.toString()).toContain(`HTTP/1.1 ${expected}`)
  },
)

test('a body of 10,000 nested arrays is 400', async () => {
  const server = await startTestServer()
  const deep = '['.repeat(10_000)
  expect(await reasonOf(server, 'POST', CHECK, { body: deep + ']'.repeat(10_000) })).toBe(
    '400 malformed_json',
  )
  const free = `{"source":${deep}${']'.repeat(10_000)}}`
  expect(await reasonOf(server, 'POST', CHECK, { body: free })).toBe('400 malformed_json')
})

test('an empty body is accepted if all members are optional, and the body of a GET is not read', async () => {
  const server = await startTestServer()
  expect(await reasonOf(server, 'POST', CHECK)).toBe('200 succeed')
  expect(await reasonOf(server, 'POST', CHECK, { body: '' })).toBe('200 succeed')
  const response = await raw(
    server,
    `GET ${ORDERS}/ord_1 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer good\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{]`,
  )
  expect(response).toContain('HTTP/1.1 200')
})

// Proves reference/conventions#request-ids.
test('every reply has an x-request-id: the caller’s if it is well-formed, else a new one', async () => {
  const server = await startTestServer()
  const idOf = async (method: string, path: string, id?: string) =>
    (
      await server.send(method, path, id === undefined ? {} : { headers: { 'x-request-id': id } })
    ).headers.get('x-request-id')
  expect(await idOf('POST', CHECK, 'a.B-1_2')).toBe('a.B-1_2')
  expect(await idOf('GET', '/nowhere', 'mine')).toBe('mine')
  expect(await idOf('GET', '/healthz', 'mine')).toBe('mine')
  for (const bad of ['has space', 'x'.repeat(129), 'semi;colon']) {
    expect(await idOf('POST', CHECK, bad)).toMatch(/^req_[0-9a-z]{26}$/)
  }
  expect(await idOf('GET', '/%zz')).toMatch(/^req_/)
})

test('a caller who closes its sending side still gets the reply', async () => {
  const slow = routeThat(async () => {
    await sleep(50)
    return {}
  })
  const server = await startTestServer({ routes: [slow] })
  const request = `POST ${slow.path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer good\r\n\r\n`
  expect(await raw(server, request)).toMatch(/^HTTP\/1\.1 200 /)
})

test('bytes that are not HTTP get an envelope with a request id', async () => {
  const server = await startTestServer()
  for (const nonsense of [
    'NONSENSE\r\n\r\n',
    `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
    'GET / HTTP/1.1\r\nconnection: close\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: x\r\nHost: y\r\nconnection: close\r\n\r\n',
  ]) {
    const response = await raw(server, nonsense)
    expect(response).toMatch(/^HTTP\/1\.1 4(00|31) /)
    expect(response).toMatch(/x-request-id: req_/)
    expect(response).toContain('"reason":')
  }
})

test('HTTP/1.0 needs no Host header, and an unknown expectation is ignored', async () => {
  const route = routeThat(async () => ({}))
  const server = await startTestServer({ routes: [route] })
  const headers = 'authorization: Bearer good\r\nconnection: close\r\n'
  expect(await raw(server, `POST ${route.path} HTTP/1.0\r\n${headers}\r\n`)).toMatch(/^HTTP\/1\.1 200 /)
  const expecting = `POST ${route.path} HTTP/1.1\r\nhost: x\r\nexpect: wonders\r\n${headers}\r\n`
  expect(await raw(server, expecting)).toMatch(/^HTTP\/1\.1 200 /)
})

test('a request that arrives too slowly is cut off with 408', async () => {
  const server = await startTestServer({ timeouts: { headersMs: 100, requestMs: 200, checkMs: 50 } })
  expect(await raw(server, 'GET / HTTP/1.1\r\nhost:', { end: false })).toContain('HTTP/1.1 408 ')
})

test('an exception is a 500 without details, and its message is logged with the request id', async () => {
  const server = await startTestServer({
    routes: [
      routeThat(async () => {
        throw new Error('column "sealed_number" of relation does not exist')
      }),
    ],
  })
  const response = await server.send('POST', DOES)
  expect(response.status).toBe(500)
  expect(response.body.data.error).toMatchObject({ type: 'service_error', reason: 'internal_error' })
  expect(response.text).not.toContain('sealed_number')
  const line = server.logged.find((entry) => entry.includes(response.body.data.error.request_id))
  expect(line).toContain('relation does not exist')
})

test('a reply that cannot be serialized is a 500 and not a hanging request', async () => {
  const server = await startTestServer({ routes: [routeThat(async () => ({ big: 1n }))] })
  expect(await reasonOf(server, 'POST', DOES)).toBe('500 internal_error')
  const beside = await startTestServer({
    routes: [
      routeThat(async () => {
        throw platformErrors.scope_missing({ data: { big: 1n } })
      }),
    ],
  })
  expect((await beside.send('POST', DOES)).body.data.error.reason).toBe('internal_error')
})

test('a method that no operation has is 404, with and without a body', async () => {
  const server = await startTestServer()
  for (const method of ['QUERY', 'PATCH', 'PROPFIND']) {
    expect(await reasonOf(server, method, CHECK)).toBe('404 route_not_found')
    expect(await reasonOf(server, method, CHECK, { body: '{}' })).toBe('404 route_not_found')
  }
})

test('an unreachable database is 503 with Retry-After', async () => {
  for (const failure of [
    ...[
      'ECONNREFUSED',
      'ENOTFOUND',
      'EAI_AGAIN',
      'EHOSTUNREACH',
      'ENETUNREACH',
      '57P01',
      '40P01',
      '57014',
      '55P03',
      '25006',
    ].map((code) => Object.assign(new Error('no response'), { code })),
    new Error('Connection terminated unexpectedly'),
    new AggregateError([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })]),
  ]) {
    const server = await startTestServer({
      routes: [
        routeThat(async () => {
          throw failure
        }),
      ],
    })
    const response = await server.send('POST', DOES)
    expect(response.body.data.error.reason).toBe('unavailable')
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('1')
  }
})

// Proves reference/conventions#idempotency.
test('the fingerprint of an Idempotency-Key covers path, query and body, and ignores the order of members', async () => {
  const server = await startTestServer()
  const send = async (path: string, body: string) => {
    const response = await server.send('POST', path, {
      body,
      headers: { 'idempotency-key': 'k 1'.replace(' ', '-') },
    })
    return response.body.data['idempotency'] as { key: string; endpoint: string; fingerprint: string }
  }
  const first = await send(ORDERS, '{"order":{"currency":"HKD","total":1.50}}')
  expect(first).toMatchObject({ key: 'k-1', endpoint: `POST ${ORDERS}` })
  expect(await send(ORDERS, '{ "order": {"total":1.50, "currency":"HKD"} }')).toEqual(first)
  expect((await send(ORDERS, '{"order":{"currency":"USD","total":1.50}}')).fingerprint).not.toBe(
    first.fingerprint,
  )
  expect(
    (await send(`${ORDERS}?with_payment_link=true`, '{"order":{"currency":"HKD","total":1.50}}')).fingerprint,
  ).not.toBe(first.fingerprint)
})

test('an invalid Idempotency-Key is 400 on a write and ignored on a read', async () => {
  const server = await startTestServer()
  const body = '{"order":{"currency":"HKD"}}'
  for (const key of ['', 'has space', 'x'.repeat(256), 'é']) {
    const headers = { 'idempotency-key': key }
    expect(await reasonOf(server, 'POST', ORDERS, { body, headers })).toBe('400 invalid_header')
    expect(await reasonOf(server, 'POST', CHECK, { headers })).toBe('200 succeed')
  }
})

test('a stored reply is sent unchanged, with Idempotent-Replayed', async () => {
  const kept = '{"code":40241,"message":"Declined.","data":{}}'
  const server = await startTestServer({
    routes: [
      routeThat(async () => {
        throw new StoredReply(402, kept)
      }),
    ],
  })
  const response = await server.send('POST', DOES)
  expect(response.status).toBe(402)
  expect(response.text).toBe(kept)
  expect(response.headers.get('idempotent-replayed')).toBe('true')
})

// Proves reference/access#rate-limits.
test('an app above its limit gets 429 with Retry-After, and the RateLimit headers give the remaining requests', async () => {
  const server = await startTestServer({ rateLimit: 1 })
  const first = await server.send('POST', CHECK)
  expect(first.headers.get('ratelimit-policy')).toBe('"app";q=2;w=2')
  expect(first.headers.get('ratelimit')).toBe('"app";r=1;t=2')
  await server.send('POST', CHECK)
  const third = await server.send('POST', CHECK)
  expect(third.status).toBe(429)
  expect(third.body.data.error).toMatchObject({ type: 'rate_limited', reason: 'rate_limited' })
  expect(third.headers.get('retry-after')).toMatch(/^[12]$/)
  expect(third.headers.get('ratelimit')).toMatch(/^"app";r=0;t=\d+$/)
})

test('each environment of an app has its own rate limit', async () => {
  const server = await startTestServer({
    rateLimit: 1,
    authenticate: async ({ headers }) => ({ ...TEST_PRINCIPAL, businessId: String(headers['x-tenant']) }),
  })
  for (const tenant of ['biz_test', 'biz_live']) {
    const first = await server.send('POST', CHECK, { headers: { 'x-tenant': tenant } })
    expect(first.headers.get('ratelimit')).toBe('"app";r=1;t=2')
  }
})

/** Sends bytes and reads until the server closes the connection. */
async function raw(server: TestServer, bytes: string, options = { end: true }): Promise<string> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  if (options.end) socket.end(bytes)
  else socket.write(bytes)
  return readAll(socket)
}
