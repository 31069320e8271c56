import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'

/**
 * A transfer that needs a person.
 * - `payer`: The name, else the IBAN, else what the bank calls the transfer.
 * - `bookedOn`: The booking date of the transfer, or of the debit that took it back.
 */
export interface TransferToSee {
  readonly entryId: string
  readonly amount: Money
  readonly payer: string
  readonly bookedOn: string
  readonly at: Instant
}

interface Row {
  id: string
  currency: string
  amount_minor: bigint
  payer: string
  booking_date: string
  created_at: Instant
}

const PAYER = sql`coalesce(nullif(e.debtor_name, ''), e.debtor_iban, left(e.bank_reference, 100), left(e.remittance, 100))`

/** Finds credits that are matched to no invoice and not ignored, oldest first. */
export async function findUnmatched(tx: Tx, limit: number): Promise<TransferToSee[]> {
  const rows = await tx.query<Row>(sql`
    select e.id, e.currency, e.amount_minor, ${PAYER} as payer, e.booking_date, e.created_at
      from bank_entries e
     where e.business_id = ${tx.businessId} and e.state in ('unmatched', 'suggested')
       and e.returned_by is null
     order by e.created_at, e.id limit ${limit}`)
  return rows.map(toTransfer)
}

/** Finds credits that a return has taken back after a time and that nobody ignored since, oldest first. */
export async function findReturned(tx: Tx, after: Instant, limit: number): Promise<TransferToSee[]> {
  const rows = await tx.query<Row>(sql`
    select e.id, e.currency, e.amount_minor, ${PAYER} as payer, r.booking_date, r.created_at
      from bank_entries r
      join bank_entries e on e.business_id = ${tx.businessId} and e.end_to_end_id = r.end_to_end_id and e.returned_by = r.id
     where r.business_id = ${tx.businessId} and r.kind = 'return' and r.created_at > ${toRfc3339(after)}
       and e.state <> 'ignored'
     order by r.created_at, r.id limit ${limit}`)
  return rows.map(toTransfer)
}

function toTransfer(row: Row): TransferToSee {
  return {
    entryId: row.id,
    amount: Money.ofMinor(row.currency, row.amount_minor),
    payer: row.payer,
    bookedOn: row.booking_date,
    at: row.created_at,
  }
}
