import type { IncomingMessage } from 'node:http'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { ErrorCatalogue } from '#kernel/errors'
import type { Authenticate } from '#platform/http/authorization'
import { replyToConnectionError } from '#platform/http/connection-error'
import { registerDocumentation } from '#platform/http/openapi/documentation'
import { registerFrontPage } from '#platform/http/openapi/front-page'
import { drainOnClose } from '#platform/http/drain'
import { platformErrors } from '#platform/errors'
import { keepAddresses } from '#platform/http/client-address/forwarded-for'
import { registerHealth } from '#platform/http/health'
import type { EventSchemas } from '#platform/http/openapi/webhooks'
import { PAGE_HEADERS } from '#platform/http/page-headers'
import { createAppLimit, createLimit, registerRateLimits } from '#platform/http/rate-limit'
import { requestIdOf } from '#platform/http/request-id'
import { inRequestSpan } from '#platform/http/routes/request-span'
import { PROBES, Responder } from '#platform/http/routes/responder'
import type { RequestRecorder } from '#platform/http/routes/request-recorder'
import type { Route } from '#platform/http/routes/route'
import type { WriteAudit } from '#platform/http/routes/write-audit'
import { inRequest } from '#platform/request-scope'
import { nearestOperation } from '#platform/http/routes/nearest-operation'
import { compileRoute } from '#platform/http/routes/serve-route'
import { MAX_BODY_BYTES } from '#platform/http/validation/validation'
import type { RingKey } from '#platform/security/keyring'
import type { Log } from '#platform/observability/log'
import type { Metrics } from '#platform/observability/metrics'

export interface HealthServerOptions {
  readonly isReady: () => Promise<boolean>
  readonly metrics: Metrics
  readonly log: Log
  readonly recorder?: RequestRecorder | undefined
  readonly loggedShare?: number
  readonly timeouts?: Partial<Timeouts>
}

/**
 * - `plainRoutes`: Pages beside the API, such as payment links. Their handlers have no caller and get the body as a
 *   Buffer; a RequestError becomes an envelope. Page headers are set before and may be replaced.
 * - `publicUrl`: A function, because the default is known only once the server listens.
 * - `trustedProxies`: Peers whose X-Forwarded-For gives `request.ip`: addresses, networks and names of proxy-addr.
 */
export interface ServerOptions extends HealthServerOptions {
  readonly routes: readonly Route[]
  readonly events: EventSchemas
  readonly plainRoutes?: (app: FastifyInstance) => void
  readonly authenticate: Authenticate
  readonly catalogues: readonly ErrorCatalogue[]
  readonly rateLimit: number
  readonly fingerprintKeys: () => readonly RingKey[]
  readonly publicUrl: () => string
  readonly audit?: WriteAudit
  readonly rewriteUrl?: (request: IncomingMessage) => string
  readonly trustedProxies?: readonly string[]
}

interface Timeouts {
  readonly headersMs: number
  readonly requestMs: number
  /** The timeout is longer than the 60 s of common load balancers. */
  readonly keepAliveMs: number
  readonly checkMs: number
  readonly drainMs: number
  readonly settleMs: number
}

export const TIMEOUTS: Timeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  checkMs: 2_000,
  drainMs: 30_000,
  settleMs: 250,
}

/** 255 characters in percent-encoded UTF-8. */
const MAX_PARAM_LENGTH = 255 * 12

/** A right key is never refused, so wrong keys cannot lock out others at the same address. */
const MAX_WRONG_KEYS_A_MINUTE = 300

export function createServer(options: ServerOptions): FastifyInstance {
  return newServer(options, {
    operations: options.routes,
    addRoutes: (app, responder) => {
      registerRateLimits(app, options.rateLimit === 0)
      void app.register(async (api) => registerRoutes(api, options, responder))
    },
    addPages: (pages) => {
      registerDocumentation(pages, {
        routes: options.routes,
        events: options.events,
        catalogues: [platformErrors.catalogue, ...options.catalogues],
        publicUrl: options.publicUrl,
      })
      registerFrontPage(pages, options)
      options.plainRoutes?.(pages)
    },
  })
}

export function createHealthServer(options: HealthServerOptions): FastifyInstance {
  return newServer(options, { operations: [], addRoutes: () => {}, addPages: () => {} })
}

/** - `operations`: The reply to an unknown path names one of these if the path is similar. */
interface Contents {
  readonly operations: readonly Route[]
  readonly addRoutes: (app: FastifyInstance, responder: Responder) => void
  readonly addPages: (pages: FastifyInstance) => void
}

type AnyServerOptions = HealthServerOptions & Pick<ServerOptions, 'rewriteUrl' | 'trustedProxies'>

