import { type Instant, isBefore } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import { Money } from '#kernel/money'
import type { AcquirerRecord } from '#modules/acquirers'
import { isUnresolved, type TransactionState } from './transaction.states.ts'

/** How long an authorization holds (decisions, section 3). */
const AUTHORIZATION_HOURS = 7 * 24

export const TRANSACTION_TYPES = ['Sales', 'Authorization', 'Refund', 'Capture'] as const
export type TransactionType = (typeof TRANSACTION_TYPES)[number]
export const PAYMENT_METHODS = ['payment_token', 'credit_card', 'wallet_a_pay', 'wallet_b'] as const
export type PaymentMethodName = (typeof PAYMENT_METHODS)[number]

/** The instrument as it may be shown: never more of a card number than its ends. */
export interface ShownInstrument {
  readonly acquirerType: 'card' | 'wallet'
  readonly brand: string | null
  readonly first6: string | null
  readonly last4: string | null
  readonly numberLength: number | null
  readonly holderName: string | null
  readonly expMonth: number | null
  readonly expYear: number | null
}

/** What the acquirer said; texts are '' while it has said nothing. */
export interface AcquirerAnswer extends AcquirerRecord {
  /** True when the same instrument must not be tried again (lost, stolen, closed, not permitted). */
  readonly hard: boolean
  readonly failure: Failure | null
}

/**
 * Why a failed transaction failed: the issuer declined it, the acquirer refused to run it, it never reached the acquirer's
 * books, we cancelled it before its payer confirmed, or no call was made at all. `abandoned`: it never reached the books, and
 * our process had died before it recorded anything of it; said while that is unknown already.
 */
type Failure = 'declined' | 'refused' | 'not_processed' | 'abandoned' | 'canceled' | 'not_sent'

export const NO_ANSWER: AcquirerAnswer = {
  gatewayTransactionId: '',
  rrn: '',
  authCode: '',
  batchNumber: '',
  responseCode: '',
  responseMessage: '',
  hard: false,
  failure: null,
}

/** A movement of money, tried or done. Changed only while its order is locked. */
export interface Transaction {
  readonly id: string
  readonly orderId: string
  readonly type: TransactionType
  readonly state: TransactionState
  readonly currency: Currency
  /** Negative for a Refund. */
  readonly amount: Money
  /** The caller's own id. */
  readonly referenceId: string | null
  /** Of a Capture the authorization, of a Refund the Sales or Capture. */
  readonly originalId: string | null
  readonly paymentMethod: PaymentMethodName
  readonly token: string | null
  readonly instrument: ShownInstrument
  readonly note: string | null
  /** The key of the void that is under way, or was done. */
  readonly voidKey: string | null
  readonly voidPending: boolean
  readonly acquirerName: string
  readonly merchantId: string
  readonly answer: AcquirerAnswer
  readonly nextAction: { readonly type: string; readonly url: string } | null
  /** Our number of it. */
  readonly receiptNumber: bigint
  /** When it succeeded. */
  readonly succeededAt: Instant | null
  /** The business's next cut-off after it succeeded; null for what never settles. */
  readonly settlesAt: Instant | null
  /** When due work looks whether what is left of an authorization lapses; null when nothing is left or it is none. */
  readonly expiresAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** How every transaction begins: nobody was asked yet. */
export const INITIATED = {
  state: 'initiated',
  voidKey: null,
  voidPending: false,
  answer: NO_ANSWER,
  nextAction: null,
  receiptNumber: 0n,
  succeededAt: null,
  settlesAt: null,
  expiresAt: null,
} as const satisfies Partial<Transaction>

/** Whether it succeeded and still stands. */
export function isSuccessful(transaction: Transaction): boolean {
  return transaction.state === 'succeeded' || transaction.state === 'authorized'
}

/** What captures took of an authorization, or refunds of a sale or capture; never negative. */
export interface Used {
  readonly done: Money
  /** Of those whose outcome is open. */
  readonly underWay: Money
}

export function usedOf(original: Transaction, transactions: Iterable<Transaction>): Used {
  let done = Money.zero(original.currency)
  let underWay = done
  for (const { originalId, state, amount } of transactions) {
    if (originalId !== original.id) continue
    if (state === 'succeeded') done = done.plus(amount.abs())
    else if (isUnresolved(state)) underWay = underWay.plus(amount.abs())
  }
  return { done, underWay }
}

export function refundedTotal(currency: Currency, transactions: Iterable<Transaction>): Money {
  let refunded = Money.zero(currency)
  for (const { type, state, amount } of transactions) {
    if (type === 'Refund' && state === 'succeeded') refunded = refunded.plus(amount.abs())
  }
  return refunded
}

/** Settled is ours to say: from the business's cut-off after the success (decisions, section 3). */
export function isSettled(transaction: Transaction, now: Instant): boolean {
  return transaction.settlesAt !== null && !isBefore(now, transaction.settlesAt)
}

/** When what is left of an authorization lapses (decisions, section 3); null of everything else. */
export function lapsesAt({ type, succeededAt }: Transaction): Instant | null {
  return type === 'Authorization' && succeededAt !== null
    ? succeededAt.add({ hours: AUTHORIZATION_HOURS })
    : null
}

/** Whether what is left of an authorization has lapsed, whether or not the due work has come to it. */
export function hasLapsed(transaction: Transaction, now: Instant): boolean {
  const at = lapsesAt(transaction)
  return at !== null && !isBefore(now, at)
}
