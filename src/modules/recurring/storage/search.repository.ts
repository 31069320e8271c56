import sql from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { lookUps, matchOf, type Search, type SearchHit, withoutRepeats } from '#platform/search'

interface FoundPlan {
  id: string
  reference_number: string
  name: string
  customer_uuid: string
  state: string
  created_at: Instant
}

export async function searchPlans(tx: Tx, search: Search): Promise<SearchHit[]> {
  const rows = await tx.query<FoundPlan>(
    lookUps(tx.businessId, search, {
      name: sql`recurring_plans`,
      columns: sql`id, reference_number, name, customer_uuid, state, created_at`,
      prefixes: [sql`id`, sql`reference_number`, sql`name collate "C"`],
      newest: sql`created_at desc, id desc`,
    }),
  )
  return withoutRepeats(rows, ({ id }) => id).map((plan) => ({
    type: 'plan',
    id: plan.id,
    parentId: null,
    title: plan.name,
    subtitle: plan.customer_uuid,
    amount: null,
    state: plan.state,
    createdAt: plan.created_at,
    match: matchOf(search, [plan.id, plan.reference_number, plan.name]),
  }))
}
