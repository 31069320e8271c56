import { type Instant, isBefore } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import { Money } from '#kernel/money'
import { type AcquirerRecord, EMPTY_RECORD, type NextAction, type WalletName } from '#modules/acquirers'
import { isUnresolved, type TransactionState } from './transaction.states.ts'

/** An authorization runs out after seven days (reference/timelines#next). */
const AUTHORIZATION_HOURS = 7 * 24

export const TRANSACTION_TYPES = ['Sales', 'Authorization', 'Refund', 'Capture'] as const
export type TransactionType = (typeof TRANSACTION_TYPES)[number]
export const PAYMENT_METHODS = [
  'payment_token',
  'credit_card',
  'wallet_a_pay',
  'wallet_b',
  'fps',
  'bank_transfer',
  'cash',
  'cheque',
  'other',
] as const
export type PaymentMethodName = (typeof PAYMENT_METHODS)[number]

export const ACQUIRER_TYPES = ['card', 'wallet', 'bank', 'manual'] as const

/**
 * The instrument as callers may see it: never more of a card number than its first 6 and last 4 digits.
 * - `wallet`: The real wallet that the account takes as `wallet_a_pay` or `wallet_b`.
 * - `returnUrl`: Where our page sends the payer of a wallet afterwards, instead of to the order's `return_url`.
 */
export interface ShownInstrument {
  readonly acquirerType: (typeof ACQUIRER_TYPES)[number]
  readonly brand: string | null
  readonly first6: string | null
  readonly last4: string | null
  readonly numberLength: number | null
  readonly holderName: string | null
  readonly expMonth: number | null
  readonly expYear: number | null
  readonly wallet?: WalletName
  readonly returnUrl?: string
}

/**
 * What the payer is asked to do, as the acquirer said it. `page`: our page that shows it, where callers are sent to that page
 * instead.
 */
export interface PayerAction extends NextAction {
  readonly page?: string
}

/**
 * Texts are '' before the acquirer answers. `declineCode`: our word for the reason of a decline, where there is one.
 * `voidFailure`: what the acquirer said when it did not void the transaction. `fee`: what the bank kept of a payment by hand, in
 * minor units.
 */
export interface AcquirerResponse extends AcquirerRecord {
  readonly declineCode?: string
  readonly fee?: string
  readonly voidFailure?: Pick<AcquirerRecord, 'responseCode' | 'responseMessage'>
  readonly hard: boolean
  readonly failure: Failure | null
}

/**
 * `declined` by the issuer, `refused` by the acquirer, `not_processed`: never booked, `canceled` before the payer confirmed,
 * `not_sent`: failed without a call. `abandoned`: not booked as far as is known, and our process died before it recorded
 * anything; already set while the outcome is unknown.
 */
type Failure = 'declined' | 'refused' | 'not_processed' | 'abandoned' | 'canceled' | 'not_sent'

export const DECLINED_FAILURES: ReadonlySet<Failure | null> = new Set<Failure>(['declined', 'not_sent'])

export const FAILED_LATER = 'failed_later'

export const NO_RESPONSE: AcquirerResponse = {
  ...EMPTY_RECORD,
  hard: false,
  failure: null,
}

/**
 * A movement of money, attempted or done. Changed only under the lock of its order.
 * - `amount`: Negative for a Refund.
 * - `fallbackOf`: The attempt at another account that this one repeats.
 * - `valueDate`: YYYY-MM-DD, the local date on which money moved; null before it succeeded.
 * - `storedValueDate`: The value date unless it is the local date of `createdAt`, which follows from `succeededAt`.
 * - `returnedOn`: YYYY-MM-DD, the day on which a voided transfer counts as returned by the bank, or on which what failed after its day
 *   was closed no longer counts.
 * - `lost`: What disputes of it lost, which stays paid and is not given back; null for none.
 * - `expiresAt`: When a job lapses the rest of an authorization; null when nothing is left.
 */
export interface Transaction {
  readonly id: string
  readonly orderId: string
  readonly type: TransactionType
  readonly state: TransactionState
  readonly currency: Currency
  readonly amount: Money
  readonly referenceId: string | null
  readonly originalId: string | null
  readonly fallbackOf: string | null
  readonly paymentMethod: PaymentMethodName
  readonly token: string | null
  readonly instrument: ShownInstrument
  readonly note: string | null
  readonly voidKey: string | null
  readonly voidPending: boolean
  readonly acquirerAccountId: string
  readonly acquirerName: string
  readonly merchantId: string
  readonly answer: AcquirerResponse
  readonly nextAction: PayerAction | null
  readonly receiptNumber: bigint
  readonly succeededAt: Instant | null
  readonly valueDate: string | null
  readonly storedValueDate: string | null
  readonly returnedOn: string | null
  readonly lost: Money | null
  readonly settlesAt: Instant | null
  readonly expiresAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export const INITIATED = {
  state: 'initiated',
  voidKey: null,
  voidPending: false,
  answer: NO_RESPONSE,
  nextAction: null,
  receiptNumber: 0n,
  succeededAt: null,
  valueDate: null,
  storedValueDate: null,
  returnedOn: null,
  lost: null,
  settlesAt: null,
  expiresAt: null,
} as const satisfies Partial<Transaction>

export function isSuccessful(transaction: Transaction): boolean {
  return transaction.state === 'succeeded' || transaction.state === 'authorized'
}

/** The names of what no acquirer moved: a line of a bank statement, and money that somebody recorded by hand. */
const BANK = 'bank'
const BY_HAND = 'manual'

export function isMovedOutside({ acquirerName }: Pick<Transaction, 'acquirerName'>): boolean {
  return acquirerName === BANK || acquirerName === BY_HAND
}

export function isByHand({ acquirerName }: Pick<Transaction, 'acquirerName'>): boolean {
  return acquirerName === BY_HAND
}

export function declineCodeOf({ declineCode, responseCode, failure }: AcquirerResponse): string | null {
  return declineCode ?? (responseCode || failure)
}

/** - `done`: What was captured of an authorization; what was refunded of a payment, or lost in disputes. */
export interface Used {
  readonly done: Money
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
  const lost = original.type === 'Authorization' ? null : original.lost
  if (lost === null) return { done, underWay }
  const gone = done.plus(lost)
  return { done: gone.greaterThan(original.amount) ? original.amount : gone, underWay }
}

export function refundedTotal(currency: Currency, transactions: Iterable<Transaction>): Money {
  let refunded = Money.zero(currency)
  for (const { type, state, amount } of transactions) {
    if (type === 'Refund' && state === 'succeeded') refunded = refunded.plus(amount.abs())
  }
  return refunded
}

export function lapsesAt({ type, succeededAt }: Transaction): Instant | null {
  return type === 'Authorization' && succeededAt !== null
    ? succeededAt.add({ hours: AUTHORIZATION_HOURS })
    : null
}

export function hasLapsed(transaction: Transaction, now: Instant): boolean {
  const at = lapsesAt(transaction)
  return at !== null && !isBefore(now, at)
}
