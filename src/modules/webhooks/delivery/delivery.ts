import { type Instant, toRfc3339 } from '#kernel/clock'
import type { EgressResult } from '#platform/security/egress'
import { maskCardNumbers, redactLine } from '#platform/security/redaction'
import type { Attempt, AttemptResult } from '../model/attempt.ts'
import { readRetryAfter, retryDelayMs } from './retry-schedule.ts'

/** What is read and kept of a response (docs/decisions/retries-and-receivers). */
export const MAX_RESPONSE_BYTES = 4_096
const MAX_PREVIEW_LENGTH = 1_000

interface Timing {
  readonly at: Instant
  readonly durationMs: number
  readonly webhookTimestamp: number
}

/**
 * A 2xx delivers, 410 exhausts, and everything else is retried as long as the schedule allows
 * (reference/events#retries).
 * @param tries attempts of this round, including this one
 */
export function evaluateAttempt(
  result: EgressResult,
  made: Timing & { readonly tries: number },
): AttemptResult {
  const attempt = toAttempt(result, made)
  const status = result.kind === 'answered' ? result.status : 0
  if (status >= 200 && status < 300) {
    return { state: 'delivered', attempt, retryMs: null, isGone: false }
  }
  const isGone = status === 410
  const retryAfterMs = result.kind === 'answered' ? readRetryAfter(result.retryAfter) : undefined
  const retryMs = isGone ? undefined : retryDelayMs(made.tries, retryAfterMs)
  return {
    state: retryMs === undefined ? 'exhausted' : 'pending',
    attempt,
    retryMs: retryMs ?? null,
    isGone,
  }
}

/** The delivery of a damaged event is exhausted without a request, so that later events of the object go out. */
export function unreadableEvent(at: Instant): AttemptResult {
  const attempt = { at: toRfc3339(at), status: null, error: 'event_unreadable', duration_ms: 0 }
  return { state: 'exhausted', attempt, retryMs: null, isGone: false }
}

function toAttempt(result: EgressResult, made: Timing): Attempt {
  const base = {
    at: toRfc3339(made.at),
    duration_ms: Math.round(made.durationMs),
    webhook_timestamp: made.webhookTimestamp,
  }
  if (result.kind === 'unanswered') return { ...base, status: null, error: result.problem }
  const isRedirect = result.status >= 300 && result.status < 400
  return {
    ...base,
    status: result.status,
    ...(isRedirect && { error: 'redirect_refused' }),
    ...(result.text !== '' && { answer: redactedPreview(result.text) }),
  }
}

export function redactedPreview(text: string): string {
  // More is redacted than is shown, so that no secret at the cut is missed. PostgreSQL stores neither a NUL nor half a
  // surrogate pair.
  const redacted = redactLine(maskCardNumbers(text.slice(0, MAX_RESPONSE_BYTES)))
  return redacted.slice(0, MAX_PREVIEW_LENGTH).replaceAll('\0', '').toWellFormed()
}
