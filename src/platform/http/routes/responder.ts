import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RequestError } from '#kernel/errors'
import type { Principal } from '#platform/http/authorization'
import { endRequestSpan, spanOf } from '#platform/http/routes/request-span'
import type { RequestRecorder } from '#platform/http/routes/request-recorder'
import { errorEnvelope, JSON_UTF8 } from '#platform/envelope'
import { platformErrors } from '#platform/errors'
import { toRequestError } from '#platform/http/routes/request-error'
import type { StreamedFile } from '#platform/http/routes/streamed-file'
import { StoredReply } from '#platform/idempotency/stored-reply'
import type { Log } from '#platform/observability/log'
import type { Metrics } from '#platform/observability/metrics'
import { isSampled } from '#platform/observability/tracing'

/** One label for all unknown paths, so that callers cannot add metric labels. */
const UNMATCHED_ROUTE = 'unmatched'
/** Slower responses are logged as warnings. */
const SLOW_MS = 1_000
export const PROBES = new Set(['/healthz', '/readyz', '/metrics'])
const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

export interface RequestContext {
  readonly route: string
  readonly principal: Principal | undefined
  readonly startedAt: number
  readonly isWrite?: boolean
}

function contextOf(request: FastifyRequest, reply: FastifyReply): RequestContext {
  const route = request.routeOptions.url ?? UNMATCHED_ROUTE
  return { route, principal: undefined, startedAt: performance.now() - reply.elapsedTime }
}

interface Sent {
  readonly body?: string
  readonly problem?: RequestError
  readonly isReplayed?: boolean
}

export class Responder {
  readonly #log: Log
  readonly #metrics: Metrics
  readonly #recorder: RequestRecorder | undefined
  readonly #loggedShare: number
  readonly #rejected = new WeakSet<FastifyRequest>()

  constructor(log: Log, metrics: Metrics, recorder?: RequestRecorder, loggedShare = 1) {
    this.#log = log
    this.#metrics = metrics
    this.#recorder = recorder
    this.#loggedShare = loggedShare
  }

  reply(request: FastifyRequest, reply: FastifyReply, envelope: string, context: RequestContext): void {
    this.#send(request, reply, 200, envelope)
    this.#record(request, reply, context, { body: envelope })
  }

  /** After the first byte a failure can only cut the connection, so that the client does not mistake a part for the whole. */
  stream(
    request: FastifyRequest,
    reply: FastifyReply,
    { name, content, contentType }: StreamedFile,
    contentTypeOfRoute = 'application/octet-stream',
    context: RequestContext,
  ): void {
    const file = Readable.from(content)
    file.once('error', (error) =>
      this.#log.error({ err: error, request_id: request.id }, 'a streamed file was cut off'),
    )
    reply.raw.once('close', () => this.#record(request, reply, context, {}))
    reply.code(200)
    reply.headers({
      ...HEADERS,
      'content-type': contentType ?? `${contentTypeOfRoute}; charset=utf-8`,
      'content-disposition': `attachment; filename="${name}"`,
      'x-request-id': request.id,
    })
    reply.send(file)
  }

  reject(
    request: FastifyRequest,
    reply: FastifyReply,
    error: unknown,
    context = contextOf(request, reply),
  ): void {
    if (error instanceof StoredReply) {
      reply.header('idempotent-replayed', 'true')
      this.#send(request, reply, error.status, error.body)
      this.#record(request, reply, context, { body: error.body, isReplayed: true })
      return
    }
    const problem = toRequestError(error)
    if (problem.detail.retryAfterSeconds !== undefined) {
      reply.header('retry-after', String(problem.detail.retryAfterSeconds))
    }
    if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
    if (problem.status === 413) drainRequest(request, reply)
    const body = this.#envelopeOf(problem, request.id)
    this.#send(request, reply, problem.status, body)
    this.#rejected.add(request)
    this.#record(request, reply, context, { body, problem })
  }

  pageSent(request: FastifyRequest, reply: FastifyReply): void {
    if (this.#rejected.has(request)) return
    this.#record(request, reply, contextOf(request, reply), {})
  }

  #record(
    request: FastifyRequest,
    reply: FastifyReply,
    { route, principal, startedAt, isWrite = false }: RequestContext,
    { body, problem, isReplayed = false }: Sent,
  ): void {
    const durationMs = performance.now() - startedAt
    const { method } = request
    const status = reply.statusCode
    this.#metrics.observeRequest(
      { method, route, status: String(status) },
      durationMs / 1_000,
      spanOf(request),
    )
    const trace = endRequestSpan(request, {
      status,
      reason: problem?.reason,
      businessId: principal?.businessId,
    })
    if (principal !== undefined) {
      this.#recorder?.record({
        request,
        route,
        principal,
        status,
        reason: problem?.reason,
        durationMs,
        isWrite,
        isReplayed,
        responseBody: body,
      })
    }
    const level = levelOf(route, status, durationMs)
    if (!this.#log.isLevelEnabled(level) || !this.#isLogged(request, status, durationMs)) return
    this.#log[level](
      {
        request_id: request.id,
        ...trace,
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

  #isLogged(request: FastifyRequest, status: number, durationMs: number): boolean {
    if (this.#loggedShare === 1 || isProblem(status, durationMs)) return true
    return isSampled(spanOf(request)) || Math.random() < this.#loggedShare
  }

  #send(request: FastifyRequest, reply: FastifyReply, status: number, body: string): void {
    reply.code(status)
    reply.headers({ ...HEADERS, 'content-type': JSON_UTF8, 'x-request-id': request.id })
    reply.send(body)
  }

  #envelopeOf(problem: RequestError, requestId: string): string {
    try {
      return errorEnvelope(problem, requestId)
    } catch (error) {
      this.#log.error({ err: error, request_id: requestId }, 'an error reply could not be serialized')
      return errorEnvelope(platformErrors.internal_error(), requestId)
    }
  }
}

/** More than any route takes: a bank statement has at most 32 MiB. */
export const MAX_DRAINED_BYTES = 64 * 1024 * 1024

/**
 * If the connection closes while they send, most clients report a broken pipe instead of the reply. So a rejected body is read
 * to its end and dropped; the request timeout bounds this.
 */
function drainRequest(request: FastifyRequest, reply: FastifyReply): void {
  if (Number(request.headers['content-length']) <= MAX_DRAINED_BYTES) reply.removeHeader('connection')
}

function levelOf(route: string, status: number, durationMs: number): 'debug' | 'info' | 'warn' | 'error' {
  if (status === 500) return 'error'
  if (isProblem(status, durationMs)) return 'warn'
  return PROBES.has(route) ? 'debug' : 'info'
}

function isProblem(status: number, durationMs: number): boolean {
  return status >= 500 || durationMs > SLOW_MS
}