function newServer(
  options: AnyServerOptions,
  { operations, addRoutes, addPages }: Contents,
): FastifyInstance {
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const responder = new Responder(options.log, options.metrics, options.recorder, options.loggedShare)
  const app = fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    genReqId: requestIdOf,
    requestIdHeader: false,
    ...(options.rewriteUrl && { rewriteUrl: options.rewriteUrl }),
    trustProxy: [...(options.trustedProxies ?? [])],
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    // A limit here would also cut long requests, such as a clock advance of a year.
    connectionTimeout: 0,
    // Fastify's limit of 10 s would turn a longer drain into an error. The drain has its own limit.
    pluginTimeout: 0,
    http: {
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkMs,
      requireHostHeader: false,
    },
    clientErrorHandler: replyToConnectionError,
    frameworkErrors: (error, request, reply) => responder.reject(request, reply, error),
  })

  // A client that closes its sending side still waits for the reply (RFC 9112). Node's types
  // lack this option.
  Object.assign(app.server, { httpAllowHalfOpen: true })
  // Unknown expectations may be ignored (RFC 9110, section 10.1.1). Node's own reply has no envelope.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  app.addHook('onRequest', (request, _reply, done) => {
    keepAddresses(request.raw.headers)
    // A closed socket no longer knows its address.
    Object.defineProperty(request, 'ip', { value: request.ip ?? 'unknown' })
    done(hasOneHost(request.raw) ? undefined : platformErrors.malformed_request())
  })
  // Signatures need the bytes, and authentication comes before parsing.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error, request, reply) => responder.reject(request, reply, error))
  const openFolders = openFoldersOf(operations)
  app.setNotFoundHandler((request, reply) => {
    if (openFolders.some((folder) => request.url.startsWith(folder))) reply.headers(ANY_ORIGIN)
    return responder.reject(request, reply, routeNotFound(operations, request))
  })

  addRoutes(app, responder)
  let isDraining = false
  app.addHook('preClose', async () => {
    isDraining = true
  })
  drainOnClose(app, { timeoutMs: timeouts.drainMs, settleMs: timeouts.settleMs })
  const isReady = async () => !isDraining && (await options.isReady())
  registerPages(app, responder, (pages) => {
    registerHealth(pages, { isReady, metrics: options.metrics })
    addPages(pages)
  })
  return app
}

function routeNotFound(operations: readonly Route[], { method, url }: FastifyRequest) {
  const nearest = nearestOperation(operations, method, url)
  if (nearest === undefined) return platformErrors.route_not_found()
  return platformErrors.route_not_found({
    message: `There is no operation with this method and path. The nearest one is ${nearest.method} ${nearest.path}.`,
  })
}

/** Exactly one Host header; HTTP/1.0 may have none (RFC 9112, section 3.2). */
function hasOneHost({ httpVersionMinor, headers, rawHeaders }: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersionMinor === 0
  const isHost = (text: string, index: number) => index % 2 === 0 && text.toLowerCase() === 'host'
  return rawHeaders.filter(isHost).length === 1
}

function registerRoutes(app: FastifyInstance, options: ServerOptions, responder: Responder): void {
  const { authenticate, fingerprintKeys } = options
  const limitApp = options.rateLimit > 0 ? createAppLimit(app, options.rateLimit) : undefined
  const countWrongKey = createLimit(app, { max: MAX_WRONG_KEYS_A_MINUTE })
  for (const route of options.routes) {
    const audit = options.audit?.compile(route, options.routes)
    const { serve, admitBody } = compileRoute(route, {
      authenticate,
      limitApp,
      countWrongKey,
      fingerprintKeys,
      responder,
      audit,
    })
    app.route({
      method: route.method,
      url: route.path,
      exposeHeadRoute: false,
      ...(route.maxBodyBytes !== undefined && { bodyLimit: route.maxBodyBytes, onRequest: admitBody }),
      ...(route.isOpenToPages === true && { onRequest: allowAnyOrigin }),
      handler: serve,
    })
  }
  for (const folder of openFoldersOf(options.routes)) {
    app.options(`${folder}*`, { onRequest: allowAnyOrigin }, (_request, reply) => {
      reply.code(204).headers(PREFLIGHT_HEADERS).send()
    })
  }
}

/** `/svc/AREA/` of what pages call, so that a page can read that it mistyped a path there. */
function openFoldersOf(routes: readonly Route[]): string[] {
  const open = routes.filter(({ isOpenToPages }) => isOpenToPages === true)
  return [...new Set(open.map(({ path }) => `${path.split('/').slice(0, 3).join('/')}/`))]
}

/** No origin may send credentials: without `access-control-allow-credentials` browsers leave cookies out. */
function allowAnyOrigin(_request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  reply.headers(ANY_ORIGIN)
  done()
}

const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-request-id, idempotent-replayed, retry-after, ratelimit',
}

const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, x-request-id',
  'access-control-max-age': '7200',
}

function registerPages(
  app: FastifyInstance,
  responder: Responder,
  register: (pages: FastifyInstance) => void,
): void {
  // A fastify plugin of its own, so that these hooks do not run for API routes.
  void app.register(async (pages) => {
    pages.addHook('onRequest', async (request, reply) => {
      reply.header('x-request-id', request.id)
      reply.headers(PAGE_HEADERS)
    })
    // A hook after the body, because reading the body ends the async context of earlier hooks.
    pages.addHook('preHandler', (request, _reply, done) => {
      const { url } = request.routeOptions
      if (url === undefined || PROBES.has(url)) return done()
      const priority = request.method === 'POST' ? 'critical' : 'standard'
      inRequestSpan(request, url, () => inRequest(request.id, priority, done))
    })
    pages.addHook('onResponse', async (request, reply) => {
      responder.pageSent(request, reply)
    })
    register(pages)
  })
}
