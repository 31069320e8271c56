import { randomBytes } from 'node:crypto'
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '#platform/embedded-postgres/free-port'
import { createMigratedDatabase } from '#platform/testing/database'
import { replyWith, startReceiver } from '#platform/testing/receiver'
import { eventually } from '#platform/testing/until'
import { Client, PAYMENTS } from './harness/client.ts'
import { createBusiness, runCommand, runToEnd } from './harness/command-line.ts'
import { type ReceivedSpan, startOtlpReceiver } from './harness/otlp-receiver.ts'
import { collectOutput, spawnProgram, stopProcess, waitUntilReady } from './harness/service.ts'

const collector = await startOtlpReceiver()
const folder = await mkdtemp(join(tmpdir(), 'quittance-tracing-'))
afterAll(() => rm(folder, { recursive: true }))
const simulatorPort = await freePort()
const simulator = spawnProgram('src/simulator.ts', [], {
  SIMULATOR_PORT: String(simulatorPort),
  SIMULATOR_DIR: join(folder, 'simulator'),
})
afterAll(() => stopProcess(simulator, 'SIGTERM'))
await waitUntilReady(`http://127.0.0.1:${simulatorPort}/health`, simulator, collectOutput(simulator))

const env = {
  DATABASE_URL: await createMigratedDatabase(),
  DATA_DIR: join(folder, 'data'),
  ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
  SIMULATOR_URL: `http://127.0.0.1:${simulatorPort}`,
  ALLOW_PRIVATE_WEBHOOKS: '1',
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  OTEL_BSP_SCHEDULE_DELAY: '50',
}

const started: ChildProcess[] = []
afterAll(() => Promise.all(started.map((child) => stopProcess(child, 'SIGTERM'))))

async function startProcess(command: 'api' | 'worker', settings: Record<string, string> = {}) {
  const port = await freePort()
  const child = spawnProgram('src/main.js', [command], {
    ...env,
    [command === 'api' ? 'PORT' : 'WORKER_PORT']: String(port),
    OTEL_SERVICE_NAME: command,
    ...settings,
  })
  started.push(child)
  const output = collectOutput(child)
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(`${url}/readyz`, child, output)
  return { child, url, output, stop: (signal: NodeJS.Signals = 'SIGTERM') => stopProcess(child, signal) }
}

const api = await startProcess('api')
const sandbox = await createBusiness({ env }, [], runToEnd)
const client = new Client({ ...sandbox, base_url: api.url })
const customer = await client.createCustomer()
const { token } = await client.bindCard(customer.uuid, '4242424242424242')

/** What the caller's own tracing sends. */
const TRACE_ID = 'b7ad6b7169203331a2ce929d0e0e4736'
const PARENT_ID = 'fcf067aa0ba902b7'

function traced(flags: '00' | '01', traceId = TRACE_ID) {
  return { headers: { traceparent: `00-${traceId}-${PARENT_ID}-${flags}`, tracestate: 'shop=a1' } }
}

async function payTraced(number: string, headers: Record<string, string>) {
  const reply = await client.call(
    'POST',
    `${PAYMENTS}/orders/pay`,
    { order: { number }, transaction: { type: 'Sales', payment_token: token } },
    { headers },
  )
  expect(reply).toMatchObject({ status: 200 })
}

function inTrace(traceId: string): ReceivedSpan[] {
  return collector.spans.filter((span) => span.traceId === traceId)
}

function parentOf(span: ReceivedSpan | undefined): ReceivedSpan | undefined {
  return collector.spans.find(({ spanId }) => spanId === span?.parentSpanId)
}

function named(spans: readonly ReceivedSpan[], name: string): ReceivedSpan | undefined {
  return spans.find((span) => span.name === name)
}

const PAY = `POST ${PAYMENTS}/orders/pay`

// Proves reference/operations#tracing.
test('a payment is one trace from the caller over statements and acquirer to a delivery by another process after a kill', async () => {
  const receiver = await startReceiver()
  const order = await client.createOrder({ customer_uuid: customer.uuid, notify_url: receiver.url })
  await payTraced(order.number, traced('01').headers)
  const spans = await eventually(
    () => inTrace(TRACE_ID),
    (found) => named(found, PAY) !== undefined,
  )
  const server = named(spans, PAY)
  expect(server).toMatchObject({ parentSpanId: PARENT_ID, kind: 2, service: 'api' })
  expect(server?.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.route': `${PAYMENTS}/orders/pay`,
    'http.response.status_code': 200,
    'quittance.business_id': sandbox.business_id,
  })
  const sale = named(spans, 'sale simulator')
  expect(sale).toMatchObject({ parentSpanId: server?.spanId, kind: 3 })
  expect(sale?.attributes).toMatchObject({ 'quittance.outcome': 'approved' })
  const transactions = spans.filter(({ name }) => name === 'transaction')
  expect(transactions.length).toBeGreaterThanOrEqual(2)
  for (const transaction of transactions) expect(transaction.parentSpanId).toBe(server?.spanId)
  const recording = transactions.find(({ events }) => events.includes('insert events'))
  expect(recording?.events).toContain('update orders')

  await api.stop('SIGKILL')
  expect(receiver.received).toEqual([])
  const worker = await startProcess('worker')
  const delivered = await eventually(
    () => named(inTrace(TRACE_ID), 'deliver order.paid'),
    (span) => span !== undefined,
  )
  expect(delivered).toMatchObject({ service: 'worker', kind: 3, parentSpanId: recording?.spanId })
  expect(delivered?.attributes).toMatchObject({ 'http.response.status_code': 200, 'quittance.attempt': 1 })
  expect(parentOf(parentOf(delivered))).toBe(server)
  for (const { headers } of receiver.received) expect(headers).not.toHaveProperty('traceparent')
  await worker.stop()
})

