import type { Instant } from '#kernel/clock'
import { isPayerTooLate, nextInquiryAt, nextLookForPayerAt } from '#kernel/inquiry-times'
import type { Inquiry, Outcome } from '#modules/acquirers'
import { hasLapsed, type PaymentToken } from '../tokens/payment-token.ts'

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
      return hasLapsed(token, at) ? cardExpired : { state: 'active' }
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

/** The card's last month has ended meanwhile: it could never be charged. */
const cardExpired = {
  state: 'failed',
  errorCode: 'expired_card',
  errorMessage: 'The card expired before it was confirmed.',
} as const

/** Nothing was checked and nothing can be any more. Sending it again would want the CVC, which is not kept. */
const notProcessed = {
  state: 'failed',
  errorCode: 'verification_not_processed',
  errorMessage: 'The acquirer did not process the verification. Bind again.',
} as const

/** Whether the payer's time has run out. */
export function isOverdue(token: PaymentToken, at: Instant): boolean {
  return token.awaiting === 'payer' && isPayerTooLate(token.createdAt, at)
}

function askAgain(token: PaymentToken, at: Instant): BindingDecision {
  if (token.awaiting === 'payer') return waitForPayer(token, token.nextActionUrl, at)
  return {
    state: 'pending',
    awaiting: 'acquirer',
    nextActionUrl: null,
    inquiries: token.inquiries + 1,
    dueAt: nextInquiryAt(token.inquiries, at),
  }
}

function waitForPayer(token: PaymentToken, nextActionUrl: string | null, at: Instant): BindingDecision {
  const dueAt = nextLookForPayerAt(token.createdAt, at)
  return { state: 'pending', awaiting: 'payer', nextActionUrl, inquiries: token.inquiries, dueAt }
}
