import { type Instant, timeOfChange } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Money } from '#kernel/money'
import { NO_INSTRUMENT } from '../model/shown-instrument.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import { INITIATED, NO_RESPONSE, type ShownInstrument, type Transaction } from '../model/transaction.ts'
import { TRANSACTION_STATES } from '../model/transaction.states.ts'
import { movedOn } from '../model/value-date.ts'

/**
 * Money that moved outside, for which no acquirer is asked.
 * - `fee`: What the bank kept of `amount`.
 * - `amount`: Above zero, also of a Refund.
 * - `originalId`: The transaction that a Refund gives back.
 * - `recordedBy`: The acquirer's name and type of the transaction.
 * - `valueDate`: YYYY-MM-DD, when it moved.
 * - `reference`: The bank's or the caller's own.
 */
export interface MovedMoney extends Pick<Transaction, 'paymentMethod'> {
  readonly type: 'Sales' | 'Refund'
  readonly amount: Money
  readonly originalId?: string
  readonly recordedBy: Extract<ShownInstrument['acquirerType'], 'bank' | 'manual'>
  readonly fee?: Money | undefined
  readonly valueDate: string
  readonly reference: string | null
  readonly note?: string | null
}

/**
 * Adds a successful transaction to the locked order, whatever is reserved or due, and recalculates the order. It is settled at
 * once, so it cannot be voided. The caller saves the unit of work.
 */
export function recordMoved(aggregate: OrderAggregate, moved: MovedMoney, now: Instant): Transaction {
  const { id: orderId, currency } = aggregate.order
  const at = timeOfChange(aggregate.order, now)
  const transaction: Transaction = {
    ...INITIATED,
    ...movedOn(moved.valueDate, at),
    id: newId('txn'),
    orderId,
    type: moved.type,
    state: TRANSACTION_STATES.initiated.approve,
    currency,
    amount: moved.type === 'Refund' ? moved.amount.negated() : moved.amount,
    referenceId: null,
    originalId: moved.originalId ?? null,
    fallbackOf: null,
    paymentMethod: moved.paymentMethod,
    token: null,
    instrument: { ...NO_INSTRUMENT, acquirerType: moved.recordedBy },
    note: moved.note ?? null,
    acquirerAccountId: '',
    acquirerName: moved.recordedBy,
    merchantId: '',
    answer: {
      ...NO_RESPONSE,
      gatewayTransactionId: moved.reference ?? '',
      ...(moved.fee !== undefined && { fee: moved.fee.minor.toString() }),
    },
    settlesAt: moved.type === 'Refund' ? null : at,
    createdAt: at,
    updatedAt: at,
  }
  aggregate.add(transaction)
  aggregate.recordEvent('transaction.succeeded', at, transaction.id)
  aggregate.recalculate(at)
  return transaction
}
