import type { Span } from '@opentelemetry/api'
import { currentSpan, withSpan } from '#platform/request-scope'
import type { Log } from '#platform/observability/log'
import type { SpanOptions, Tracer } from '#platform/observability/tracer'
import type { TracingSettings } from '#platform/observability/tracing-settings'
import { codeOf } from '#platform/thrown'

export interface TraceIds extends Record<string, string> {
  readonly trace_id: string
  readonly span_id: string
}

/** The sampled flag of W3C Trace Context. */
const SAMPLED = 1

let tracer: Tracer | undefined

export async function startTracing(
  settings: TracingSettings | undefined,
  log?: Log,
): Promise<() => Promise<void>> {
  if (settings === undefined) return async () => {}
  const { createTracer } = await import('#platform/observability/tracer')
  const started = createTracer(settings, log)
  tracer = started
  return async () => {
    if (tracer === started) tracer = undefined
    await started.close()
  }
}

export function isTracing(): boolean {
  return tracer !== undefined
}

export function startTrace(name: string, options: SpanOptions = {}): Span | undefined {
  return tracer?.start(name, options)
}

export function isRecording(): boolean {
  return tracer !== undefined && currentSpan()?.isRecording() === true
}

export function recordingSpan(): Span | undefined {
  return isRecording() ? currentSpan() : undefined
}

export function traced<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const within = recordingSpan()
  if (tracer === undefined || within === undefined) return work(undefined)
  return inSpan(tracer.start(name, { ...options, within }), work)
}

export function tracedFromHere<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const span = startTrace(name, options)
  return span === undefined ? work(undefined) : inSpan(span, work)
}

async function inSpan<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await withSpan(span, () => work(span))
  } catch (error) {
    markFailed(span, codeOf(error) ?? (error instanceof Error ? error.name : 'error'))
    throw error
  } finally {
    span.end()
  }
}

/** @param type a stable word or class. A message could contain what a caller sent. */
export function markFailed(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  tracer?.fail(span)
}

export function traceIdsOf(span: Span | undefined): TraceIds | undefined {
  if (span === undefined) return undefined
  const { traceId, spanId } = span.spanContext()
  return { trace_id: traceId, span_id: spanId }
}

export function exemplarOf(span: Span | undefined): TraceIds | undefined {
  return isSampled(span) ? traceIdsOf(span) : undefined
}

export function currentTraceparent(): string | null {
  if (tracer === undefined) return null
  const span = currentSpan()
  if (span === undefined || !isSampled(span)) return null
  const { traceId, spanId } = span.spanContext()
  return `00-${traceId}-${spanId}-01`
}

export function isSampled(span: Span | undefined): boolean {
  return span !== undefined && (span.spanContext().traceFlags & SAMPLED) !== 0
}
