import sql from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import {
  type AcquirerResponse,
  FAILED_LATER,
  type PaymentMethodName,
  type ShownInstrument,
  type Transaction,
  type TransactionType,
} from '../model/transaction.ts'
import type { TransactionState } from '../model/transaction.states.ts'
import { withAcquirerTransactions } from './acquirer-transaction.repository.ts'
import type { OrderSelector } from './order-selector.ts'

export interface TransactionRow {
  t_id: string
  t_order_id: string
  t_type: TransactionType
  t_state: TransactionState
  t_currency: string
  t_amount_minor: bigint
  t_reference_id: string | null
  t_original_id: string | null
  t_payment_method: PaymentMethodName
  t_token: string | null
  t_instrument: string
  t_note: string | null
  t_acquirer_account_id: string
  t_fallback_of: string | null
  t_acquirer_name: string
  t_merchant_id: string
  t_answer: string
  t_next_action: string | null
  t_void_key: string | null
  t_void_pending: boolean
  t_receipt_number: bigint
  t_succeeded_at: Instant | null
  t_value_date: string | null
  t_stored_value_date: string | null
  t_returned_on: string | null
  t_settles_at: Instant | null
  t_expires_at: Instant | null
  t_created_at: Instant
  t_updated_at: Instant
}

/**
 * Null means the local date of the success. The zone is read once a statement, and only if a row needs it: no row refers to
 * it.
 */
const VALUE_DATE = sql`coalesce(t.value_date, (t.succeeded_at at time zone
  (select b.time_zone from businesses b where b.business_id = current_setting('quittance.business_id', true)))::date)`

export const TRANSACTION_COLUMNS = sql`t.id as t_id, t.order_id as t_order_id, t.type as t_type, t.state as t_state,
  t.currency as t_currency, t.amount_minor as t_amount_minor, t.reference_id as t_reference_id,
  t.original_id as t_original_id, t.payment_method as t_payment_method, t.token as t_token,
  t.instrument as t_instrument, t.note as t_note, t.fallback_of as t_fallback_of,
  t.acquirer_account_id as t_acquirer_account_id, t.acquirer_name as t_acquirer_name, t.merchant_id as t_merchant_id,
  t.answer as t_answer, t.next_action as t_next_action, t.void_key as t_void_key, t.void_pending as t_void_pending,
  t.receipt_number as t_receipt_number, t.succeeded_at as t_succeeded_at,
  t.value_date as t_stored_value_date, ${VALUE_DATE} as t_value_date, t.returned_on as t_returned_on,
  t.settles_at as t_settles_at, t.expires_at as t_expires_at, t.created_at as t_created_at, t.updated_at as t_updated_at`

/** All transactions of these orders, oldest first. The lookup goes order by order for the reason given at `selectJoined`. */
export async function transactionsOf(tx: Tx, selector: OrderSelector): Promise<Transaction[]> {
  const rows = await tx.query<TransactionRow>(sql`
    select t.*
      from (select o.id from orders o where o.business_id = ${tx.businessId} and ${selector} offset 0) o
     cross join lateral (
           select ${TRANSACTION_COLUMNS} from transactions t
            where t.business_id = ${tx.businessId} and t.order_id = o.id
           offset 0) t
     order by t.t_created_at, t.t_receipt_number`)
  return rows.map(toTransaction)
}

const newTransactions = rowsAs<Transaction>('n', {
  id: ['text', (t) => t.id],
  order_id: ['text', (t) => t.orderId],
  type: ['text', (t) => t.type],
  state: ['text', (t) => t.state],
  currency: ['text', (t) => t.currency],
  amount_minor: ['numeric', (t) => t.amount.minor.toString()],
  reference_id: ['text', (t) => t.referenceId],
  original_id: ['text', (t) => t.originalId],
  payment_method: ['text', (t) => t.paymentMethod],
  token: ['text', (t) => t.token],
  instrument: ['json', (t) => JSON.stringify(t.instrument)],
  note: ['text', (t) => t.note],
  fallback_of: ['text', (t) => t.fallbackOf],
  acquirer_account_id: ['text', (t) => t.acquirerAccountId],
  acquirer_name: ['text', (t) => t.acquirerName],
  merchant_id: ['text', (t) => t.merchantId],
  answer: ['json', (t) => JSON.stringify(t.answer)],
  receipt_number: ['bigint', (t) => t.receiptNumber.toString()],
  succeeded_at: ['timestamptz', (t) => rfc3339OrNull(t.succeededAt)],
  value_date: ['date', (t) => t.storedValueDate],
  settles_at: ['timestamptz', (t) => rfc3339OrNull(t.settlesAt)],
  created_at: ['timestamptz', (t) => toRfc3339(t.createdAt)],
})

export async function insertTransactions(tx: Tx, transactions: readonly Transaction[]): Promise<void> {
  await tx.execute(sql`
    insert into transactions (business_id, id, order_id, type, state, currency, amount_minor, reference_id, original_id,
                              payment_method, token, instrument, note, fallback_of, acquirer_account_id,
                              acquirer_name, merchant_id, answer, receipt_number, succeeded_at, value_date,
                              settles_at, created_at, updated_at)
    select ${tx.businessId}, n.id, n.order_id, n.type, n.state, n.currency, n.amount_minor, n.reference_id,
           n.original_id, n.payment_method, n.token, n.instrument, n.note, n.fallback_of, n.acquirer_account_id,
           n.acquirer_name, n.merchant_id, n.answer, n.receipt_number, n.succeeded_at, n.value_date, n.settles_at,
           n.created_at, n.created_at
      from ${newTransactions(transactions)}`)
}

