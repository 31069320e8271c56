import { createHash } from 'node:crypto'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { EgressResult } from '#platform/security/egress'
import { maskCardNumbers, redactLine } from '#platform/security/redaction'
import type { DeliveryState } from './delivery.states.ts'
import { readRetryAfter, retryDelayMs } from './retry-schedule.ts'

/** An attempt, as lists show it and as it is stored. */
export interface Attempt {
  /** On the business's clock. */
  readonly at: string
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null
  /** A stable word, when there was no answer or not one that counts: `timeout`, `redirect_refused`, … */
  readonly error?: string
  readonly duration_ms: number
  /** The `webhook-timestamp` it was signed with, which is of the real clock. Not with attempts of an earlier version. */
  readonly webhook_timestamp?: number
  /** The beginning of what the receiver answered, without secrets and card numbers. */
  readonly answer?: string
}

/** What an attempt makes of a delivery. */
export interface AttemptOutcome {
  readonly state: DeliveryState
  readonly attempt: Attempt
  /** Milliseconds until the next attempt; null when there is none. */
  readonly retryMs: number | null
  /** The receiver said 410: its endpoint gets nothing any more. */
  readonly isGone: boolean
}

/** What is read of an answer, and what is kept of it. */
export const MAX_RESPONSE_BYTES = 4_096
const MAX_TEXT_SHOWN = 1_000

interface AttemptMade {
  readonly at: Instant
  readonly durationMs: number
  /** Seconds since the epoch. */
  readonly timestamp: number
}

/**
 * Decides what becomes of a delivery after an attempt: any 2xx delivers it, 410 ends it, anything else
 * is tried again as long as the schedule says.
 * @param tries attempts of this round, this one included
 */
export function judge(result: EgressResult, made: AttemptMade & { readonly tries: number }): AttemptOutcome {
  const attempt = describe(result, made)
  const status = result.kind === 'answered' ? result.status : 0
  if (status >= 200 && status < 300) {
    return { state: 'delivered', attempt, retryMs: null, isGone: false }
  }
  const isGone = status === 410
  const asked = result.kind === 'answered' ? readRetryAfter(result.retryAfter) : undefined
  const retryMs = isGone ? undefined : retryDelayMs(made.tries, asked)
  return {
    state: retryMs === undefined ? 'exhausted' : 'pending',
    attempt,
    retryMs: retryMs ?? null,
    isGone,
  }
}

/** What becomes of a delivery whose event cannot be read: nothing is sent, and what waits behind it goes out. */
export function withoutEvent(at: Instant): AttemptOutcome {
  const attempt = { at: toRfc3339(at), status: null, error: 'event_unreadable', duration_ms: 0 }
  return { state: 'exhausted', attempt, retryMs: null, isGone: false }
}

function describe(result: EgressResult, made: AttemptMade): Attempt {
  const base = {
    at: toRfc3339(made.at),
    duration_ms: Math.round(made.durationMs),
    webhook_timestamp: made.timestamp,
  }
  if (result.kind === 'unanswered') return { ...base, status: null, error: result.problem }
  const isRedirect = result.status >= 300 && result.status < 400
  return {
    ...base,
    status: result.status,
    ...(isRedirect && { error: 'redirect_refused' }),
    ...(result.text !== '' && { answer: shownText(result.text) }),
  }
}

/**
 * The beginning of what was sent or answered, without secrets and card numbers. More is masked than is shown, so that
 * no secret is cut in two before it is known for one. PostgreSQL's text holds no NUL, and half a surrogate pair is no
 * text.
 */
export function shownText(text: string): string {
  const masked = redactLine(maskCardNumbers(text.slice(0, MAX_RESPONSE_BYTES)))
  return masked.slice(0, MAX_TEXT_SHOWN).replaceAll('\0', '').toWellFormed()
}

/**
 * The receiver of a URL: its host and the hash of the whole URL. Hosts sort together, so that a host
 * that is busy can be stepped over.
 */
export function laneOf(url: string): string {
  const { host, href } = new URL(url)
  return `${host} ${createHash('sha256').update(href).digest('base64url').slice(0, 22)}`
}

/** The host of a lane. */
export function hostOf(lane: string): string {
  return lane.slice(0, lane.indexOf(' '))
}
