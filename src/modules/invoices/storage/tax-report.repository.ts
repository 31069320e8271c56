import sql, { empty, type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Treatment } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import { type IssuedScope, isIssuedIn } from './issued-scope.ts'

/** One statement reads the copies of so many documents, which takes some 20 ms, or seconds if each has 1,000 lines. */
const PAGE = 1_000

export interface DocumentKey {
  readonly at: Instant
  readonly id: string
}

/** The documents of a scope after one and up to another, both in the order of their creation; undefined for no bound. */
export interface DocumentSpan {
  readonly after: DocumentKey | undefined
  readonly until: DocumentKey | undefined
}

/** Returns the last document of the next page; undefined if the page is the last. */
export async function endOfPage(
  tx: Tx,
  scope: IssuedScope,
  after: DocumentKey | undefined,
): Promise<DocumentKey | undefined> {
  const [row] = await tx.query<{ created_at: Instant; id: string }>(sql`
    select i.created_at, i.id from invoices i
     where ${isIssuedIn(tx.businessId, scope)} ${within({ after, until: undefined })}
     order by i.created_at, i.id limit 1 offset ${PAGE - 1}`)
  return row && { at: row.created_at, id: row.id }
}

/**
 * Minor units, of credit notes negative.
 * - `region`, `category`: Those of the rate.
 * - `documents`: How many of the span have it.
 * - `tax_currency`: The seller's, of documents that have their tax in it; null for others, as their converted amounts.
 */
export interface TaxSum {
  readonly legal_entity_id: string
  readonly currency: string
  readonly country: string
  readonly region: string | null
  readonly treatment: Treatment
  readonly name: string
  readonly percentage: string
  readonly category: string | null
  readonly net: bigint
  readonly tax: bigint
  readonly documents: number
  readonly tax_currency: string | null
  readonly converted_net: bigint | null
  readonly converted_tax: bigint | null
}

export function sumTaxes(tx: Tx, scope: IssuedScope, span: DocumentSpan): Promise<TaxSum[]> {
  return tx.query<TaxSum>(taxSums(sql`${isIssuedIn(tx.businessId, scope)} ${within(span)}`))
}

/** @param documents a condition of `i` */
export function taxSums(documents: Sql): Sql {
  return sql`
    select i.legal_entity_id, i.currency, coalesce(t.country, d.country) as country,
           t.region, t.treatment, t.name, trim_scale(t.percentage)::text as percentage, t.category,
           sum(${SIGN} * t.base)::numeric(40,0) as net, sum(${SIGN} * t.amount)::numeric(40,0) as tax,
           count(distinct i.id)::integer as documents,
           d.tax_currency, sum(${SIGN} * t.converted_base)::numeric(40,0) as converted_net,
           sum(${SIGN} * t.converted)::numeric(40,0) as converted_tax
      from invoices i
     cross join lateral (
       select coalesce(i.copy #>> '{buyer,address,country}', i.copy #>> '{seller,address,country}') as country,
              case when i.copy -> 'exchange' ? 'rate' then i.copy -> 'exchange' ->> 'currency' end as tax_currency,
              i.copy -> 'taxes' as taxes
       ${ONCE_A_DOCUMENT}) d
     cross join lateral jsonb_to_recordset(d.taxes)
           as t(name text, percentage numeric, treatment text, base numeric, amount numeric, country text, region text,
                category text, converted_base numeric, converted numeric)
     where ${documents}
     group by 1, 2, 3, 4, 5, 6, 7, 8, 12`
}

export interface BuyerSum {
  readonly legal_entity_id: string
  readonly currency: string
  readonly buyer_tax_id: string | null
  readonly buyer_country: string | null
  readonly buyer_name: string
  readonly treatment: Treatment
  readonly net: bigint
  readonly tax: bigint
}

export function sumBuyers(tx: Tx, scope: IssuedScope, span: DocumentSpan): Promise<BuyerSum[]> {
  return tx.query<BuyerSum>(sql`
    select i.legal_entity_id, i.currency, d.buyer_tax_id, d.buyer_country, d.buyer_name, l.treatment,
           sum(${SIGN} * l.net)::numeric(40,0) as net, sum(${SIGN} * coalesce(l.tax, 0))::numeric(40,0) as tax
      from invoices i
     cross join lateral (
       select coalesce(jsonb_path_query_first(i.copy, '$.buyer.taxIds[*] ? (@.type == "vat").value') #>> '{}',
                       i.copy #>> '{buyer,taxIds,0,value}') as buyer_tax_id,
              i.copy #>> '{buyer,address,country}' as buyer_country, i.copy #>> '{buyer,name}' as buyer_name,
              i.copy -> 'lines' as lines
       ${ONCE_A_DOCUMENT}) d
     cross join lateral jsonb_to_recordset(d.lines) as l(net numeric, tax numeric, treatment text)
     where ${isIssuedIn(tx.businessId, scope)} ${within(span)}
     group by 1, 2, 3, 4, 5, 6`)
}

/** Read for each line, the copy of 1,000 lines would be unpacked 1,000 times, which takes a second and more. */
const ONCE_A_DOCUMENT = sql`offset 0`

const SIGN = sql`case when i.type = 'credit_note' then -1 else 1 end`

function within({ after, until }: DocumentSpan): Sql {
  const later = after && sql`and (i.created_at, i.id) > (${toRfc3339(after.at)}::timestamptz, ${after.id})`
  const earlier = until && sql`and (i.created_at, i.id) <= (${toRfc3339(until.at)}::timestamptz, ${until.id})`
  return sql`${later ?? empty} ${earlier ?? empty}`
}
