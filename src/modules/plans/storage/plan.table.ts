import { type Instant, rfc3339OrNull } from '#kernel/clock'
import { memoize } from '#kernel/memoize'
import { amount, composed, json, named, table } from '#platform/postgres/table'
import type { Due, Plan } from '../model/plan.ts'
import type { Trial } from '../model/trial.ts'
import {
  readChangedPeriod,
  readPendingChange,
  readPendingLines,
  storedChange,
  storedChangedPeriod,
  storedLines,
} from './change-documents.ts'
import { readStoredInvoicing, storedInvoicing } from './invoicing.repository.ts'

const timeOf = memoize((text: string) => Temporal.PlainTime.from(text))

export const PLANS = table<Plan>('p', {
  id: 'text',
  name: 'text',
  referenceNumber: 'text',
  customerUuid: 'text',
  customerReferenceNumber: 'text',
  // The API has only this one, so the column is not read.
  defaultCollectionMethod: composed([], () => 'charge_automatically' as const, {
    default_collection_method: ['text', (method) => method],
  }),
  paymentRetryCount: 'integer',
  paymentRetryDayPeriod: 'integer',
  dunningPolicyId: 'text',
  gracePeriod: 'integer',
  callbackUrl: 'text',
  redirectUrl: 'text',
  timeout: composed(
    ['timeout_seconds', 'timeout_url'],
    (seconds: number | null, url: string | null) => (seconds === null ? null : { seconds, url }),
    {
      timeout_seconds: ['integer', (timeout) => timeout?.seconds ?? null],
      timeout_url: ['text', (timeout) => timeout?.url ?? null],
    },
  ),
  note: 'text',
  description: 'text',
  metadata: json(),
  credit: amount('credit_minor', 'currency'),
  zone: named('time_zone', 'text'),
  localTime: { type: 'text', read: timeOf, write: (time) => time.toString() },
  startAt: 'timestamptz',
  state: 'text',
  currentCycle: 'integer',
  lastSuffix: 'integer',
  currentOrderId: 'text',
  paused: 'boolean',
  uncollectible: 'boolean',
  permanentlyUncollectible: 'boolean',
  hasCoupons: 'boolean',
  suspendedAt: 'timestamptz',
  cancelAt: 'timestamptz',
  cancellation: json(),
  pendingChange: composed(['pending_change', 'currency'], readPendingChange, {
    pending_change: ['json', storedChange],
  }),
  pendingLines: composed(['pending_lines', 'currency'], readPendingLines, {
    pending_lines: ['json', storedLines],
  }),
  changedPeriod: composed(['changed_period', 'currency'], readChangedPeriod, {
    changed_period: ['json', storedChangedPeriod],
  }),
  pauseUntil: 'timestamptz',
  terms: composed(
    ['term_minimum', 'term_notice', 'term_renewal'],
    (minimum: string | null, notice: string | null, renewal: string | null) =>
      minimum === null ? null : { minimum, notice, renewal },
    {
      term_minimum: ['text', (terms) => terms?.minimum ?? null],
      term_notice: ['text', (terms) => terms?.notice ?? null],
      term_renewal: ['text', (terms) => terms?.renewal ?? null],
    },
  ),
  invoicing: { type: 'json', read: readStoredInvoicing, write: storedInvoicing },
  trial: composed(
    ['trial_end_at', 'trial_state', 'trial_without_token', 'trial_notice_days', 'trial_notice_at'],
    toTrial,
    {
      trial_end_at: ['timestamptz', (trial) => rfc3339OrNull(trial?.end)],
      trial_state: ['text', (trial) => trial?.state ?? null],
      trial_without_token: ['text', (trial) => trial?.withoutToken ?? null],
      trial_notice_days: ['integer', (trial) => trial?.noticeDays ?? null],
      trial_notice_at: ['timestamptz', (trial) => rfc3339OrNull(trial?.noticeAt)],
    },
  ),
  due: composed(
    ['due_at', 'due_kind', 'due_order_id'],
    (at: Instant | null, kind: Due['kind'] | null, orderId: string | null) =>
      at === null || kind === null ? null : { at, kind, orderId },
    {
      due_at: ['timestamptz', (due) => rfc3339OrNull(due?.at)],
      due_kind: ['text', (due) => due?.kind ?? null],
      due_order_id: ['text', (due) => due?.orderId ?? null],
    },
  ),
  nextExecuteAt: 'timestamptz',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
})

function toTrial(
  end: Instant | null,
  state: Trial['state'] | null,
  withoutToken: Trial['withoutToken'] | null,
  noticeDays: number | null,
  noticeAt: Instant | null,
): Trial | null {
  if (end === null || state === null || withoutToken === null) return null
  return { end, state, withoutToken, noticeDays: noticeDays ?? 0, noticeAt }
}
