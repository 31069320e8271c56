import type { IncomingMessage } from 'node:http'
import { fastify, type FastifyInstance } from 'fastify'
import type { ErrorCatalogue } from '#kernel/errors'
import type { Authenticate } from '#platform/http/authorization'
import { replyToConnectionError } from '#platform/http/connection-error'
import { registerDocumentation } from '#platform/http/openapi/documentation'
import { drainOnClose } from '#platform/http/drain'
import { platformErrors } from '#platform/errors'
import { registerHealth } from '#platform/http/health'
import type { EventSchemas } from '#platform/http/openapi/webhooks'
import { PAGE_HEADERS } from '#platform/http/page-headers'
import { RateLimiter } from '#platform/http/rate-limit'
import { requestIdOf } from '#platform/http/request-id'
import { Responder } from '#platform/http/routes/responder'
import type { Route } from '#platform/http/routes/route'
import { compileRoute } from '#platform/http/routes/serve-route'
import { MAX_BODY_BYTES } from '#platform/http/validation/validation'
import type { RingKey } from '#platform/security/keyring'
import type { Log } from '#platform/observability/log'
import type { Metrics } from '#platform/observability/metrics'

/** What every server needs, even one that has only health to tell. */
export interface HealthServerOptions {
  /** Whether the service can work: migrated, database reached. */
  readonly isReady: () => Promise<boolean>
  readonly metrics: Metrics
  readonly log: Log
  readonly timeouts?: Partial<Timeouts>
}

export interface ServerOptions extends HealthServerOptions {
  readonly routes: readonly Route[]
  /** What receivers are told, for the documentation. */
  readonly events: EventSchemas
  /**
   * Pages outside the interface, such as payment links. They get no caller; the body of a request is
   * a Buffer; a thrown RequestError is answered as envelope. Headers for pages are set already, and
   * may be replaced.
   */
  readonly plainRoutes?: (app: FastifyInstance) => void
  readonly authenticate: Authenticate
  /** The modules' catalogues; the platform's own is added. */
  readonly catalogues: readonly ErrorCatalogue[]
  /** Requests a second per app; 0 is no limit. */
  readonly rateLimit: number
  /** What the fingerprints of requests with an Idempotency-Key are made with, newest first. */
  readonly fingerprintKeys: () => readonly RingKey[]
  /** What links begin with. A function, since the default is known only once the server listens. */
  readonly publicUrl: () => string
}

interface Timeouts {
  /** Until the headers are there: what a connection may take that trickles or sends nothing. */
  readonly headersMs: number
  /** Until the whole request is there. */
  readonly requestMs: number
  /** How long a connection may stay open unused. Longer than the 60 seconds of the usual load balancer. */
  readonly keepAliveMs: number
  /** How often the first two are looked at. */
  readonly checkMs: number
  /** How long `close` waits for requests under way. */
  readonly drainMs: number
  /** How long an idle connection is left open then, for what is just arriving on it. */
  readonly settleMs: number
}

const TIMEOUTS: Timeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  checkMs: 2_000,
  drainMs: 30_000,
  settleMs: 250,
}

/** A path parameter is an identifier or a reference of up to 255 characters, percent-encoded. */
const MAX_PARAM_LENGTH = 255 * 12

/** The HTTP server: not yet listening. `close()` drains it. */
export function createServer(options: ServerOptions): FastifyInstance {
  return newServer(options, {
    addRoutes: (app, responder) => registerRoutes(app, options, responder),
    addPages: (pages) => {
      registerDocumentation(pages, {
        routes: options.routes,
        events: options.events,
        catalogues: [platformErrors.catalogue, ...options.catalogues],
        publicUrl: options.publicUrl,
      })
      options.plainRoutes?.(pages)
    },
  })
}

/** The server of a process that serves no interface: `/healthz`, `/readyz` and `/metrics`. */
export function createHealthServer(options: HealthServerOptions): FastifyInstance {
  return newServer(options, { addRoutes: () => {}, addPages: () => {} })
}

interface Contents {
  readonly addRoutes: (app: FastifyInstance, responder: Responder) => void
  /** Beside health. */
  readonly addPages: (pages: FastifyInstance) => void
}

function newServer(options: HealthServerOptions, { addRoutes, addPages }: Contents): FastifyInstance {
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const responder = new Responder(options.log, options.metrics)
  const app = fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    genReqId: requestIdOf,
    requestIdHeader: false,
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    // Would also cut a request that is long at work, such as a sandbox clock that moves a year.
    connectionTimeout: 0,
    // Of its own ten seconds, which end a drain that takes longer with an error: ours is bounded by itself.
    pluginTimeout: 0,
    http: {
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkMs,
      // Node's own refusal has no envelope.
      requireHostHeader: false,
    },
    clientErrorHandler: replyToConnectionError,
    frameworkErrors: (error, request, reply) => responder.reject(request, reply, error),
  })

  // Who ends its side of the connection still waits for the answer (RFC 9112, section 6.3). Node's types leave it out.
  Object.assign(app.server, { httpAllowHalfOpen: true })
  // What is expected beside 100-continue may be passed over (RFC 9110, section 10.1.1); Node's own refusal has no envelope.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  app.addHook('onRequest', (request, _reply, done) => {
    done(hasOneHost(request.raw) ? undefined : platformErrors.malformed_request())
  })
  // One parser for all: the bytes are needed for signatures, and who is calling comes before what is sent.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error, request, reply) => responder.reject(request, reply, error))
  app.setNotFoundHandler((request, reply) =>
    responder.reject(request, reply, platformErrors.route_not_found()),
  )

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

/** Exactly one, but for HTTP/1.0 (RFC 9112, section 3.2). */
function hasOneHost({ httpVersionMinor, headers, rawHeaders }: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersionMinor === 0
  const isHost = (text: string, index: number) => index % 2 === 0 && text.toLowerCase() === 'host'
  return rawHeaders.filter(isHost).length === 1
}

function registerRoutes(app: FastifyInstance, options: ServerOptions, responder: Responder): void {
  const { authenticate, fingerprintKeys } = options
  const rateLimiter = options.rateLimit > 0 ? new RateLimiter(options.rateLimit) : undefined
  for (const route of options.routes) {
    const serve = compileRoute(route, { authenticate, rateLimiter, fingerprintKeys, responder })
    app.route({
      method: route.method,
      url: route.path,
      exposeHeadRoute: false,
      handler: (request, reply) => {
        // `serve` answers every error itself, and fastify need not wait for its promise.
        void serve(request, reply)
      },
    })
  }
}

/** What is beside the interface: health, documentation, and the modules' pages. */
function registerPages(
  app: FastifyInstance,
  responder: Responder,
  register: (pages: FastifyInstance) => void,
): void {
  // Encapsulated, so that the hooks run for these alone.
  void app.register(async (pages) => {
    pages.addHook('onRequest', async (request, reply) => {
      reply.header('x-request-id', request.id)
      reply.headers(PAGE_HEADERS)
    })
    pages.addHook('onResponse', async (request, reply) => {
      responder.pageSent(request, reply)
    })
    register(pages)
  })
}
