import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Database, Tx } from '#platform/postgres/database'
import { givenIds, isOneOf, rowsAs } from '#platform/postgres/rows'
import type { EntryMatch } from '../model/bank-entry.ts'

interface MatchRow {
  entry_id: string
  invoice_id: string
  invoice_number: string
  order_id: string
  customer_uuid: string
  currency: string
  amount_minor: bigint
  transaction_id: string
}

const newMatches = rowsAs<EntryMatch>('n', {
  transaction_id: ['text', (m) => m.transactionId],
  entry_id: ['text', (m) => m.entryId],
  invoice_id: ['text', (m) => m.invoice.id],
  invoice_number: ['text', (m) => m.invoice.number],
  order_id: ['text', (m) => m.orderId],
  customer_uuid: ['text', (m) => m.customerUuid],
  amount_minor: ['numeric', (m) => m.amount.minor.toString()],
})

export async function insertMatches(tx: Tx, matches: readonly EntryMatch[], at: Instant): Promise<void> {
  await tx.execute(sql`
    insert into bank_entry_matches (business_id, transaction_id, entry_id, invoice_id, invoice_number, order_id, customer_uuid,
                                    amount_minor, created_at)
    select ${tx.businessId}, n.transaction_id, n.entry_id, n.invoice_id, n.invoice_number, n.order_id, n.customer_uuid,
           n.amount_minor, ${toRfc3339(at)}
      from ${newMatches(matches)}`)
}

export async function undoMatches(tx: Tx, transactionIds: readonly string[], at: Instant): Promise<void> {
  if (transactionIds.length === 0) return
  await tx.execute(sql`
    update bank_entry_matches set undone_at = ${toRfc3339(at)}
     where business_id = ${tx.businessId} and ${isOneOf(sql`transaction_id`, transactionIds)}`)
}

export async function findMatches(tx: Tx, entryIds: readonly string[]): Promise<EntryMatch[]> {
  if (entryIds.length === 0) return []
  return (await tx.query<MatchRow>(selectMatches(tx.businessId, entryIds))).map(toMatch)
}

export async function readMatches(
  db: Database,
  businessId: string,
  entryIds: readonly string[],
): Promise<EntryMatch[]> {
  if (entryIds.length === 0) return []
  return (await db.read<MatchRow>(businessId, selectMatches(businessId, entryIds))).map(toMatch)
}

function selectMatches(businessId: string, entryIds: readonly string[]): Sql {
  return sql`
    select m.entry_id, m.invoice_id, m.invoice_number, m.order_id, m.customer_uuid, e.currency, m.amount_minor, m.transaction_id
      from bank_entry_matches m
      join bank_entries e on e.business_id = ${businessId} and e.id = m.entry_id
     where m.business_id = ${businessId} and ${isOneOf(sql`m.entry_id`, entryIds)} and m.undone_at is null
     order by m.transaction_id`
}

const PAYMENTS_OF_PAYER = 20

/** The customers whose invoices were last paid from each IBAN. */
export async function findPayers(
  tx: Tx,
  ibans: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  if (ibans.length === 0) return new Map()
  const rows = await tx.query<{ iban: string; customer_uuid: string }>(sql`
    select distinct given.id as iban, m.customer_uuid
      from ${givenIds(ibans)}
     cross join lateral (
           select e.id from bank_entries e
            where e.business_id = ${tx.businessId} and e.debtor_iban = given.id and e.state = 'matched'
            order by e.created_at desc limit ${PAYMENTS_OF_PAYER}) e
      join bank_entry_matches m on m.business_id = ${tx.businessId} and m.entry_id = e.id and m.undone_at is null`)
  const byIban = Map.groupBy(rows, ({ iban }) => iban)
  return new Map([...byIban].map(([iban, found]) => [iban, new Set(found.map((row) => row.customer_uuid))]))
}

function toMatch(row: MatchRow): EntryMatch {
  return {
    entryId: row.entry_id,
    invoice: { id: row.invoice_id, number: row.invoice_number },
    orderId: row.order_id,
    customerUuid: row.customer_uuid,
    amount: Money.ofMinor(row.currency, row.amount_minor),
    transactionId: row.transaction_id,
  }
}
