import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import Type from 'typebox'
import { expect, test } from 'vitest'
import { defineErrors } from '#kernel/errors'
import { platformErrors } from '#platform/errors'
import { AmountOut } from '#platform/http/validation/schemas'
import { startTestServer } from '#platform/testing/test-server'

test('openapi.json is version 3.1, describes every route with its envelope, and shows money as an exact number', async () => {
  const server = await startTestServer()
  const response = await server.send('GET', '/openapi.json')
  const document = JSON.parse(response.text) as {
    openapi: string
    servers: unknown
    paths: Record<
      string,
      Record<string, { operationId: string; parameters: { $ref?: string; name?: string }[] }>
    >
  }
  expect(document.openapi).toBe('3.1.0')
  expect(document.servers).toEqual([{ url: 'https://pay.example.com' }])
  expect(Object.keys(document.paths)).toEqual([
    '/api/v1/openapi/orders',
    '/api/v1/openapi/orders/check',
    '/api/v1/openapi/orders/{id}',
    '/api/v1/openapi/plan',
    '/api/v1/openapi/apps/self',
  ])
  const create = document.paths['/api/v1/openapi/orders']?.['post']
  expect(create?.operationId).toBe('postOrders')
  expect(create).toMatchObject({
    requestBody: {
      content: {
        'application/json': {
          schema: { properties: { order: { properties: { total: { type: 'number', format: 'decimal' } } } } },
        },
      },
    },
    responses: {
      200: { content: { 'application/json': { schema: { required: ['code', 'message', 'data'] } } } },
    },
  })
  expect(create?.parameters).toContainEqual({ $ref: '#/components/parameters/IdempotencyKey' })
  const edit = document.paths['/api/v1/openapi/plan']?.['put']?.parameters
  expect(edit).toContainEqual(
    expect.objectContaining({ name: 'X-P-Customer-Code', in: 'header', required: true }),
  )
  expect(edit).not.toContainEqual({ $ref: '#/components/parameters/BusinessCode' })
  expect(response.text).not.toContain('x-exact')
  expect(response.text).not.toContain('x-expected')
  for (const [reference] of response.text.matchAll(/(?<=#\/components\/)[\w/]+/g)) {
    expect(
      reference
        .split('/')
        .reduce<unknown>(
          (node, part) => (node as Record<string, unknown>)[part],
          (JSON.parse(response.text) as { components: unknown }).components,
        ),
    ).toBeDefined()
  }
})

// Proves reference/conventions#statuses.
test('openapi.json lists every status of an operation, describes every tag and names a contact', () => {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    info: { contact?: { name: string; url: string } }
    tags: { name: string; description?: string }[]
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
  }
  expect(document.info.contact?.url).toMatch(/^https?:/)
  expect(document.tags.filter(({ description }) => description === undefined)).toEqual([])
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, { responses }] of Object.entries(methods)) {
      const statuses = Object.keys(responses)
      expect(statuses.filter((status) => !/^\d{3}$/.test(status))).toEqual([])
      const common = [200, 400, 401, 403, 404, 422, 429, 500, 503].map(String)
      const withBody = method === 'get' ? [] : ['409', '413', '415']
      expect(statuses, `${method} ${path}`).toEqual(expect.arrayContaining([...common, ...withBody]))
    }
  }
})

// Proves reference/events#payloads.
test('openapi.json describes the webhook message of each event type', async () => {
  const server = await startTestServer({ events: { 'order.paid': Type.Object({ total: AmountOut() }) } })
  const document = JSON.parse((await server.send('GET', '/openapi.json')).text) as {
    webhooks: Record<string, unknown>
  }
  expect(document.webhooks).toMatchObject({
    'order.paid': {
      post: {
        operationId: 'onOrderPaid',
        security: [],
        requestBody: {
          content: {
            'application/json': {
              schema: { required: ['total'], properties: { total: { type: 'number', format: 'decimal' } } },
            },
          },
        },
      },
    },
  })
})

