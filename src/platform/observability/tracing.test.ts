import { execFileSync } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { startTestServer } from '#platform/testing/test-server'
import {
  currentTraceparent,
  isRecording,
  startTrace,
  startTracing,
  traced,
  tracedFromHere,
  traceIdsOf,
} from '#platform/observability/tracing'
import type { TracingSettings } from '#platform/observability/tracing-settings'

/** Nothing listens there: these tests look at decisions, and `scenarios/tracing.test.ts` at what is sent. */
const SETTINGS = { url: 'http://127.0.0.1:1/v1/traces', ratio: 1, delayMs: 60_000, maxQueued: 10 } as const

async function tracingWith(sampler: TracingSettings['sampler'], ratio = 1): Promise<void> {
  const stop = await startTracing({ ...SETTINGS, sampler, ratio })
  onTestFinished(stop)
}

const PARENT = '00-b7ad6b7169203331a2ce929d0e0e4736-fcf067aa0ba902b7-01'

// Proves reference/operations#tracing.
test('without an endpoint no package of OpenTelemetry is loaded, and nothing is recorded', async () => {
  const program = `
    import { PlainDatabase } from '#platform/postgres/plain/plain-database'
    import { createServer } from '#platform/http/server'
    import { startTracing, tracedFromHere } from '#platform/observability/tracing'
    await startTracing(undefined)
    await tracedFromHere('work', {}, async (span) => { if (span !== undefined) throw new Error('a span') })
    console.log(typeof PlainDatabase, typeof createServer)`
  const output = execFileSync(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(REPORT)}`,
      '--input-type=module-typescript',
      '--eval',
      program,
    ],
    { encoding: 'utf8' },
  )
  expect(output).toContain('function function')
  expect(output).not.toContain('@opentelemetry')
})

/** Prints every module that is resolved. */
const REPORT = `
  import { registerHooks } from 'node:module'
  registerHooks({ resolve(specifier, context, next) {
    const resolved = next(specifier, context)
    if (resolved.url.includes('@opentelemetry')) console.log(resolved.url)
    return resolved
  } })`

test.each([
  ['parentbased_always_off', true, false],
  ['parentbased_traceidratio', true, false],
  ['always_off', false, false],
  ['traceidratio', false, false],
  ['always_on', true, true],
  ['parentbased_always_on', true, true],
] as const)(
  '%s with ratio 0: a sampled caller is followed: %s; others are kept: %s',
  async (sampler, caller, others) => {
    await tracingWith(sampler, 0)
    const followed = startTrace('request', { parent: { traceparent: PARENT } })
    expect(followed?.isRecording()).toBe(caller)
    expect(traceIdsOf(followed)?.trace_id).toBe('b7ad6b7169203331a2ce929d0e0e4736')
    expect(startTrace('request')?.isRecording()).toBe(others)
    expect(startTrace('retry', { follows: PARENT })?.isRecording()).toBe(true)
  },
)

test('what is started by a request that is not sampled, or after its end, is not recorded', async () => {
  await tracingWith('parentbased_always_on')
  const unsampled = { parent: { traceparent: PARENT.replace(/1$/, '0') } }
  await tracedFromHere('request', unsampled, async () => {
    expect([isRecording(), currentTraceparent()]).toEqual([false, null])
    await traced('transaction', {}, async (span) => expect(span).toBeUndefined())
  })
  const late = Promise.withResolvers<void>()
  let after: Promise<void> | undefined
  await tracedFromHere('request', {}, async () => {
    expect(isRecording()).toBe(true)
    const afterTheEnd = async () => {
      await late.promise
      expect(isRecording()).toBe(false)
      // Its events still name the trace.
      expect(currentTraceparent()).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/)
    }
    after = afterTheEnd()
  })
  late.resolve()
  await after
})

test.each([
  'not-a-traceparent',
  `00-abcdefabcdefabcd4242424242424242-fcf067aa0ba902b7-01`,
  `00-${'0'.repeat(32)}-fcf067aa0ba902b7-01`,
])('a caller’s %s begins a trace of ours', async (traceparent) => {
  await tracingWith('always_on')
  const ids = traceIdsOf(startTrace('request', { parent: { traceparent } }))
  expect(ids?.trace_id).toMatch(/^[\da-f]{32}$/)
  expect(traceparent).not.toContain(ids?.trace_id)
})

// Proves reference/operations#request-lines.
test.each([
  [1, ['200', '404']],
  [0, []],
])('at a share of %d these requests have a line: %j', async (loggedShare, expected) => {
  const server = await startTestServer({ loggedShare })
  await server.send('GET', '/api/v1/openapi/orders/ord_1')
  await server.send('GET', '/nowhere')
  await server.send('GET', '/healthz')
  const lines = server.logged
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg, level }) => msg === 'request' && level === 'info')
  expect(lines.map(({ status }) => String(status))).toEqual(expected)
})
