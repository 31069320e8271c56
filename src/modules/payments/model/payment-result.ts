import type { Instant } from '#kernel/clock'
import type { Charge } from './charge.ts'
import type { Order } from './order.ts'
import type { OrderAggregate } from './order-aggregate.ts'
import { type AcquirerResponse, DECLINED_FAILURES, declineCodeOf, type Transaction } from './transaction.ts'

/** `at`: on the business's clock. It decides what is shown as settled and payable. */
export interface TransactionSnapshot {
  readonly order: Order
  readonly transactions: readonly Transaction[]
  readonly transaction: Transaction
  readonly at: Instant
}

export type PaymentResult = TransactionSnapshot & { readonly fallback: Charge | null } & (
    | { readonly kind: 'done' | 'pending' | 'unknown' | 'refused' | 'not_processed' }
    | { readonly kind: 'declined'; readonly declineCode: string | null }
  )

export function paymentResult(
  kind: PaymentResult['kind'],
  { order, transactions }: Pick<OrderAggregate, 'order' | 'transactions'>,
  transaction: Transaction,
  at: Instant,
  answer: AcquirerResponse = transaction.answer,
): PaymentResult {
  const result = { order, transactions, transaction, at, fallback: null }
  return kind === 'declined' ? { ...result, kind, declineCode: declineCodeOf(answer) } : { ...result, kind }
}

export function resultOfTransaction({ state, answer: { failure } }: Transaction): PaymentResult['kind'] {
  switch (state) {
    case 'initiated':
    case 'unknown':
      return 'unknown'
    case 'pending':
    case 'requires_action':
      return 'pending'
    case 'failed':
      if (failure === 'refused') return 'refused'
      return DECLINED_FAILURES.has(failure) ? 'declined' : 'not_processed'
    case 'authorized':
    case 'succeeded':
    case 'voided':
    case 'expired':
      return 'done'
  }
}

export function resultOfVoid({ state, voidPending }: Transaction): PaymentResult['kind'] {
  if (voidPending) return 'unknown'
  return state === 'voided' ? 'done' : 'not_processed'
}
