import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import {
  type Attributes,
  type Context,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api'
import { parseTraceParent, TraceState } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  type IdGenerator,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  type Span as SdkSpan,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { ATTR_SERVICE_INSTANCE_ID } from '@opentelemetry/semantic-conventions/incubating'
import { ATTR_SERVICE_NAME } from '@opentelemetry/semantic-conventions'
import { realNowMs } from '#kernel/clock'
import type { Log } from '#platform/observability/log'
import type { TracingSettings } from '#platform/observability/tracing-settings'
import { containsCardNumber, maskCardNumbers, maskSecretWords } from '#platform/security/redaction'

interface TraceHeaders {
  readonly traceparent?: string | string[] | undefined
  readonly tracestate?: string | string[] | undefined
}

export interface SpanOptions {
  readonly kind?: 'server' | 'client'
  readonly attributes?: Attributes
  readonly parent?: TraceHeaders
  readonly follows?: string
}

export interface Tracer {
  start(name: string, options: SpanOptions & { readonly within?: Span }): Span
  fail(span: Span): void
  close(): Promise<void>
}
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const
/** W3C Trace Context has a `tracestate` of up to 512 characters propagated. */
const MAX_TRACE_STATE_LENGTH = 512

export function createTracer(settings: TracingSettings, log?: Log): Tracer {
  if (log !== undefined) reportProblems(log)
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(
        resourceFromAttributes({
          [ATTR_SERVICE_NAME]: 'quittance',
          [ATTR_SERVICE_INSTANCE_ID]: `${hostname()}:${process.pid}`,
        }),
      )
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: followingLinks(samplerOf(settings)),
    idGenerator: ID_GENERATOR,
    spanProcessors: [
      REDACTING,
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: settings.url }),
        scheduledDelayMillis: settings.delayMs,
        maxQueueSize: settings.maxQueued,
      }),
    ],
  })
  const tracer = provider.getTracer('quittance')
  return {
    start: (name, { kind, attributes, parent, follows, within }) => {
      const context = within === undefined ? remoteContext(parent) : trace.setSpan(ROOT_CONTEXT, within)
      const followed = follows === undefined ? undefined : readParent(follows)
      return tracer.startSpan(
        name,
        {
          kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind],
          ...(attributes !== undefined && { attributes }),
          ...(followed !== undefined && { links: [{ context: followed }] }),
        },
        context,
      )
    },
    fail: (span) => void span.setStatus({ code: SpanStatusCode.ERROR }),
    close: () =>
      provider
        .shutdown()
        .catch((error: unknown) => log?.warn({ err: error }, 'cannot export the last spans')),
  }
}

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  const word = sampler.replace('parentbased_', '')
  const root =
    word === 'always_on'
      ? new AlwaysOnSampler()
      : word === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(ratio)
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root
}

/** A trace that is linked to a sampled one is sampled too, so that the attempts of a delivery are all there. */
function followingLinks(sampler: Sampler): Sampler {
  return {
    shouldSample: (context, traceId, name, kind, attributes, links) =>
      links.some((link) => (link.context.traceFlags & TraceFlags.SAMPLED) !== 0)
        ? { decision: SamplingDecision.RECORD_AND_SAMPLED }
        : sampler.shouldSample(context, traceId, name, kind, attributes, links),
    toString: () => `followingLinks(${sampler.toString()})`,
  }
}

function remoteContext(headers: TraceHeaders | undefined): Context {
  if (typeof headers?.traceparent !== 'string') return ROOT_CONTEXT
  const parent = readParent(headers.traceparent)
  if (parent === undefined) return ROOT_CONTEXT
  const traceState = readState(headers.tracestate)
  return trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true, ...(traceState && { traceState }) })
}

/** Ids that are card numbers are not taken over: the log would mask them, and spans must not contain any. */
function readParent(traceparent: string): SpanContext | undefined {
  const parent = parseTraceParent(traceparent)
  if (parent === null || containsCardNumber(parent.traceId) || containsCardNumber(parent.spanId))
    return undefined
  return parent
}

function readState(tracestate: string | string[] | undefined): TraceState | undefined {
  const text = [tracestate ?? []].flat().join(',')
  if (text === '' || text.length > MAX_TRACE_STATE_LENGTH || redacted(text) !== text) return undefined
  return new TraceState(text)
}

const ID_GENERATOR: IdGenerator = {
  generateTraceId: () => newHexId(16),
  generateSpanId: () => newHexId(8),
}

function newHexId(bytes: number): string {
  for (;;) {
    const id = randomBytes(bytes).toString('hex')
    if (!containsCardNumber(id) && !/^0+$/.test(id)) return id
  }
}

const REDACTING: SpanProcessor = {
  onStart: () => {},
  onEnding: (span: SdkSpan) => {
    for (const [name, value] of Object.entries(span.attributes)) {
      if (typeof value === 'string' && redacted(value) !== value) span.setAttribute(name, redacted(value))
    }
  },
  onEnd: () => {},
  forceFlush: async () => {},
  shutdown: async () => {},
}

function redacted(text: string): string {
  return maskCardNumbers(maskSecretWords(text))
}

const PROBLEM_INTERVAL_MS = 60_000

function reportProblems(log: Log): void {
  let lastMs = -Infinity
  const report = (message: string) => {
    if (realNowMs() - lastMs < PROBLEM_INTERVAL_MS) return
    lastMs = realNowMs()
    log.warn({ problem: message }, 'traces are not exported')
  }
  const quiet = () => {}
  diag.setLogger(
    { error: report, warn: report, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
}
