import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Database, Tx } from '#platform/postgres/database'
import { givenIds, isOneOf } from '#platform/postgres/rows'
import { amount, composed, table } from '#platform/postgres/table'
import type { EntryMatch } from '../model/bank-entry.ts'
import type { CountedTransfer } from '../model/counted-transfer.ts'

const MATCHES = table<EntryMatch>('m', {
  entryId: 'text',
  invoice: composed(['invoice_id', 'invoice_number'], (id: string, number: string) => ({ id, number }), {
    invoice_id: ['text', (invoice) => invoice.id],
    invoice_number: ['text', (invoice) => invoice.number],
  }),
  orderId: 'text',
  customerUuid: 'text',
  amount: { ...amount('amount_minor'), expression: 'm.amount_minor, e.currency' },
  transactionId: 'text',
})

export async function insertMatches(tx: Tx, matches: readonly EntryMatch[], at: Instant): Promise<void> {
  await tx.execute(sql`
    insert into bank_entry_matches ${MATCHES.values(tx.businessId, matches, { created_at: toRfc3339(at) })}`)
}

export async function undoMatches(tx: Tx, transactionIds: readonly string[], at: Instant): Promise<void> {
  if (transactionIds.length === 0) return
  await tx.execute(sql`
    update bank_entry_matches set undone_at = ${toRfc3339(at)}
     where business_id = ${tx.businessId} and ${isOneOf(sql`transaction_id`, transactionIds)}`)
}

export async function findMatches(tx: Tx, entryIds: readonly string[]): Promise<EntryMatch[]> {
  if (entryIds.length === 0) return []
  return (await tx.query(selectMatches(tx.businessId, entryIds))).map(MATCHES.read)
}

export async function readMatches(
  db: Database,
  businessId: string,
  entryIds: readonly string[],
): Promise<EntryMatch[]> {
  if (entryIds.length === 0) return []
  return (await db.read(businessId, selectMatches(businessId, entryIds))).map(MATCHES.read)
}

function selectMatches(businessId: string, entryIds: readonly string[]): Sql {
  return sql`
    select ${MATCHES.columns}
      from bank_entry_matches m
      join bank_entries e on e.business_id = ${businessId} and e.id = m.entry_id
     where m.business_id = ${businessId} and ${isOneOf(sql`m.entry_id`, entryIds)} and m.undone_at is null
     order by m.transaction_id`
}

/** Returns by transaction who sent a transfer. Those whose sender no statement names are left out. */
export async function findDebtorNames(
  tx: Tx,
  transactionIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ transaction_id: string; debtor_name: string }>(sql`
    select m.transaction_id, e.debtor_name
      from bank_entry_matches m
      join bank_entries e on e.business_id = ${tx.businessId} and e.id = m.entry_id
     where m.business_id = ${tx.businessId} and ${isOneOf(sql`m.transaction_id`, transactionIds)}
       and e.debtor_name is not null and e.debtor_name <> ''`)
  return new Map(rows.map((row) => [row.transaction_id, row.debtor_name] as const))
}

/** Finds the transfers that paid one of the invoices from one of the IBANs, without those that were returned. */
export async function findCountedTransfers(
  tx: Tx,
  invoiceIds: readonly string[],
  ibans: readonly string[],
): Promise<CountedTransfer[]> {
  if (invoiceIds.length === 0 || ibans.length === 0) return []
  const rows = await tx.query<{
    invoice_id: string
    debtor_iban: string
    amount_minor: bigint
    currency: string
    booking_date: string
  }>(sql`
    select m.invoice_id, e.debtor_iban, e.amount_minor, e.currency, e.booking_date
      from bank_entry_matches m
      join bank_entries e on e.business_id = ${tx.businessId} and e.id = m.entry_id
     where m.business_id = ${tx.businessId} and ${isOneOf(sql`m.invoice_id`, invoiceIds)} and m.undone_at is null
       and e.state = 'matched' and e.returned_by is null and ${isOneOf(sql`e.debtor_iban`, ibans)}`)
  return rows.map((row) => ({
    invoiceId: row.invoice_id,
    debtorIban: row.debtor_iban,
    amount: Money.ofMinor(row.currency, row.amount_minor),
    bookingDate: row.booking_date,
  }))
}

/** The newest payments from an account say whose it is. */
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
