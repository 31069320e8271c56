import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import { table } from '#platform/postgres/table'
import type { NumberGap } from '#modules/taxes'
import type { DocumentType } from '../model/invoice.ts'

export interface SequenceKey {
  readonly type: DocumentType
  readonly legalEntityId: string
  readonly series: string
  readonly year: number
}

/** - `firstNumber`: The first number of the series' first year; every later year begins at 1. */
export interface NumbersWanted extends SequenceKey {
  readonly firstNumber: number
  readonly count: number
  readonly at: Instant
}

export interface NumbersTaken extends SequenceKey {
  readonly first: bigint
  readonly at: Instant
}

const wanted = rowsAs<NumbersWanted>('w', {
  type: ['text', (row) => row.type],
  legal_entity_id: ['text', (row) => row.legalEntityId],
  series: ['text', (row) => row.series],
  year: ['integer', (row) => row.year],
  first_number: ['bigint', (row) => row.firstNumber],
  count: ['integer', (row) => row.count],
  at: ['timestamptz', (row) => toRfc3339(row.at)],
})

interface Sequence extends SequenceKey {
  readonly nextNumber: bigint
  readonly lastIssuedAt: Instant
}

const SEQUENCES = table<Sequence>('s', {
  type: 'text',
  legalEntityId: 'text',
  series: 'text',
  year: 'integer',
  nextNumber: 'bigint',
  lastIssuedAt: 'timestamptz',
})

/**
 * Takes a block of numbers from each sequence. A sequence that begins after a recovery begins after the numbers that the lost
 * period may have given. The rows stay locked until the transaction ends. Credit notes come first everywhere, so that no two
 * transactions wait for each other.
 */
export async function takeNumbers(tx: Tx, blocks: readonly NumbersWanted[]): Promise<NumbersTaken[]> {
  const rows = await tx.query(sql`
    insert into invoice_sequences as s
           (business_id, type, legal_entity_id, series, year, first_number, next_number, recovered, last_issued_at)
    select ${tx.businessId}, w.type, w.legal_entity_id, w.series, w.year, f.first_number,
           f.first_number + coalesce(r.numbers, 0) + w.count,
           int8multirange(int8range(f.first_number, f.first_number + coalesce(r.numbers, 0))), w.at
      from ${wanted(blocks)}
      left join invoice_recoveries r
        on r.business_id = ${tx.businessId} and r.legal_entity_id = w.legal_entity_id
       and w.year <= coalesce(r.last_year, w.year)
     cross join lateral (
           select case when exists (select from invoice_sequences o
                                     where o.business_id = ${tx.businessId} and o.type = w.type
                                       and o.legal_entity_id = w.legal_entity_id and o.series = w.series)
                       then 1 else w.first_number end as first_number) f
     order by w.type collate "C", w.legal_entity_id collate "C", w.series collate "C", w.year
    on conflict (business_id, type, legal_entity_id, series, year) do update
       set next_number = s.next_number + excluded.next_number
                       - coalesce(upper(excluded.recovered), excluded.first_number),
           last_issued_at = greatest(s.last_issued_at, excluded.last_issued_at)
    returning ${SEQUENCES.columns}`)
  return rows.map(SEQUENCES.read).map(({ nextNumber, lastIssuedAt: at, ...key }) => {
    const block = blocks.find((candidate) => sequenceId(candidate) === sequenceId(key))
    return { ...key, first: nextNumber - BigInt(block?.count ?? 0), at }
  })
}

/**
 * Skips numbers of every sequence that can still continue, and of sequences that begin later (`invoice_recoveries`).
 * - `firstYear`: The first year in which a document can be dated.
 */
export async function skipNumbers(
  tx: Tx,
  legalEntityIds: readonly string[],
  { count, firstYear, lastYear }: SkippedNumbers,
): Promise<void> {
  await tx.execute(sql`
    update invoice_sequences
       set recovered = recovered + int8multirange(int8range(next_number, next_number + ${count}::bigint)),
           next_number = next_number + ${count}::bigint
     where business_id = ${tx.businessId} and (year = 0 or year >= ${firstYear})`)
  await tx.execute(sql`
    insert into invoice_recoveries as r (business_id, legal_entity_id, numbers, last_year)
    select ${tx.businessId}, id, ${count}::bigint, ${lastYear}::integer from unnest((select ${[...legalEntityIds]}::text[])) e (id)
    on conflict (business_id, legal_entity_id) do update
       set numbers = r.numbers + excluded.numbers,
           last_year = case when r.last_year is not null and excluded.last_year is not null
                            then greatest(r.last_year, excluded.last_year) end`)
}

export interface SkippedNumbers {
  readonly count: number
  readonly firstYear: number
  readonly lastYear: number | null
}

/** @param legalEntityIds default: all legal entities */
export function findNumberGaps(tx: Tx, legalEntityIds?: readonly string[]): Promise<NumberGap[]> {
  const isWanted =
    legalEntityIds === undefined ? sql`true` : isOneOf(sql`s.legal_entity_id`, [...legalEntityIds])
  return tx.query<NumberGap>(sql`
    select s.type, s.legal_entity_id as "legalEntityId", s.series, s.year, lower(g) as "from", upper(g) - 1 as "to"
      from invoice_sequences s cross join lateral unnest(s.recovered) g
     where s.business_id = ${tx.businessId} and s.recovered <> '{}' and ${isWanted}
     order by s.legal_entity_id, s.series, s.year, s.type desc, lower(g)`)
}

export function sequenceId({ type, legalEntityId, series, year }: SequenceKey): string {
  return JSON.stringify([type, legalEntityId, series, year])
}
