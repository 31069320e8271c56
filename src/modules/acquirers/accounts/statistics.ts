import type { Span } from '@opentelemetry/api'
import { LRUCache } from 'lru-cache'
import { Counter, Gauge, type Registry } from 'prom-client'
import { realNowMs } from '#kernel/clock'
import { addDurations } from '#platform/observability/metrics'
import { traced } from '#platform/observability/tracing'
import type { Acquirer, Outcome } from '../port/port.ts'
import { storable } from './said.ts'

/** These four bound the figures of accounts (reference/operations#metrics). */
const MAX_SAMPLES = 200
const WINDOW_MS = 3_600_000
const MAX_ACCOUNTS = 2_000
const MIN_SAMPLES = 20
const DURATION_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

interface Sample {
  readonly atMs: number
  readonly durationMs: number
  readonly isApproved: boolean
}

export interface AccountFigures {
  readonly successRate: number | null
  readonly averageMs: number | null
}

export class AccountStatistics {
  readonly #samples = new LRUCache<string, Sample[]>({ max: MAX_ACCOUNTS })
  readonly #now: () => number

  constructor(now: () => number = realNowMs) {
    this.#now = now
  }

  record(accountId: string, kind: Outcome['kind'], durationMs: number): void {
    if (kind === 'pending') return
    const samples = this.#samples.get(accountId) ?? []
    samples.push({ atMs: this.#now(), durationMs, isApproved: kind === 'approved' })
    if (samples.length > MAX_SAMPLES) samples.shift()
    this.#samples.set(accountId, samples)
  }

  of(accountId: string): AccountFigures {
    const since = this.#now() - WINDOW_MS
    const recent = (this.#samples.peek(accountId) ?? []).filter(({ atMs }) => atMs > since)
    if (recent.length < MIN_SAMPLES) return { successRate: null, averageMs: null }
    const approved = recent.filter(({ isApproved }) => isApproved).length
    const totalMs = recent.reduce((sum, { durationMs }) => sum + durationMs, 0)
    return { successRate: approved / recent.length, averageMs: totalMs / recent.length }
  }

  accountIds(): Iterable<string> {
    return this.#samples.keys()
  }
}

type Operation = 'sale' | 'authorize' | 'capture' | 'refund' | 'void' | 'verify'

export type ObserveOperation = (
  acquirerName: string,
  operation: Operation,
  kind: Outcome['kind'],
  durationMs: number,
) => void

export function createAcquirerMetrics(registry: Registry): ObserveOperation {
  const outcomes = new Counter({
    name: 'acquirer_outcomes_total',
    help: 'Operations at acquirers, by acquirer, operation and outcome.',
    labelNames: ['acquirer', 'operation', 'outcome'] as const,
    registers: [registry],
  })
  const observe = addDurations(registry, {
    name: 'acquirer_operation_duration_seconds',
    help: 'Duration of operations at acquirers.',
    labelNames: ['acquirer', 'operation'],
    buckets: DURATION_BUCKETS,
  })
  return (acquirer, operation, outcome, durationMs) => {
    outcomes.inc({ acquirer, operation, outcome })
    observe({ acquirer, operation }, durationMs / 1_000)
  }
}

/**
 * Gauges of the accounts that this process knows figures of. `MAX_ACCOUNTS` bounds their number; an account without 20
 * payments within the last hour has none.
 */
export function addAccountGauges(registry: Registry, statistics: AccountStatistics): void {
  const gauges = [
    {
      name: 'acquirer_account_success_rate',
      help: 'Share of approved payments among the last ones at an acquirer account, from 0 to 1.',
      valueOf: ({ successRate }: AccountFigures) => successRate,
    },
    {
      name: 'acquirer_account_average_duration_seconds',
      help: 'Average duration of the last payments at an acquirer account.',
      valueOf: ({ averageMs }: AccountFigures) => (averageMs === null ? null : averageMs / 1_000),
    },
  ]
  for (const { name, help, valueOf } of gauges) {
    const gauge = new Gauge({
      name,
      help,
      labelNames: ['account'] as const,
      registers: [],
      collect() {
        this.reset()
        for (const account of statistics.accountIds()) {
          const value = valueOf(statistics.of(account))
          if (value !== null) this.set({ account }, value)
        }
      },
    })
    registry.registerMetric(gauge)
  }
}

export function observed(
  acquirer: Acquirer,
  observe: (operation: Operation, kind: Outcome['kind'], durationMs: number) => void,
): Acquirer {
  const timed = <Result extends Outcome>(
    operation: Operation,
    perform: () => Promise<Result>,
  ): Promise<Result> =>
    calling(acquirer.name, operation, async (span) => {
      const startedAt = performance.now()
      const outcome = storable(await perform())
      observe(operation, outcome.kind, performance.now() - startedAt)
      span?.setAttribute('quittance.outcome', outcome.kind)
      return outcome
    })
  return {
    name: acquirer.name,
    merchantId: acquirer.merchantId,
    capabilities: acquirer.capabilities,
    sale: (request) => timed('sale', () => acquirer.sale(request)),
    authorize: (request) => timed('authorize', () => acquirer.authorize(request)),
    capture: (request) => timed('capture', () => acquirer.capture(request)),
    refund: (request) => timed('refund', () => acquirer.refund(request)),
    void: (request) => timed('void', () => acquirer.void(request)),
    verify: (request) => timed('verify', () => acquirer.verify(request)),
    inquire: (lookup) =>
      calling(acquirer.name, 'inquire', async () => storable(await acquirer.inquire(lookup))),
    closeKey: (lookup) =>
      calling(acquirer.name, 'close_key', async () => storable(await acquirer.closeKey(lookup))),
    bookings: acquirer.bookings,
    agreements: acquirer.agreements,
    keysKeptHours: acquirer.keysKeptHours,
  }
}

/** Acquirers are not sent the trace: they are other companies, and what they sign must not vary. */
function calling<Result>(
  acquirer: string,
  operation: string,
  call: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  const attributes = { 'quittance.acquirer': acquirer, 'quittance.operation': operation }
  return traced(`${operation} ${acquirer}`, { kind: 'client', attributes }, call)
}
