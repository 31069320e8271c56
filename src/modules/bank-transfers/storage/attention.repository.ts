import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import { amount, computed, type Members, named, table } from '#platform/postgres/table'

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

const PAYER =
  "coalesce(nullif(e.debtor_name, ''), e.debtor_iban, left(e.bank_reference, 100), left(e.remittance, 100))"

const MEMBERS: Members<TransferToSee> = {
  entryId: named('id', 'text'),
  amount: amount('amount_minor'),
  payer: computed('payer', PAYER),
  bookedOn: named('booking_date', 'date'),
  at: named('created_at', 'timestamptz'),
}
const UNMATCHED = table<TransferToSee>('e', MEMBERS)
const RETURNED = table<TransferToSee>('e', {
  ...MEMBERS,
  bookedOn: computed('booking_date', 'r.booking_date'),
  at: computed('created_at', 'r.created_at'),
})

/** Finds credits that are matched to no invoice and not ignored, oldest first. */
export async function findUnmatched(tx: Tx, limit: number): Promise<TransferToSee[]> {
  const rows = await tx.query(sql`
    select ${UNMATCHED.columns}
      from bank_entries e
     where e.business_id = ${tx.businessId} and e.state in ('unmatched', 'suggested')
       and e.returned_by is null
     order by e.created_at, e.id limit ${limit}`)
  return rows.map(UNMATCHED.read)
}

/** Finds credits that a return has taken back after a time and that nobody ignored since, oldest first. */
export async function findReturned(tx: Tx, after: Instant, limit: number): Promise<TransferToSee[]> {
  const rows = await tx.query(sql`
    select ${RETURNED.columns}
      from bank_entries r
      join bank_entries e on e.business_id = ${tx.businessId} and e.end_to_end_id = r.end_to_end_id and e.returned_by = r.id
     where r.business_id = ${tx.businessId} and r.kind = 'return' and r.created_at > ${toRfc3339(after)}
       and e.state <> 'ignored'
     order by r.created_at, r.id limit ${limit}`)
  return rows.map(RETURNED.read)
}
