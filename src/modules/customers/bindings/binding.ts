import type { Instant } from '#kernel/clock'
import { isPayerDeadlinePassed, nextInquiryAt, nextPayerInquiryAt } from '#kernel/inquiry-times'
import type { Inquiry, VerifyOutcome } from '#modules/acquirers'
import { hasExpired, type PaymentToken } from '../model/payment-token.ts'

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

export function decideBinding(
  token: PaymentToken,
  answer: VerifyOutcome | Inquiry,
  at: Instant,
  quietUntil?: Instant,
): BindingDecision {
  switch (answer.kind) {
    case 'approved':
      return hasExpired(token, at) ? cardExpired : { state: 'active' }
    case 'declined':
      return failed(answer.reason ?? answer.responseCode, answer.responseMessage)
    case 'refused':
      return failed(answer.responseCode, answer.responseMessage)
    case 'pending':
      return isPayerOverdue(token, at)
        ? payerTimedOut
        : waitForPayer(token, answer.nextAction?.url ?? null, at)
    case 'absent':
      if (!answer.closed) return inquireAgain(token, at, quietUntil)
      return isPayerOverdue(token, at) ? payerTimedOut : notProcessed
    case 'unknown':
      break
  }
  return inquireAgain(token, at, quietUntil)
}

function failed(errorCode: string, errorMessage: string): BindingDecision {
  return { state: 'failed', errorCode, errorMessage }
}

const payerTimedOut = failed('expired', 'The payer did not confirm the card in time.')

const cardExpired = failed('expired_card', 'The card expired before it was confirmed.')

/** The verification cannot be repeated, because it needs the CVC, which is not kept. */
const notProcessed = failed(
  'verification_not_processed',
  'The acquirer did not process the verification. Bind again.',
)

export function isPayerOverdue(token: PaymentToken, at: Instant): boolean {
  return token.awaiting === 'payer' && isPayerDeadlinePassed(token.createdAt, at)
}

function inquireAgain(token: PaymentToken, at: Instant, quietUntil?: Instant): BindingDecision {
  if (token.awaiting === 'payer') return waitForPayer(token, token.nextActionUrl, at, quietUntil)
  return {
    state: 'pending',
    awaiting: 'acquirer',
    nextActionUrl: null,
    inquiries: token.inquiries + 1,
    dueAt: nextInquiryAt(token.inquiries, at, quietUntil),
  }
}

function waitForPayer(
  token: PaymentToken,
  nextActionUrl: string | null,
  at: Instant,
  quietUntil?: Instant,
): BindingDecision {
  const dueAt = nextPayerInquiryAt(token.createdAt, at, quietUntil)
  return { state: 'pending', awaiting: 'payer', nextActionUrl, inquiries: token.inquiries, dueAt }
}
