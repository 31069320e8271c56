import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RequestError } from '#kernel/errors'
import type { Principal } from '#platform/http/authorization'
import { errorEnvelope, JSON_UTF8 } from '#platform/http/routes/envelope'
import { platformErrors } from '#platform/errors'
import { toRequestError } from '#platform/http/routes/request-error'
import { ReplayedReply } from '#platform/http/routes/replayed-reply'
import type { Log } from '#platform/observability/log'
import type { Metrics } from '#platform/observability/metrics'

/** The route of what is no route: a label must not grow with what callers ask for. */
const UNMATCHED_ROUTE = 'unmatched'
/** A request of ours that takes longer is written to the log. */
const SLOW_MS = 1_000

/** What is known of a request when it is answered. */
export interface RequestContext {
  readonly route: string
  /** Who called, once that is known. */
  readonly principal: Principal | undefined
  /** In milliseconds of `performance.now()`. */
  readonly startedAt: number
}

/** Of what never came to a route of the interface; pages are timed by fastify. */
function contextOf(request: FastifyRequest, reply: FastifyReply): RequestContext {
  const route = request.routeOptions.url ?? UNMATCHED_ROUTE
  return { route, principal: undefined, startedAt: performance.now() - reply.elapsedTime }
}

/** Sends answers, and keeps the log and the metrics of them. */
export class Responder {
  readonly #log: Log
  readonly #metrics: Metrics
  readonly #rejected = new WeakSet<FastifyRequest>()

  constructor(log: Log, metrics: Metrics) {
    this.#log = log
    this.#metrics = metrics
  }

  /**
   * Answers 200.
   * @param envelope from `successEnvelope`
   */
  reply(request: FastifyRequest, reply: FastifyReply, envelope: string, served: RequestContext): void {
    this.#send(request, reply, 200, envelope)
    this.#record(request, reply, served, undefined)
  }

  /** Answers an error, or the kept answer that a use case has found. */
  reject(
    request: FastifyRequest,
    reply: FastifyReply,
    error: unknown,
    served = contextOf(request, reply),
  ): void {
    if (error instanceof ReplayedReply) {
      reply.header('idempotent-replayed', 'true')
      this.#send(request, reply, error.status, error.body)
      this.#record(request, reply, served, undefined)
      return
    }
    const problem = toRequestError(error)
    if (problem.detail.retryAfterSeconds !== undefined) {
      reply.header('retry-after', String(problem.detail.retryAfterSeconds))
    }
    if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
    if (problem.status === 413) drainRequest(request, reply)
    this.#send(request, reply, problem.status, this.#envelopeOf(problem, request.id))
    this.#rejected.add(request)
    this.#record(request, reply, served, problem)
  }

  /** For pages, which send their answers themselves: counts one that was not refused. */
  pageSent(request: FastifyRequest, reply: FastifyReply): void {
    if (this.#rejected.has(request)) return
    this.#record(request, reply, contextOf(request, reply), undefined)
  }

  /** Counts an answer that was handed over, and writes its line. */
  #record(
    request: FastifyRequest,
    reply: FastifyReply,
    { route, principal, startedAt }: RequestContext,
    problem: RequestError | undefined,
  ): void {
    const durationMs = performance.now() - startedAt
    const { method } = request
    const status = reply.statusCode
    this.#metrics.observeRequest(method, route, status, durationMs / 1_000)
    const level = levelOf(status, durationMs)
    if (!this.#log.isLevelEnabled(level)) return
    this.#log[level](
      {
        request_id: request.id,
        method,
        route,
        status,
        duration_ms: Math.round(durationMs * 10) / 10,
        business_id: principal?.businessId,
        app_id: principal?.appId,
        reason: problem?.reason,
        param: problem?.detail.param,
        ...(problem?.detail.cause !== undefined && { cause: problem.detail.cause }),
      },
      'request',
    )
  }

  #send(request: FastifyRequest, reply: FastifyReply, status: number, body: string): void {
    reply.code(status)
    reply.headers({
      'content-type': JSON_UTF8,
      'x-request-id': request.id,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    reply.send(body)
  }

  /** What goes beside an error comes from a module: were it no JSON, the caller must still be answered. */
  #envelopeOf(problem: RequestError, requestId: string): string {
    try {
      return errorEnvelope(problem, requestId)
    } catch (error) {
      this.#log.error({ err: error, request_id: requestId }, 'an error could not be written')
      return errorEnvelope(platformErrors.internal_error(), requestId)
    }
  }
}

/** Of a body that is refused for its length so much is read all the same. */
const MAX_DRAINED_BYTES = 64 * 1024 * 1024

/**
 * A connection that closes under a caller who is still sending shows most of them a broken pipe instead of the answer.
 * So one that stays open reads, and forgets, what is left of the body; the time of a request bounds it.
 */
function drainRequest(request: FastifyRequest, reply: FastifyReply): void {
  if (Number(request.headers['content-length']) <= MAX_DRAINED_BYTES) reply.removeHeader('connection')
}

function levelOf(status: number, durationMs: number): 'debug' | 'info' | 'warn' | 'error' {
  if (status === 500) return 'error'
  if (status > 500 || durationMs > SLOW_MS) return 'warn'
  return status >= 400 ? 'info' : 'debug'
}
