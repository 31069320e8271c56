import sql from 'sql-template-tag'
import type { Tx } from '#platform/postgres/database'
import { rowsAs } from '#platform/postgres/rows'
import type { SettledDay } from '../model/totals.ts'

const changeRows = rowsAs<SettledDay>('c', {
  currency: ['text', ({ currency }) => currency],
  day: ['date', ({ day }) => day],
  fee_minor: ['numeric', ({ fee }) => fee.toString()],
  paid_minor: ['numeric', ({ paid }) => paid.toString()],
})

export async function changeDays(tx: Tx, changes: readonly SettledDay[]): Promise<void> {
  if (changes.length === 0) return
  await tx.execute(sql`
    insert into reconciliation_days as d (business_id, currency, day, fee_minor, paid_minor)
    select ${tx.businessId}, c.* from ${changeRows(changes)}
    on conflict (business_id, currency, day) do update
       set fee_minor = d.fee_minor + excluded.fee_minor, paid_minor = d.paid_minor + excluded.paid_minor`)
}

interface Row {
  currency: string
  day: string
  fee_minor: bigint
  paid_minor: bigint
}

export async function settledDays(
  tx: Tx,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<SettledDay[]> {
  const rows = await tx.query<Row>(sql`
    select currency, day, fee_minor, paid_minor from reconciliation_days
     where business_id = ${tx.businessId} and day between ${from}::date and ${to}::date
     order by day, currency`)
  return rows.map((row) => ({
    currency: row.currency,
    day: row.day,
    fee: row.fee_minor,
    paid: row.paid_minor,
  }))
}
