// Proves reference/operations#stopping, reference/acquirers#outcomes, reference/acquirers#decided-by-a-person,
// reference/events#deliveries, reference/events#retention, reference/cards#decision-hook, reference/pages#branding.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MAX_WAIT_MS } from '#platform/admission/fair-queue'
import { MAX_ACQUIRER_TIMEOUT_MS, MIN_EVENT_DAYS } from '#platform/config'
import { TIMEOUTS } from '#platform/http/server'
import { MAX_DRAINED_BYTES } from '#platform/http/routes/responder'
import { MAX_BODY_BYTES } from '#platform/http/validation/validation'
import { RETENTION_DAYS as IDEMPOTENCY_DAYS } from '#platform/idempotency/idempotency'
import { CLOSED_AFTER_MS } from '#platform/postgres/citus/tenant-nodes'
import { MAX_TRANSACTION_MS } from '#platform/postgres/database'
import { GONE_AFTER_SECONDS } from '#platform/postgres/migrations/older-processes'
import { MAX_RESPONSE_MS, MAX_STATEMENT_MS } from '#platform/postgres/session'
import { MAX_WORK_MS } from '#platform/postgres/tenant-session'
import { BEAT_MS, FORGOTTEN_AFTER_HOURS } from '#platform/processes/process-registry'
import { RETIRED_KEYS_KEPT_DAYS } from '#platform/security/key-source'
import { CONNECT_TIMEOUT_MS, DNS_TIMEOUT_MS, DNS_TRIES } from '#platform/security/egress'
import { LINK_DAYS } from '#platform/security/links'
import { SKIPPED_RECEIPTS } from '../src/commands/recovered-command.ts'
import { RESEND_HOURS } from '../src/modules/acquirers/intents/inquiry.ts'
import { LEASE_MS as CALL_LEASE_MS } from '../src/modules/acquirers/port/lease.ts'
import * as simulator from '../src/modules/acquirers/simulator/server/server.ts'
import * as simulatorClient from '../src/modules/acquirers/simulator/simulator-acquirer.ts'
import { MAX_VALUE_LENGTH } from '../src/modules/audit-log/entries/document.ts'
import { MAX_STATEMENT_BYTES } from '../src/modules/bank-transfers/api/routes.ts'
import { MAX_STATEMENT_LENGTH } from '../src/modules/bank-transfers/statements/statement-values.ts'
import * as bulk from '../src/modules/bulk-actions/run/bulk-job.ts'
import { MAX_DATA_URL_LENGTH } from '../src/modules/businesses/branding/branding-edit.ts'
import { MAX_LOGO_BYTES } from '../src/modules/businesses/branding/edit-branding.ts'
import { UNDECIDED_WAIT_MS } from '../src/modules/cards/decisions/authorize.ts'
import { MAX_HOOK_TIMEOUT_MS } from '../src/modules/cards/hooks/decision-hook.ts'
import { INQUIRY_BATCH } from '../src/modules/customers/jobs.ts'
import { MAX_NUMBERS } from '../src/modules/invoices/recovery/skip-document-numbers.ts'
import { DECIDABLE_AFTER_HOURS } from '../src/modules/payments/outcomes/inquiry-schedule.ts'
import { BATCH as RESOLVED_OPERATIONS } from '../src/modules/payments/resolver/resolve-operations.ts'
import { LEASE_RENEWAL_MS, MAX_UNREACHABLE_MS } from '../src/modules/billing/dunning/perform-attempts.ts'
import { MAX_ATTEMPTS } from '../src/modules/plans/dunning/next-step.ts'
import { MAX_STEPS } from '../src/modules/catalogue/policies/read-policy.ts'
import { MAX_BODY_LENGTH } from '../src/modules/request-log/recording/entry-of.ts'
import { MAX_CLOSE_MS } from '../src/modules/request-log/recording/recorder.ts'
import { MAX_ENGINE_TIMEOUT_MS } from '../src/modules/taxes/model/tax-engine.ts'
import { SLOW_MS } from '../src/modules/webhooks/delivery/endpoint-limiter.ts'
import { SLOW_LEASE_MS, TIMEOUT_MS as DELIVERY_TIMEOUT_MS } from '../src/modules/webhooks/delivery/sender.ts'
import { HANDOVER_MS, PURGE_DAYS } from '../src/modules/webhooks/model/timings.ts'
import { DRAIN_MS, LEASE_MS as DELIVERY_LEASE_MS } from '../src/modules/webhooks/queue/dispatcher.ts'
import { COMMIT_MS } from '../src/modules/webhooks/queue/fan-out.ts'
import { ACQUIRER_CONCURRENCY, CLOCK_DRAIN_MS } from '../src/service.ts'

