import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import { isOneOf } from '#platform/postgres/rows'
import { amount, composed, computed, json, named, table } from '#platform/postgres/table'
import { FAILED_LATER, type Transaction } from '../model/transaction.ts'
import { withAcquirerTransactions } from './acquirer-transaction.repository.ts'
import type { OrderSelector } from './order-selector.ts'

/**
 * Null means the local date of the success. The zone is read once a statement, and only if a row needs it: no row refers to
 * it.
 */
const VALUE_DATE = `coalesce(t.value_date, (t.succeeded_at at time zone
  (select b.time_zone from businesses b where b.business_id = current_setting('quittance.business_id', true)))::date)`

/** The prefix sets its columns apart from those of an order, which are selected with them. */
export const TRANSACTIONS = table<Transaction>(
  't',
  {
    id: 'text',
    orderId: 'text',
    type: 'text',
    state: 'text',
    currency: 'text',
    amount: amount('amount_minor'),
    referenceId: 'text',
    originalId: 'text',
    fallbackOf: 'text',
    paymentMethod: 'text',
    token: 'text',
    instrument: json(),
    note: 'text',
    voidKey: 'text',
    voidPending: 'boolean',
    acquirerAccountId: 'text',
    acquirerName: 'text',
    merchantId: 'text',
    answer: json(),
    nextAction: json(),
    receiptNumber: 'bigint',
    succeededAt: 'timestamptz',
    valueDate: computed('local_value_date', VALUE_DATE),
    storedValueDate: named('value_date', 'date'),
    returnedOn: 'date',
    lost: composed(
      ['currency', 'lost_minor'],
      (currency: string, minor: bigint | null) => (minor ? Money.ofMinor(currency, minor) : null),
      { lost_minor: ['numeric', (lost) => lost?.minor ?? null] },
    ),
    settlesAt: 'timestamptz',
    expiresAt: 'timestamptz',
    createdAt: 'timestamptz',
    updatedAt: 'timestamptz',
  },
  't_',
)

const NEW = TRANSACTIONS.without(
  'voidKey',
  'voidPending',
  'nextAction',
  'returnedOn',
  'lost',
  'expiresAt',
  'updatedAt',
)
/** A new transaction changes when it is made. */
const CREATED = { updated_at: sql`n.created_at` }
const CHANGED = TRANSACTIONS.only(
  'id',
  'state',
  'amount',
  'answer',
  'nextAction',
  'voidKey',
  'voidPending',
  'succeededAt',
  'storedValueDate',
  'returnedOn',
  'settlesAt',
  'expiresAt',
  'note',
  'updatedAt',
)
const changedTransactions = CHANGED.rowsAs('c')
const CHANGES = CHANGED.without('id').setFrom('c')

/** All transactions of these orders, oldest first. The lookup goes order by order for the reason given at `selectJoined`. */
export async function transactionsOf(tx: Tx, selector: OrderSelector): Promise<Transaction[]> {
  const rows = await tx.query(sql`
    select t.*
      from (select o.id from orders o where o.business_id = ${tx.businessId} and ${selector} offset 0) o
     cross join lateral (
           select ${TRANSACTIONS.columns} from transactions t
            where t.business_id = ${tx.businessId} and t.order_id = o.id
           offset 0) t
     order by t.t_created_at, t.t_receipt_number`)
  return rows.map(TRANSACTIONS.read)
}

export async function insertTransactions(tx: Tx, transactions: readonly Transaction[]): Promise<void> {
  await tx.execute(sql`
    insert into transactions ${NEW.values(tx.businessId, transactions, CREATED)}`)
}

export interface TransactionChange {
  readonly before: Transaction
  readonly transaction: Transaction
}

export async function updateTransactions(tx: Tx, changes: readonly TransactionChange[]): Promise<void> {
  await tx.execute(sql`
    ${withAcquirerTransactions(tx, changes)}update transactions t
       set ${CHANGES}
      from ${changedTransactions(changes.map(({ transaction }) => transaction))}
     where t.business_id = ${tx.businessId} and t.id = c.id`)
}

/**
 * - `lost`: What a dispute of the payment has lost by now; null unless it is lost.
 * - `before`: What it had lost before.
 */
export interface LostPayment {
  readonly orderNumber: string
  readonly transactionId: string
  readonly lost: Money | null
  readonly before: Money | null
}

/** In another currency than the payment's, which cannot be compared, all of the payment is meant. */
export function inCurrencyOfPayment(money: Money | null): Sql {
  return money === null
    ? sql`0`
    : sql`case when currency = ${money.currency} then ${money.minor.toString()}::numeric else abs(amount_minor) end`
}

export async function recordLost(
  tx: Tx,
  { orderNumber, transactionId, lost, before }: LostPayment,
): Promise<void> {
  await tx.query(sql`
    select id from orders where business_id = ${tx.businessId} and id = ${orderNumber} for update`)
  await tx.execute(sql`
    update transactions
       set lost_minor = nullif(coalesce(lost_minor, 0) + ${inCurrencyOfPayment(lost)} - ${inCurrencyOfPayment(before)}, 0)
     where business_id = ${tx.businessId} and id = ${transactionId}`)
}

/** Transactions by id. Their orders are not locked, so use only what never changes. */
export async function findTransactions(tx: Tx, ids: readonly string[]): Promise<Map<string, Transaction>> {
  const rows = await tx.query(sql`
    select ${TRANSACTIONS.columns} from transactions t
     where t.business_id = ${tx.businessId} and ${isOneOf(sql`t.id`, ids)}`)
  return new Map(rows.map(TRANSACTIONS.read).map((transaction) => [transaction.id, transaction]))
}

export async function hasTransactions(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ has: boolean }>(
    sql`select exists (select from transactions where business_id = ${tx.businessId}) as has`,
  )
  return row?.has === true
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
  const rows = await tx.query(sql`
    select ${TRANSACTIONS.columns} from transactions t
      join orders o on o.business_id = ${tx.businessId} and o.id = t.order_id
     where t.business_id = ${tx.businessId} and t.decline_code = ${FAILED_LATER}
       and t.updated_at > ${toRfc3339(since)} and o.state in ('open', 'completed')
       and not exists (
             select 1 from transactions later
              where later.business_id = ${tx.businessId} and later.order_id = t.order_id and later.state = 'succeeded'
                and (later.type = 'Refund') = (t.type = 'Refund') and later.succeeded_at >= t.updated_at)
     order by t.updated_at limit ${limit}`)
  return rows.map(TRANSACTIONS.read)
}

export function earliestAuthorizationExpiry(tx: Tx): Promise<Instant | null> {
  return earliestTime(tx, sql`transactions`, sql`expires_at`)
}
