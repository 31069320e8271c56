import sql, { empty } from 'sql-template-tag'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import { isIssuedIn, type IssuedScope } from './issued-scope.ts'
import { type TaxSum, taxSums } from './tax-report.repository.ts'

type LocalDate = string

/** Keeps a day from being summed while documents of it change. Held until the end of the transaction. */
export async function lockTaxDays(tx: Tx): Promise<void> {
  await tx.query(sql`
    select pg_advisory_xact_lock(hashtextextended(${`${tx.businessId} invoice tax days`}, 0))`)
}

/** Returns the days of a range, from the business's first document on, that are not summed yet. */
export async function findUnsummedDays(tx: Tx, from: LocalDate, to: LocalDate): Promise<LocalDate[]> {
  const rows = await tx.query<{ day: LocalDate }>(sql`
    select d.day::date::text as day
      from (select issue_date - 1 as first from invoices
             where business_id = ${tx.businessId} order by created_at, id limit 1) i
     cross join lateral generate_series(greatest(${from}::date, i.first)::timestamp, ${to}::timestamp, interval '1 day') as d(day)
     where not exists (select from invoice_tax_days t where t.business_id = ${tx.businessId} and t.day = d.day::date)
     order by 1`)
  return rows.map(({ day }) => day)
}

/** Sums the documents of a day that is over. The caller has called `lockTaxDays`. */
export async function sumTaxDay(tx: Tx, day: LocalDate): Promise<void> {
  const date = Temporal.PlainDate.from(day)
  const documents = isIssuedIn(tx.businessId, { range: { from: date, to: date } })
  await tx.execute(sql`
    insert into invoice_tax_days (business_id, day, sums)
    select ${tx.businessId}, ${day}::date, coalesce(jsonb_agg(to_jsonb(s)), '[]')
      from (${taxSums(documents)}) s
    on conflict (business_id, day) do nothing`)
}

export function readTaxDays(
  tx: Tx,
  { range: { from, to }, currency, legalEntityId }: IssuedScope,
): Promise<TaxSum[]> {
  return tx.query<TaxSum>(sql`
    select s.legal_entity_id, s.currency, s.country, s.region, s.treatment, s.name, s.percentage, s.category,
           sum(s.net)::numeric(40,0) as net, sum(s.tax)::numeric(40,0) as tax, sum(s.documents)::integer as documents,
           s.tax_currency, sum(s.converted_net)::numeric(40,0) as converted_net,
           sum(s.converted_tax)::numeric(40,0) as converted_tax
      from invoice_tax_days d
     cross join lateral jsonb_to_recordset(d.sums)
           as s(legal_entity_id text, currency text, country text, region text, treatment text, name text, percentage text,
                category text, net numeric, tax numeric, documents integer, tax_currency text, converted_net numeric,
                converted_tax numeric)
     where d.business_id = ${tx.businessId} and d.day between ${from.toString()}::date and ${to.toString()}::date
       ${currency === undefined ? empty : sql`and s.currency = ${currency}`}
       ${legalEntityId === undefined ? empty : sql`and s.legal_entity_id = ${legalEntityId}`}
     group by 1, 2, 3, 4, 5, 6, 7, 8, 12`)
}

/** Deletes the sums of days whose documents get their rate later. The caller has called `lockTaxDays`. */
export async function forgetTaxDays(tx: Tx, days: readonly LocalDate[]): Promise<void> {
  await tx.execute(sql`
    delete from invoice_tax_days where business_id = ${tx.businessId} and ${isOneOf(sql`day::text`, days)}`)
}