const changedTransactions = rowsAs<Transaction>('c', {
  id: ['text', (t) => t.id],
  state: ['text', (t) => t.state],
  amount_minor: ['numeric', (t) => t.amount.minor.toString()],
  answer: ['json', (t) => JSON.stringify(t.answer)],
  next_action: ['json', (t) => (t.nextAction === null ? null : JSON.stringify(t.nextAction))],
  void_key: ['text', (t) => t.voidKey],
  void_pending: ['boolean', (t) => t.voidPending],
  succeeded_at: ['timestamptz', (t) => rfc3339OrNull(t.succeededAt)],
  value_date: ['date', (t) => t.storedValueDate],
  returned_on: ['date', (t) => t.returnedOn],
  settles_at: ['timestamptz', (t) => rfc3339OrNull(t.settlesAt)],
  expires_at: ['timestamptz', (t) => rfc3339OrNull(t.expiresAt)],
  note: ['text', (t) => t.note],
  updated_at: ['timestamptz', (t) => toRfc3339(t.updatedAt)],
})

export interface TransactionChange {
  readonly before: Transaction
  readonly transaction: Transaction
}

export async function updateTransactions(tx: Tx, changes: readonly TransactionChange[]): Promise<void> {
  await tx.execute(sql`
    ${withAcquirerTransactions(tx, changes)}update transactions t
       set state = c.state, amount_minor = c.amount_minor, answer = c.answer, next_action = c.next_action, void_key = c.void_key,
           void_pending = c.void_pending, succeeded_at = c.succeeded_at, value_date = c.value_date,
           returned_on = c.returned_on, settles_at = c.settles_at, expires_at = c.expires_at, note = c.note, updated_at = c.updated_at
      from ${changedTransactions(changes.map(({ transaction }) => transaction))}
     where t.business_id = ${tx.businessId} and t.id = c.id`)
}

/** Transactions by id. Their orders are not locked, so use only what never changes. */
export async function findTransactions(tx: Tx, ids: readonly string[]): Promise<Map<string, Transaction>> {
  const rows = await tx.query<TransactionRow>(sql`
    select ${TRANSACTION_COLUMNS} from transactions t
     where t.business_id = ${tx.businessId} and ${isOneOf(sql`t.id`, ids)}`)
  return new Map(rows.map((row) => [row.t_id, toTransaction(row)]))
}

/** @returns the ids of the transactions that have taken one of `referenceIds` */
export async function findByReferences(
  tx: Tx,
  referenceIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (referenceIds.length === 0) return new Map()
  const rows = await tx.query<{ id: string; reference_id: string }>(sql`
    select id, reference_id from transactions
     where business_id = ${tx.businessId} and ${isOneOf(sql`reference_id`, referenceIds)}`)
  return new Map(rows.map(({ id, reference_id: referenceId }) => [referenceId, id]))
}

export async function findOrdersWithExpiredAuthorizations(
  tx: Tx,
  until: Instant,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ order_id: string }>(sql`
    select order_id from transactions
     where business_id = ${tx.businessId} and expires_at <= ${toRfc3339(until)}
     order by expires_at limit ${limit}`)
  return rows.map((row) => row.order_id)
}

export async function findLaterFailures(tx: Tx, since: Instant, limit: number): Promise<Transaction[]> {
  const rows = await tx.query<TransactionRow>(sql`
    select ${TRANSACTION_COLUMNS} from transactions t
      join orders o on o.business_id = ${tx.businessId} and o.id = t.order_id
     where t.business_id = ${tx.businessId} and t.decline_code = ${FAILED_LATER}
       and t.updated_at > ${toRfc3339(since)} and o.state in ('open', 'completed')
       and not exists (
             select 1 from transactions later
              where later.business_id = ${tx.businessId} and later.order_id = t.order_id and later.state = 'succeeded'
                and (later.type = 'Refund') = (t.type = 'Refund') and later.succeeded_at >= t.updated_at)
     order by t.updated_at limit ${limit}`)
  return rows.map(toTransaction)
}

export function earliestAuthorizationExpiry(tx: Tx): Promise<Instant | null> {
  return earliestTime(tx, sql`transactions`, sql`expires_at`)
}

export function toTransaction(row: TransactionRow): Transaction {
  return {
    id: row.t_id,
    orderId: row.t_order_id,
    type: row.t_type,
    state: row.t_state,
    currency: row.t_currency,
    amount: Money.ofMinor(row.t_currency, row.t_amount_minor),
    referenceId: row.t_reference_id,
    originalId: row.t_original_id,
    paymentMethod: row.t_payment_method,
    token: row.t_token,
    instrument: JSON.parse(row.t_instrument) as ShownInstrument,
    note: row.t_note,
    fallbackOf: row.t_fallback_of,
    acquirerAccountId: row.t_acquirer_account_id,
    acquirerName: row.t_acquirer_name,
    merchantId: row.t_merchant_id,
    answer: JSON.parse(row.t_answer) as AcquirerResponse,
    nextAction:
      row.t_next_action === null ? null : (JSON.parse(row.t_next_action) as Transaction['nextAction']),
    voidKey: row.t_void_key,
    voidPending: row.t_void_pending,
    receiptNumber: row.t_receipt_number,
    succeededAt: row.t_succeeded_at,
    valueDate: row.t_value_date,
    storedValueDate: row.t_stored_value_date,
    returnedOn: row.t_returned_on,
    settlesAt: row.t_settles_at,
    expiresAt: row.t_expires_at,
    createdAt: row.t_created_at,
    updatedAt: row.t_updated_at,
  }
}
