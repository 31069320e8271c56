import sql from 'sql-template-tag'
import type { Tx } from '#platform/postgres/database'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import type { EntryType, Result } from '../model/entry.ts'
import type { TotalChange } from '../model/totals.ts'

const changeRows = rowsAs<TotalChange>('c', {
  reconciliation_id: ['text', (change) => change.reconciliationId],
  type: ['text', (change) => change.type],
  result: ['text', (change) => change.result],
  currency: ['text', (change) => change.currency],
  entries: ['integer', (change) => change.entries],
  gross_minor: ['numeric', (change) => change.grossMinor.toString()],
  fee_minor: ['numeric', (change) => change.feeMinor.toString()],
  net_minor: ['numeric', (change) => change.netMinor.toString()],
})

export async function changeTotals(tx: Tx, changes: readonly TotalChange[]): Promise<void> {
  if (changes.length === 0) return
  await tx.execute(sql`
    insert into reconciliation_totals as t (business_id, reconciliation_id, type, result, currency, entries, gross_minor,
                                            fee_minor, net_minor)
    select ${tx.businessId}, c.* from ${changeRows(changes)}
    on conflict (business_id, reconciliation_id, type, result, currency) do update
       set entries = t.entries + excluded.entries, gross_minor = t.gross_minor + excluded.gross_minor,
           fee_minor = t.fee_minor + excluded.fee_minor, net_minor = t.net_minor + excluded.net_minor`)
}

export interface Total {
  readonly type: EntryType
  readonly result: Result
  readonly currency: string
  readonly entries: number
  readonly grossMinor: bigint
  readonly feeMinor: bigint
  readonly netMinor: bigint
}

interface TotalRow {
  reconciliation_id: string
  type: EntryType
  result: Result
  currency: string
  entries: number
  gross_minor: bigint
  fee_minor: bigint
  net_minor: bigint
}

export async function totalsOf(tx: Tx, reconciliationIds: readonly string[]): Promise<Map<string, Total[]>> {
  if (reconciliationIds.length === 0) return new Map()
  const rows = await tx.query<TotalRow>(sql`
    select reconciliation_id, type, result, currency, entries, gross_minor, fee_minor, net_minor
      from reconciliation_totals
     where business_id = ${tx.businessId} and ${isOneOf(sql`reconciliation_id`, reconciliationIds)} and entries > 0
     order by type, result, currency`)
  const grouped = Map.groupBy(rows, (row) => row.reconciliation_id)
  return new Map([...grouped].map(([id, totals]) => [id, totals.map(toTotal)]))
}

function toTotal(row: TotalRow): Total {
  return {
    type: row.type,
    result: row.result,
    currency: row.currency,
    entries: row.entries,
    grossMinor: row.gross_minor,
    feeMinor: row.fee_minor,
    netMinor: row.net_minor,
  }
}