// Proves reference/operations#tracing.
test('a retry is a trace of its own that is linked to what caused the event, and a stop sends what is left', async () => {
  const second = await startProcess('api')
  const caller = new Client({ ...sandbox, base_url: second.url })
  const receiver = await startReceiver(replyWith(503))
  const before = collector.spans.length
  const deliveries = () =>
    collector.spans.slice(before).filter(({ name }) => name === 'deliver order.created')
  const order = await caller.createOrder({ customer_uuid: customer.uuid, notify_url: receiver.url })
  // Spans are sent at the end only.
  const worker = await startProcess('worker', { OTEL_BSP_SCHEDULE_DELAY: '60000' })
  await eventually(
    () => receiver.received.length,
    (count) => count >= 2,
  )
  await second.stop()
  expect(deliveries()).toEqual([])
  await worker.stop()
  const [first, retry] = deliveries()
  expect(first?.status.code).toBe(2)
  expect(first?.attributes).toMatchObject({ 'error.type': '503', 'quittance.attempt': 1 })
  const written = parentOf(first)
  expect(written).toMatchObject({ name: 'transaction', service: 'api' })
  expect(retry?.traceId).not.toBe(first?.traceId)
  expect(retry?.parentSpanId ?? '').toBe('')
  expect(retry?.links).toMatchObject([{ traceId: written?.traceId, spanId: written?.spanId }])
  expect(order.number).toBe(receiver.received[0]?.body.object_id)
})

// Proves reference/operations#request-lines, reference/operations#metrics.
test('a line of the log, an exemplar and a span of a request name each other, and no card number or key is in any', async () => {
  const third = await startProcess('api', {
    OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    LOG_REQUESTS: '0',
  })
  onTestFinished(() => third.stop())
  const caller = new Client({ ...sandbox, base_url: third.url })
  const traceId = 'aaad6b7169a03331a2ce929d0e0e4736'
  const number = '5555555555554444'
  const body = {
    customer: { uuid: customer.uuid },
    payment_token: { type: 'credit_card', credit_card: { number, cvc: '987' } },
  }
  const headers = { ...traced('01', traceId).headers, 'x-request-id': number }
  await caller.call('POST', `${PAYMENTS}/customers/${number}/payment_tokens`, body, { headers })
  await caller.call(
    'POST',
    `${PAYMENTS}/orders/check`,
    { order: { number } },
    { headers: { tracestate: number } },
  )
  const numbered = `00-abcdefabcdefabcd${number}-${PARENT_ID}-01`
  await caller.call('GET', `${PAYMENTS}/orders`, undefined, { headers: { traceparent: numbered } })
  const server = await eventually(
    () => inTrace(traceId).find(({ kind }) => kind === 2),
    (span) => span !== undefined,
  )
  const lines = third
    .output()
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  // Requests that were not sampled have no line at this setting, unless they were slow.
  expect(lines.filter(({ level }) => level === 'info')).toMatchObject([
    { trace_id: traceId, span_id: server?.spanId, status: server?.attributes['http.response.status_code'] },
  ])
  expect(lines[0]).toHaveProperty('duration_ms')
  const metrics = await fetch(`${third.url}/metrics`)
  expect(metrics.headers.get('content-type')).toContain('application/openmetrics-text')
  const text = await metrics.text()
  expect(text).toContain(`trace_id="${traceId}",span_id="${server?.spanId}"`)
  for (const output of [third.output(), text, ...collector.texts]) {
    for (const secret of [number, '4242424242424242', sandbox.api_key, sandbox.webhook_secret]) {
      expect(output).not.toContain(secret)
    }
    expect(output).not.toContain('"987"')
  }
})

// Proves reference/operations#tracing.
test('a command is a trace', async () => {
  // In a process of its own, because OpenTelemetry reads the name from the environment of the process.
  const operator = { env: { ...env, OTEL_SERVICE_NAME: 'operator' } }
  await runCommand(operator, ['businesses', 'list'], runToEnd)
  const command = named(collector.spans, 'command businesses list')
  expect(command).toMatchObject({ service: 'operator', attributes: {} })
})
