import sql, { empty } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { rowsAs } from '#platform/postgres/rows'
import type { TaxExchange } from '../model/exchange.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { COLUMNS, toInvoice } from './invoice.repository.ts'
import { storedCopy } from './stored-copy.ts'
import { forgetTaxDays, lockTaxDays } from './tax-day.repository.ts'

/** Documents whose rate is there by now. This statement reads a table of taxes, for which rates have no use case of their own. */
export const HAS_RATE = sql`
  i.rate_missing_on is not null
  and exists (select 1 from exchange_rates r
               where r.business_id = i.business_id and r.date between i.rate_missing_on - 7 and i.rate_missing_on
                 and (r.base = i.currency and r.quote = i.rate_missing_to
                      or r.base = i.rate_missing_to and r.quote = i.currency))`

/** When the oldest document was issued that lacks a rate which is there by now. */
export async function earliestWithRate(tx: Tx): Promise<Instant | null> {
  const [row] = await tx.query<{ created_at: Instant }>(sql`
    select i.created_at from invoices i
     where i.business_id = ${tx.businessId} and ${HAS_RATE}
     order by i.created_at, i.id limit 1`)
  return row?.created_at ?? null
}

/** Locks documents that lack a rate which is there by now. Notes of an invoice are left to their invoice. */
export async function lockWithRate(
  tx: Tx,
  limit: number,
  { skipsLocked }: { readonly skipsLocked: boolean },
): Promise<IssuedInvoice[]> {
  const rows = await tx.query(sql`
    select ${COLUMNS} from invoices i
     where i.business_id = ${tx.businessId} and ${HAS_RATE} and i.invoice_id is null
     order by i.created_at, i.id limit ${limit}
       for no key update ${skipsLocked ? sql`skip locked` : empty}`)
  return rows.map(toInvoice)
}

const completed = rowsAs<IssuedInvoice>('c', {
  id: ['text', (i) => i.id],
  copy: ['text', storedCopy],
  updated_at: ['timestamptz', (i) => toRfc3339(i.updatedAt)],
})

/** The only change of what a document says: it gets the rate that was missing when it was issued. */
export async function saveRates(
  tx: Tx,
  documents: readonly (IssuedInvoice & { readonly exchange: TaxExchange })[],
): Promise<void> {
  if (documents.length === 0) return
  await lockTaxDays(tx)
  await forgetTaxDays(tx, [...new Set(documents.map(({ issueDate }) => issueDate))])
  await tx.execute(sql`
    update invoices i
       set copy = c.copy::jsonb, rate_missing_on = null, rate_missing_to = null, updated_at = c.updated_at
      from ${completed(documents)}
     where i.business_id = ${tx.businessId} and i.id = c.id`)
}

/** - `currency`: Of the document; `to` is that of its seller. */
export interface DocumentWithoutRate {
  readonly id: string
  readonly number: string
  readonly currency: string
  readonly to: string
  readonly date: string
  readonly at: Instant
}

/** Oldest first. */
export async function findWithoutRate(tx: Tx, limit: number): Promise<DocumentWithoutRate[]> {
  return tx.query<DocumentWithoutRate>(sql`
    select i.id, i.number, i.currency, i.rate_missing_to as to, i.rate_missing_on::text as date, i.created_at as at
      from invoices i
     where i.business_id = ${tx.businessId} and i.rate_missing_on is not null
     order by i.created_at, i.id limit ${limit}`)
}
