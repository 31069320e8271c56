import type { Instant } from '#kernel/clock'
import type { Inquiry, Outcome } from '#modules/acquirers'
import type { PaymentToken } from './payment-token.ts'

/** How long a payer may take to confirm (decisions, section 9). */
const PAYER_HAS_HOURS = 24

/** After how long the acquirer is asked again what became of an unknown outcome (decisions, section 3); then hourly. */
const UNKNOWN_BACKOFF_MS = [1_000, 10_000, 60_000, 600_000]
const HOUR_MS = 3_600_000

/** What an answer of the acquirer makes of a pending token. */
export type BindingDecision =
  | { readonly state: 'active' }
  | { readonly state: 'failed'; readonly errorCode: string; readonly errorMessage: string }
  | {
      readonly state: 'pending'
      readonly awaiting: 'acquirer' | 'payer'
      readonly nextActionUrl: string | null
      readonly inquiries: number
      readonly dueAt: Instant
    }

/** Decides what the acquirer's answer, known at `at`, makes of a pending token. */
export function decideBinding(token: PaymentToken, answer: Outcome | Inquiry, at: Instant): BindingDecision {
  switch (answer.kind) {
    case 'approved':
      return { state: 'active' }
    case 'declined':
    case 'refused':
      return { state: 'failed', errorCode: answer.responseCode, errorMessage: answer.responseMessage }
    case 'pending':
      return isOverdue(token, at) ? payerTooLate : waitForPayer(token, answer.nextAction?.url ?? null, at)
    case 'absent':
      if (!answer.closed) return askAgain(token, at)
      return isOverdue(token, at) ? payerTooLate : notProcessed
    case 'unknown':
      break
  }
  return askAgain(token, at)
}

const payerTooLate = {
  state: 'failed',
  errorCode: 'expired',
  errorMessage: 'The payer did not confirm in time.',
} as const

/** Nothing was checked and nothing can be any more. Sending it again would want the CVC, which is not kept. */
const notProcessed = {
  state: 'failed',
  errorCode: 'verification_not_processed',
  errorMessage: 'The acquirer did not process the verification. Bind again.',
} as const

/** Whether the payer's time has run out. */
export function isOverdue(token: PaymentToken, at: Instant): boolean {
  return token.awaiting === 'payer' && Temporal.Instant.compare(at, payerDeadline(token)) >= 0
}

function payerDeadline(token: PaymentToken): Instant {
  return token.createdAt.add({ hours: PAYER_HAS_HOURS })
}

function askAgain(token: PaymentToken, at: Instant): BindingDecision {
  if (token.awaiting === 'payer') return waitForPayer(token, token.nextActionUrl, at)
  const milliseconds = UNKNOWN_BACKOFF_MS[token.inquiries] ?? HOUR_MS
  return {
    state: 'pending',
    awaiting: 'acquirer',
    nextActionUrl: null,
    inquiries: token.inquiries + 1,
    dueAt: at.add({ milliseconds }),
  }
}

/** Waits half as long again as it has waited already: soon at first, at most hourly, and exactly until the deadline. */
function waitForPayer(token: PaymentToken, nextActionUrl: string | null, at: Instant): BindingDecision {
  const waitedMs = at.epochMilliseconds - token.createdAt.epochMilliseconds
  const next = at.add({ milliseconds: Math.min(HOUR_MS, Math.max(1_000, Math.floor(waitedMs / 2))) })
  const deadline = payerDeadline(token)
  const beforeDeadline = Temporal.Instant.compare(at, deadline) < 0
  const dueAt = beforeDeadline && Temporal.Instant.compare(next, deadline) > 0 ? deadline : next
  return { state: 'pending', awaiting: 'payer', nextActionUrl, inquiries: token.inquiries, dueAt }
}
