import type { Span } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import { isTracing, markFailed, startTrace, type TraceIds, traceIdsOf } from '#platform/observability/tracing'
import { withSpan } from '#platform/request-scope'

const spans = new WeakMap<FastifyRequest, Span>()

export function inRequestSpan<T>(request: FastifyRequest, route: string, handle: () => T): T {
  if (!isTracing()) return handle()
  const span = startTrace(`${request.method} ${route}`, {
    kind: 'server',
    parent: { traceparent: request.headers['traceparent'], tracestate: request.headers['tracestate'] },
    attributes: {
      'http.request.method': request.method,
      'http.route': route,
      'quittance.request_id': request.id,
    },
  })
  if (span === undefined) return handle()
  spans.set(request, span)
  return withSpan(span, handle)
}

export function spanOf(request: FastifyRequest): Span | undefined {
  return spans.get(request)
}

interface Served {
  readonly status: number
  readonly reason: string | undefined
  readonly businessId: string | undefined
}

export function endRequestSpan(request: FastifyRequest, served: Served): TraceIds | undefined {
  const span = spans.get(request)
  if (span === undefined) return undefined
  span.setAttribute('http.response.status_code', served.status)
  if (served.businessId !== undefined) span.setAttribute('quittance.business_id', served.businessId)
  if (served.status >= 500) markFailed(span, served.reason ?? String(served.status))
  else if (served.reason !== undefined) span.setAttribute('error.type', served.reason)
  span.end()
  return traceIdsOf(span)
}
