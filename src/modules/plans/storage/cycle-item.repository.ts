import sql from 'sql-template-tag'
import { type CycleItem, ITEMS } from '#modules/catalogue'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'

export async function findCycleItems(
  tx: Tx,
  planIds: readonly string[],
): Promise<Map<string, CycleItem[][]>> {
  const rows = await tx.query<{ plan_id: string; cycle_position: number; quantity: bigint }>(sql`
    select ci.plan_id, ci.cycle_position, ci.quantity, ${ITEMS.columns}
      from recurring_cycle_items ci
      join recurring_items i on i.business_id = ci.business_id and i.id = ci.item_id
     where ci.business_id = ${tx.businessId} and ${isOneOf(sql`ci.plan_id`, planIds)}
     order by ci.plan_id, ci.cycle_position, ci.position`)
  const byPlan = new Map<string, CycleItem[][]>()
  for (const row of rows) {
    const cycles = byPlan.get(row.plan_id) ?? []
    const items = (cycles[row.cycle_position] ??= [])
    items.push({ item: ITEMS.read(row), quantity: Number(row.quantity) })
    byPlan.set(row.plan_id, cycles)
  }
  return byPlan
}
