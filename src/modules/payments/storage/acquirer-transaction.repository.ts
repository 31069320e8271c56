import sql, { empty, type Sql } from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import type { Money } from '#kernel/money'
import { SIMULATOR_ACCOUNT } from '#modules/acquirers'
import type { Tx } from '#platform/postgres/database'
import { givenIds, isOneOf, rowsAs } from '#platform/postgres/rows'
import { amount, computed, type Members, named, table } from '#platform/postgres/table'
import type { TransactionState } from '../model/transaction.states.ts'
import { isMovedOutside, type Transaction, type TransactionType } from '../model/transaction.ts'

/**
 * What the books of an acquirer are compared with.
 * - `amount`: Negative for a Refund.
 * - `succeededAt`: On the business's clock; null before it succeeded.
 */
export interface AcquirerTransaction {
  readonly id: string
  readonly orderNumber: string
  readonly type: TransactionType
  readonly state: TransactionState
  readonly amount: Money
  readonly gatewayTransactionId: string
  readonly rrn: string
  readonly succeededAt: Instant | null
}

const MEMBERS: Members<AcquirerTransaction> = {
  id: 'text',
  orderNumber: named('order_id', 'text'),
  type: 'text',
  state: 'text',
  amount: amount('amount_minor'),
  gatewayTransactionId: computed('gateway_transaction_id', "coalesce(a.gateway_transaction_id, '')"),
  rrn: computed('rrn', "coalesce(a.rrn, '')"),
  succeededAt: 'timestamptz',
}
const TRANSACTIONS = table<AcquirerTransaction>('t', MEMBERS)
/** The simulator names a payment by our key, and no other table has its references. */
const AT_SIMULATOR = table<AcquirerTransaction>('t', {
  ...MEMBERS,
  gatewayTransactionId: named('id', 'text'),
  rrn: computed('rrn', "''"),
})

/** Looks up row by row: for an array or a join, a plan made while the tables were empty would read all rows. */
const transactionsOfRows = (tx: Tx): Sql => sql`
  cross join lateral (
    select * from transactions t where t.business_id = ${tx.businessId} and t.id = a.transaction_id
    offset 0) t`

export async function findByAcquirerReferences(
  tx: Tx,
  accountId: string,
  references: readonly string[],
): Promise<AcquirerTransaction[]> {
  const given = [...new Set(references)].filter((reference) => reference !== '')
  if (given.length === 0) return []
  if (accountId === SIMULATOR_ACCOUNT) return transactionsAtSimulator(tx, given)
  const by = (reference: Sql) => sql`
    select a.* from given cross join lateral (
      select a.transaction_id, a.gateway_transaction_id, a.rrn from acquirer_transactions a
       where a.business_id = ${tx.businessId} and a.account_id = ${accountId} and ${reference} = given.id
      offset 0) a`
  const rows = await tx.query(sql`
    with given as (select id from ${givenIds(given)})
    select ${TRANSACTIONS.columns}
      from (${by(sql`a.gateway_transaction_id`)} union ${by(sql`a.rrn`)}) a ${transactionsOfRows(tx)}
     order by t.id`)
  return rows.map(TRANSACTIONS.read)
}

async function transactionsAtSimulator(tx: Tx, keys: readonly string[]): Promise<AcquirerTransaction[]> {
  const rows = await tx.query(sql`
    select ${AT_SIMULATOR.columns}
      from transactions t
     where t.business_id = ${tx.businessId} and ${isOneOf(sql`t.id`, keys)}
       and t.acquirer_account_id = ${SIMULATOR_ACCOUNT}
     order by t.id`)
  return rows.map(AT_SIMULATOR.read)
}

const MAX_SETTLED = 100

/** Keys of the newest movements at the simulator. */
export async function newestAtSimulator(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select t.id from transactions t
     where t.business_id = ${tx.businessId} and t.acquirer_account_id = ${SIMULATOR_ACCOUNT}
       and t.type <> 'Authorization' and t.state = 'succeeded'
     order by t.created_at desc, t.id desc limit ${MAX_SETTLED}`)
  return rows.map(({ id }) => id)
}

export interface MovementsPage {
  readonly after: { readonly succeededAt: Instant; readonly id: string } | null
  readonly limit: number
}

export async function movementsOf(
  tx: Tx,
  accountId: string,
  { after, limit }: MovementsPage,
): Promise<AcquirerTransaction[]> {
  const position = after ?? { succeededAt: Temporal.Instant.fromEpochMilliseconds(0), id: '' }
  const rows = await tx.query(sql`
    select ${TRANSACTIONS.columns} from acquirer_transactions a ${transactionsOfRows(tx)}
     where a.business_id = ${tx.businessId} and a.account_id = ${accountId} and a.moved_at is not null
       and (a.moved_at, a.transaction_id) > (${toRfc3339(position.succeededAt)}::timestamptz, ${position.id})
       and t.state = 'succeeded'
     order by a.moved_at, a.transaction_id
     limit ${limit}`)
  return rows.map(TRANSACTIONS.read)
}

/** The currencies in which money moved through the account in the last 60 days with payments. */
export async function currenciesPaidAt(tx: Tx, accountId: string): Promise<Currency[]> {
  const rows = await tx.query<{ currency: Currency }>(sql`
    select distinct t.currency from acquirer_transactions a ${transactionsOfRows(tx)}
     where a.business_id = ${tx.businessId} and a.account_id = ${accountId} and a.moved_at > (
           select max(l.moved_at) - interval '60 days' from acquirer_transactions l
            where l.business_id = ${tx.businessId} and l.account_id = ${accountId}
              and l.moved_at is not null)
     order by t.currency`)
  return rows.map(({ currency }) => currency)
}

const writtenRows = rowsAs<Transaction>('w', {
  transaction_id: ['text', (t) => t.id],
  account_id: ['text', (t) => t.acquirerAccountId],
  gateway_transaction_id: ['text', (t) => t.answer.gatewayTransactionId || null],
  rrn: ['text', (t) => t.answer.rrn || null],
  moved_at: ['timestamptz', (t) => rfc3339OrNull(movedAt(t))],
})

/** The beginning of the statement that records outcomes. It writes the acquirers' references where they have changed. */
export function withAcquirerTransactions(
  tx: Tx,
  changes: readonly { readonly before: Transaction; readonly transaction: Transaction }[],
): Sql {
  const written = changes
    .filter(({ before, transaction }) => isOfRealAcquirer(transaction) && isNamedAnew(before, transaction))
    .map(({ transaction }) => transaction)
  if (written.length === 0) return empty
  return sql`with written as (
      insert into acquirer_transactions (business_id, transaction_id, account_id, gateway_transaction_id, rrn, moved_at)
      select ${tx.businessId}, w.* from ${writtenRows(written)}
      on conflict (business_id, transaction_id) do update
         set gateway_transaction_id = excluded.gateway_transaction_id, rrn = excluded.rrn, moved_at = excluded.moved_at)
    `
}

function isOfRealAcquirer(transaction: Transaction): boolean {
  return transaction.acquirerAccountId !== SIMULATOR_ACCOUNT && !isMovedOutside(transaction)
}

function isNamedAnew(before: Transaction, after: Transaction): boolean {
  return (
    before.answer.gatewayTransactionId !== after.answer.gatewayTransactionId ||
    before.answer.rrn !== after.answer.rrn ||
    movedAt(before) !== movedAt(after)
  )
}

function movedAt({ type, state, succeededAt }: Transaction): Instant | null {
  return type === 'Authorization' || state === 'failed' ? null : succeededAt
}