/** Waiting for a free connection may take as long as the response. */
const callMs = (timeoutMs: number) => 2 * timeoutMs

test('the lease of a call to an acquirer outlasts the call, whatever ACQUIRER_TIMEOUT_MS says', () => {
  expect(callMs(MAX_ACQUIRER_TIMEOUT_MS)).toBeLessThan(CALL_LEASE_MS)
  expect(simulatorClient.TIMEOUT_MS).toBeLessThanOrEqual(MAX_ACQUIRER_TIMEOUT_MS)
})

test('a queued charge renews its lease while enough of it is left for the call', () => {
  expect(LEASE_RENEWAL_MS + callMs(simulatorClient.TIMEOUT_MS)).toBeLessThan(CALL_LEASE_MS)
})

test('an outcome that waits for the database is recorded before the resolver inquires', () => {
  expect(simulatorClient.TIMEOUT_MS + MAX_UNREACHABLE_MS).toBeLessThan(CALL_LEASE_MS)
})

test('the lease of a bulk action covers all rounds of a batch', () => {
  const rounds = bulk.BATCH / bulk.CONCURRENT_ITEMS
  expect(rounds * MAX_ACQUIRER_TIMEOUT_MS).toBeLessThan(bulk.LEASE_MS)
})

test('the runs that inquire fill the connections for inquiries and no more', () => {
  expect(ACQUIRER_CONCURRENCY * RESOLVED_OPERATIONS).toBe(simulatorClient.CONNECTIONS)
  expect(INQUIRY_BATCH).toBe(RESOLVED_OPERATIONS)
  expect(bulk.BATCH).toBeLessThanOrEqual(RESOLVED_OPERATIONS)
})

test('a person decides an outcome only after it can no longer be sent again', () => {
  expect(DECIDABLE_AFTER_HOURS).toBeGreaterThan(RESEND_HOURS)
})

test('a client closes an idle connection to the simulator first, and the simulator is silent for longer than it waits', () => {
  expect(simulatorClient.KEEP_ALIVE_MS).toBeLessThan(simulator.KEEP_ALIVE_MS)
  expect(callMs(MAX_ACQUIRER_TIMEOUT_MS)).toBeLessThan(simulator.SILENCE_MS)
})

test('the lease of a delivery outlasts a request that is not slow, and its extension one that is', () => {
  expect(SLOW_MS).toBeLessThan(DELIVERY_LEASE_MS)
  expect(DELIVERY_TIMEOUT_MS).toBeLessThan(SLOW_LEASE_MS)
})

test('a name is resolved and a connection is made within the time of a delivery', () => {
  expect(DNS_TRIES * DNS_TIMEOUT_MS).toBeLessThan(CONNECT_TIMEOUT_MS)
  expect(CONNECT_TIMEOUT_MS).toBeLessThan(DELIVERY_TIMEOUT_MS)
})

test('a tax engine answers, or is silent, before the request that asks it ends', () => {
  expect(MAX_ENGINE_TIMEOUT_MS).toBeLessThan(TIMEOUTS.requestMs)
})

test('the process that wrote a delivery claims it before others may', () => {
  expect(COMMIT_MS).toBeLessThan(HANDOVER_MS)
})

test('no delivery outlives the document of its event', () => {
  expect(MIN_EVENT_DAYS).toBeGreaterThanOrEqual(PURGE_DAYS)
})

test('a repeated card authorization waits for longer than a decision hook may take', () => {
  expect(UNDECIDED_WAIT_MS).toBeGreaterThan(MAX_HOOK_TIMEOUT_MS)
})

