import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { rowsAs } from '#platform/postgres/rows'
import type { DocumentType } from '../model/invoice.ts'

export interface SequenceKey {
  readonly type: DocumentType
  readonly legalEntityId: string
  readonly series: string
  readonly year: number
}

/** - `firstNumber`: Of the series' first year; every later one begins at 1. */
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

interface TakenRow {
  type: DocumentType
  legal_entity_id: string
  series: string
  year: number
  next_number: bigint
  last_issued_at: Instant
}

/**
 * Takes a block of numbers of each sequence. The rows stay locked until the transaction ends; credit notes come first
 * everywhere, so that no two transactions wait for each other.
 */
export async function takeNumbers(tx: Tx, blocks: readonly NumbersWanted[]): Promise<NumbersTaken[]> {
  const rows = await tx.query<TakenRow>(sql`
    insert into invoice_sequences as s
           (business_id, type, legal_entity_id, series, year, first_number, next_number, last_issued_at)
    select ${tx.businessId}, w.type, w.legal_entity_id, w.series, w.year, f.first_number, f.first_number + w.count, w.at
      from ${wanted(blocks)}
     cross join lateral (
           select case when exists (select from invoice_sequences o
                                     where o.business_id = ${tx.businessId} and o.type = w.type
                                       and o.legal_entity_id = w.legal_entity_id and o.series = w.series)
                       then 1 else w.first_number end as first_number) f
     order by w.type collate "C", w.legal_entity_id collate "C", w.series collate "C", w.year
    on conflict (business_id, type, legal_entity_id, series, year) do update
       set next_number = s.next_number + excluded.next_number - excluded.first_number,
           last_issued_at = greatest(s.last_issued_at, excluded.last_issued_at)
    returning type, legal_entity_id, series, year, next_number, last_issued_at`)
  return rows.map((row) => {
    const key = { type: row.type, legalEntityId: row.legal_entity_id, series: row.series, year: row.year }
    const block = blocks.find((candidate) => sequenceId(candidate) === sequenceId(key))
    return { ...key, first: row.next_number - BigInt(block?.count ?? 0), at: row.last_issued_at }
  })
}

export function sequenceId({ type, legalEntityId, series, year }: SequenceKey): string {
  return JSON.stringify([type, legalEntityId, series, year])
}
