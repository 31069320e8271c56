import sql from 'sql-template-tag'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import { table } from '#platform/postgres/table'
import type { TotalChange } from '../model/totals.ts'

const TOTALS = table<TotalChange>('t', {
  reconciliationId: 'text',
  type: 'text',
  result: 'text',
  currency: 'text',
  entries: 'integer',
  grossMinor: 'numeric',
  feeMinor: 'numeric',
  netMinor: 'numeric',
})

export async function changeTotals(tx: Tx, changes: readonly TotalChange[]): Promise<void> {
  if (changes.length === 0) return
  await tx.execute(sql`
    insert into reconciliation_totals as t ${TOTALS.values(tx.businessId, changes)}
    on conflict (business_id, reconciliation_id, type, result, currency) do update
       set entries = t.entries + excluded.entries, gross_minor = t.gross_minor + excluded.gross_minor,
           fee_minor = t.fee_minor + excluded.fee_minor, net_minor = t.net_minor + excluded.net_minor`)
}

export type Total = Omit<TotalChange, 'reconciliationId'>

export async function totalsOf(tx: Tx, reconciliationIds: readonly string[]): Promise<Map<string, Total[]>> {
  if (reconciliationIds.length === 0) return new Map()
  const rows = await tx.query(sql`
    select ${TOTALS.columns} from reconciliation_totals t
     where business_id = ${tx.businessId} and ${isOneOf(sql`reconciliation_id`, reconciliationIds)} and entries > 0
     order by type, result, currency`)
  return Map.groupBy(rows.map(TOTALS.read), ({ reconciliationId }) => reconciliationId)
}