test('a statement ends before its transaction, and a transaction before its connection is cut or its shard is closed', () => {
  expect(MAX_STATEMENT_MS).toBeLessThan(MAX_WORK_MS)
  expect(MAX_STATEMENT_MS).toBeLessThan(MAX_RESPONSE_MS)
  expect(MAX_TRANSACTION_MS).toBeLessThan(CLOSED_AFTER_MS)
})

test('a more important request waits for longer before it is refused', () => {
  expect(MAX_WAIT_MS.low).toBeLessThan(MAX_WAIT_MS.standard)
  expect(MAX_WAIT_MS.standard).toBeLessThan(MAX_WAIT_MS.critical)
})

test('a process counts as gone only after it has missed several beats', () => {
  expect(GONE_AFTER_SECONDS * 1_000).toBeGreaterThan(2 * BEAT_MS)
  expect(FORGOTTEN_AFTER_HOURS * 3_600).toBeGreaterThan(GONE_AFTER_SECONDS)
})

test('a retired key is kept until the last link and fingerprint that was made with it has expired', () => {
  expect(RETIRED_KEYS_KEPT_DAYS).toBeGreaterThan(Math.max(LINK_DAYS, IDEMPOTENCY_DAYS))
})

test('a body that fits its characters fits its bytes, and a rejected one is read to its end', () => {
  expect(MAX_STATEMENT_BYTES).toBeGreaterThan(MAX_STATEMENT_LENGTH)
  expect(MAX_DRAINED_BYTES).toBeGreaterThanOrEqual(Math.max(MAX_STATEMENT_BYTES, MAX_BODY_BYTES))
})

test('a logo of the largest size fits its data URL, and the data URL a request', () => {
  const prefix = 'data:image/webp;base64,'
  const largest = prefix + Buffer.alloc(MAX_LOGO_BYTES).toString('base64')
  expect(largest.length).toBeLessThanOrEqual(MAX_DATA_URL_LENGTH)
  expect(MAX_DATA_URL_LENGTH).toBeLessThan(MAX_BODY_BYTES)
})

test('the audit log keeps as much of a value as the request log of a body', () => {
  expect(MAX_VALUE_LENGTH).toBe(MAX_BODY_LENGTH)
  expect(MAX_BODY_LENGTH).toBeLessThan(MAX_BODY_BYTES)
})

test('a policy of all steps ends at the bound of attempts', () => {
  expect(1 + MAX_STEPS).toBe(MAX_ATTEMPTS)
})

test('a recovery skips at most as many numbers of documents as of receipts', () => {
  expect(MAX_NUMBERS).toBeLessThanOrEqual(SKIPPED_RECEIPTS)
})

test('a stop takes no longer than the deploy files allow', () => {
  expect(TIMEOUTS.requestMs).toBeLessThanOrEqual(TIMEOUTS.drainMs)
  expect(CLOCK_DRAIN_MS).toBeLessThan(TIMEOUTS.drainMs)
  const apiMs = TIMEOUTS.drainMs + MAX_CLOSE_MS
  const workerMs = Math.max(CALL_LEASE_MS, DRAIN_MS) + MAX_CLOSE_MS
  const helm = 'deploy/helm/quittance/templates/_workload.tpl'
  const allowedMs = {
    compose: 1_000 * numberIn('deploy/compose.yaml', /command: \[api\][^]*?stop_grace_period: (\d+)s/),
    systemd: 1_000 * numberIn('deploy/systemd/quittance@.service', /TimeoutStopSec=(\d+)s/),
    helm:
      1_000 * numberIn(helm, /terminationGracePeriodSeconds: (\d+)/) -
      numberIn(helm, /preStop:[^]*?setTimeout\(\(\) => \{\}, (\d+)\)/),
  }
  for (const [file, ms] of Object.entries(allowedMs)) expect(Math.max(apiMs, workerMs), file).toBeLessThan(ms)
  const simulatorMs = 1_000 * numberIn('deploy/systemd/quittance-simulator.service', /TimeoutStopSec=(\d+)s/)
  expect(simulator.DRAIN_MS).toBeLessThan(simulatorMs)
})

function numberIn(path: string, pattern: RegExp): number {
  const [, digits] = pattern.exec(readFileSync(path, 'utf8')) ?? []
  if (digits === undefined) throw new Error(`${path} has nothing like ${pattern}`)
  return Number(digits)
}
