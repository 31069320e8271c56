import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { onTestFinished } from 'vitest'
import { rawNumber } from '#kernel/json'
import type { Rendered } from '#platform/caller'
import type { Principal } from '#platform/http/authorization'
import { platformErrors } from '#platform/errors'
import { defineRoute, type Route } from '#platform/http/routes/route'
import {
  Amount,
  AmountOut,
  DateOnly,
  HttpUrl,
  Nullable,
  OneOf,
  strictObject,
  Text,
} from '#platform/http/validation/schemas'
import { createServer, type ServerOptions } from '#platform/http/server'
import { ringKey } from '#platform/security/keyring'
import { createLog } from '#platform/observability/log'
import { createMetrics } from '#platform/observability/metrics'

export interface TestServer {
  readonly app: FastifyInstance
  readonly url: string
  readonly logged: string[]
  send(
    method: string,
    path: string,
    init?: { body?: string; headers?: Record<string, string> },
  ): Promise<HttpReply>
}

interface HttpReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: {
    code: number
    message: string
    data: { error: { type: string; reason: string; param?: string; request_id: string } } & Record<
      string,
      unknown
    >
  }
}

export const TEST_PRINCIPAL: Principal = {
  businessId: 'biz_1',
  businessCode: 'ACME',
  environment: 'test',
  appId: 'app_1',
  actor: { type: 'api_key', id: 'key_1' },
  scopes: new Set(['payments:write', 'customers:read']),
}

const TEST_KEYS = [ringKey(Buffer.alloc(32, 1))]

const LineItem = strictObject({
  label: Text({ max: 5 }),
  price: Amount(),
  quantity: Type.Integer({ minimum: 1 }),
})

export const echoOrder = defineRoute({
  method: 'POST',
  path: '/api/v1/openapi/orders',
  scope: 'payments:write',
  summary: 'Create an order',
  tag: 'Orders',
  query: strictObject({ with_payment_link: Type.Optional(Type.Boolean()) }),
  body: strictObject({
    order: strictObject({
      currency: Text({ max: 3 }),
      total: Type.Optional(Amount()),
      due_date: Type.Optional(Nullable(DateOnly())),
      notify_url: Type.Optional(HttpUrl()),
      kind: Type.Optional(OneOf(['one_off', 'recurring'])),
      paid: Type.Optional(Type.Boolean()),
      line_items: Type.Optional(Type.Array(LineItem, { maxItems: 3 })),
    }),
  }),
  data: Type.Object({ order: Type.Object({ total: Type.Optional(AmountOut()) }) }),
  handle: async ({ caller, body, query }) => ({ ...body, query, idempotency: caller.idempotency ?? null }),
})

const checkOrder = defineRoute({
  method: 'POST',
  path: '/api/v1/openapi/orders/check',
  scope: 'payments:read',
  summary: 'Get an order',
  tag: 'Orders',
  body: strictObject({ source: Type.Optional(Type.Any()), order: Type.Optional(strictObject({})) }),
  data: Type.Object({}),
  handle: async ({ body, caller }) => ({ body, total: rawNumber('150.50'), caller }),
})

const getOrder = defineRoute({
  method: 'GET',
  path: '/api/v1/openapi/orders/:id',
  scope: 'payments:read',
  summary: 'Get one order',
  tag: 'Orders',
  params: strictObject({ id: Text({ max: 255 }) }),
  data: Type.Object({}),
  handle: async ({ params }) => params,
})

const editPlan = defineRoute({
  method: 'PUT',
  path: '/api/v1/openapi/plan',
  scope: 'payments:write',
  environments: 'test',
  summary: 'Edit a plan',
  tag: 'Plans',
  headers: Type.Object({ 'X-P-Customer-Code': Type.String() }),
  data: Type.Object({}),
  handle: async () => ({}),
})

const adminOnly = defineRoute({
  method: 'DELETE',
  path: '/api/v1/openapi/apps/self',
  scope: 'admin:write',
  summary: 'Remove the app',
  tag: 'Account',
  data: Type.Object({}),
  handle: async () => ({}),
})

export const SAMPLE_ROUTES: readonly Route[] = [echoOrder, checkOrder, getOrder, editPlan, adminOnly]

export function routeThat(handle: () => Promise<Rendered>): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/openapi/does',
    scope: 'payments:write',
    summary: 'Do it',
    tag: 'Test',
    data: Type.Object({}),
    handle,
  })
}

export async function startTestServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const logged: string[] = []
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      logged.push(chunk.toString())
      done()
    },
  })
  const app = createServer({
    routes: SAMPLE_ROUTES,
    authenticate: async ({ headers }) => {
      if (headers.authorization !== 'Bearer good') throw platformErrors.unauthenticated()
      return TEST_PRINCIPAL
    },
    events: {},
    catalogues: [],
    isReady: async () => true,
    metrics: createMetrics(),
    log: createLog({ level: 'debug', destination }),
    rateLimit: 0,
    trustedProxies: ['127.0.0.1'],
    fingerprintKeys: () => TEST_KEYS,
    publicUrl: () => 'https://pay.example.com',
    ...options,
    timeouts: { settleMs: 0, ...options.timeouts },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  return {
    app,
    url,
    logged,
    send: async (method, path, init = {}) => {
      const response = await fetch(url + path, {
        method,
        headers: {
          authorization: 'Bearer good',
          ...(init.body !== undefined && { 'content-type': 'application/json' }),
          ...init.headers,
        },
        ...(init.body !== undefined && { body: init.body }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
      const body = (isJson ? JSON.parse(text) : {}) as HttpReply['body']
      return { status: response.status, headers: response.headers, text, body }
    },
  }
}