test('/docs loads everything from this host, and its content security policy allows nothing else', async () => {
  const server = await startTestServer()
  const page = await server.send('GET', '/docs')
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self';")
  expect(page.text).not.toMatch(/https?:/)
  const script = await server.send('GET', '/docs/reference.js')
  expect(script.status).toBe(200)
  expect(script.text.length).toBeGreaterThan(1_000_000)
  const etag = script.headers.get('etag') ?? ''
  expect(
    (await server.send('GET', '/docs/reference.js', { headers: { 'if-none-match': etag } })).status,
  ).toBe(304)
  expect((await server.send('GET', '/docs/start.js')).text).toContain('"telemetry":false')
})

test('clients that request the uncompressed reference and never read it share one copy of it', async () => {
  const server = await startTestServer()
  const before = process.memoryUsage().arrayBuffers
  const sockets = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      socket.write('GET /docs/reference.js HTTP/1.1\r\nhost: x\r\n\r\n')
      await once(socket, 'readable')
      return socket
    }),
  )
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(40_000_000)
  for (const socket of sockets) socket.destroy()
})

// Proves reference/conventions#errors.
test('/docs/errors lists every error of every catalogue', async () => {
  const errors = defineErrors({
    sold_out: { status: 409, number: 99, type: 'conflict', message: 'Sold <out>.' },
  })
  const server = await startTestServer({ catalogues: [errors.catalogue] })
  const page = await server.send('GET', '/docs/errors')
  for (const reason of [...Object.keys(platformErrors.catalogue), 'sold_out']) {
    expect(page.text).toContain(`<code>${reason}</code>`)
  }
  expect(page.text).toContain('40999')
  expect(page.text).toContain('Sold &lt;out&gt;.')
})

test('the server does not start if two errors share a code or a reason', async () => {
  const sameCode = { other: { status: 404, number: 1, type: 'not_found', message: 'x' } } as const
  await expect(startTestServer({ catalogues: [sameCode] })).rejects.toThrow('same code 40401')
  const sameReason = {
    route_not_found: { status: 404, number: 77, type: 'not_found', message: 'x' },
  } as const
  await expect(startTestServer({ catalogues: [sameReason] })).rejects.toThrow('reason route_not_found')
})

// Proves reference/operations#health, reference/operations#metrics.
test('/readyz follows readiness, /healthz does not, and /metrics counts by route pattern', async () => {
  let ready = false
  const server = await startTestServer({ isReady: async () => ready })
  expect((await server.send('GET', '/readyz')).status).toBe(503)
  expect((await server.send('GET', '/healthz')).status).toBe(200)
  ready = true
  expect((await server.send('GET', '/readyz')).status).toBe(200)
  await server.send('GET', '/api/v1/openapi/orders/ord_1')
  await server.send('GET', '/nowhere/hidden-path')
  const metrics = (await server.send('GET', '/metrics')).text
  expect(metrics).toContain(
    'http_request_duration_seconds_count{method="GET",route="/api/v1/openapi/orders/:id",status="200"} 1',
  )
  expect(metrics).toContain(
    'http_request_duration_seconds_count{method="GET",route="/readyz",status="503"} 1',
  )
  expect(metrics).toContain('route="unmatched",status="404"} 1')
  expect(metrics).not.toMatch(/hidden-path|ord_1|biz_1|app_1/)
  expect(metrics).toContain('process_resident_memory_bytes')
})

test('pages of modules get page headers, a request id, and envelopes for their errors', async () => {
  const server = await startTestServer({
    plainRoutes: (app) => {
      app.get('/pay/:link', async (_request, reply) => reply.type('text/html').send('<p>Pay'))
      app.post('/pay/:link', async (request) => new URLSearchParams(String(request.body)).get('confirm'))
      app.get('/gone', async () => {
        throw platformErrors.route_not_found()
      })
    },
  })
  const page = await server.send('GET', '/pay/x')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.headers.get('x-frame-options')).toBe('DENY')
  expect(page.headers.get('x-request-id')).toMatch(/^req_/)
  const form = { body: 'confirm=yes', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  expect((await server.send('POST', '/pay/x', form)).text).toBe('yes')
  expect((await server.send('GET', '/gone')).body.code).toBe(40401)
})
