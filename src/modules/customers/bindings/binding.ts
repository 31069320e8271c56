import type { Instant } from '#kernel/clock'
import { isPayerDeadlinePassed, nextInquiryAt, nextPayerInquiryAt } from '#kernel/inquiry-times'
import { type Inquiry, type NextAction, SIMULATOR_ACCOUNT, type VerifyOutcome } from '#modules/acquirers'
import { hasExpired, type PaymentToken } from '../model/payment-token.ts'

export type BindingDecision =
  | { readonly state: 'active' }
  | { readonly state: 'failed'; readonly errorCode: string; readonly errorMessage: string }
  | {
      readonly state: 'pending'
      readonly awaiting: 'acquirer' | 'payer'
      readonly nextActionUrl: string | null
      readonly nextAction: PaymentToken['nextAction']
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
        ? payerTimedOut(token)
        : waitForPayer(token, actionOf(answer.nextAction), at)
    case 'absent':
      if (!answer.closed) return inquireAgain(token, at, quietUntil)
      return isPayerOverdue(token, at) ? payerTimedOut(token) : notProcessed
    case 'unknown':
      break
  }
  return inquireAgain(token, at, quietUntil)
}

function failed(errorCode: string, errorMessage: string): BindingDecision {
  return { state: 'failed', errorCode, errorMessage }
}

function payerTimedOut({ acquirerAccountId, tokenType }: PaymentToken): BindingDecision {
  const isAtSimulator = acquirerAccountId === null || acquirerAccountId === SIMULATOR_ACCOUNT
  if (tokenType === 'CreditCard' || isAtSimulator)
    return failed('expired', 'The payer did not confirm the card in time.')
  return failed('wallet_agreement_expired', 'The payer did not agree in time.')
}

interface AskedAction {
  readonly nextActionUrl: string | null
  readonly nextAction: PaymentToken['nextAction']
}

const NOT_ASKED: AskedAction = { nextActionUrl: null, nextAction: null }

/** A bank's plain page is stored as its URL alone. */
function actionOf(asked: NextAction | undefined): AskedAction {
  if (asked === undefined) return NOT_ASKED
  const { url, ...more } = asked
  const isPlain = more.type === 'three_d_secure' && more.form === undefined
  return { nextActionUrl: url, nextAction: isPlain ? null : more }
}

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
  if (token.awaiting === 'payer') return waitForPayer(token, token, at, quietUntil)
  return {
    state: 'pending',
    awaiting: 'acquirer',
    ...NOT_ASKED,
    inquiries: token.inquiries + 1,
    dueAt: nextInquiryAt(token.inquiries, at, quietUntil),
  }
}

function waitForPayer(
  token: PaymentToken,
  { nextActionUrl, nextAction }: AskedAction,
  at: Instant,
  quietUntil?: Instant,
): BindingDecision {
  const dueAt = nextPayerInquiryAt(token.createdAt, at, quietUntil)
  const { inquiries } = token
  return { state: 'pending', awaiting: 'payer', nextActionUrl, nextAction, inquiries, dueAt }
}
