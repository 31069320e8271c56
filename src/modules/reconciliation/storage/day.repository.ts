import sql from 'sql-template-tag'
import type { Tx } from '#platform/postgres/database'
import { named, table } from '#platform/postgres/table'
import type { SettledDay } from '../model/totals.ts'

const DAYS = table<SettledDay>('d', {
  currency: 'text',
  day: 'date',
  fee: named('fee_minor', 'numeric'),
  paid: named('paid_minor', 'numeric'),
})

export async function changeDays(tx: Tx, changes: readonly SettledDay[]): Promise<void> {
  if (changes.length === 0) return
  await tx.execute(sql`
    insert into reconciliation_days as d ${DAYS.values(tx.businessId, changes)}
    on conflict (business_id, currency, day) do update
       set fee_minor = d.fee_minor + excluded.fee_minor, paid_minor = d.paid_minor + excluded.paid_minor`)
}

export async function settledDays(
  tx: Tx,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<SettledDay[]> {
  const rows = await tx.query(sql`
    select ${DAYS.columns} from reconciliation_days d
     where business_id = ${tx.businessId} and day between ${from}::date and ${to}::date
     order by day, currency`)
  return rows.map(DAYS.read)
}
