import sql from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { findObjects } from '#platform/search/find-objects'
import type { Search, SearchHit } from '#platform/search/search'
import { nameIndex } from '#platform/search/term-index'

export const PLAN_NAMES = nameIndex(
  {
    objects: sql`recurring_plans`,
    terms: sql`recurring_plan_terms`,
    object: sql`plan_id`,
    wordKeys: sql`recurring_plan_word_keys`,
  },
  sql`o.name`,
)

interface FoundPlan {
  id: string
  reference_number: string
  name: string
  customer_uuid: string
  state: string
  created_at: Instant
}

export async function searchPlans(tx: Tx, search: Search): Promise<SearchHit[]> {
  const plans = await findObjects<FoundPlan>(tx, search, PLAN_NAMES, {
    columns: sql`id, reference_number, name, customer_uuid, state, created_at`,
    prefixes: [sql`id`, sql`reference_number`, sql`name collate "C"`],
    newest: sql`created_at desc, id desc`,
    idOf: ({ id }) => id,
    identifiersOf: ({ id, reference_number: reference, name }) => [id, reference, name],
  })
  return plans.map(({ row, match }) => ({
    type: 'plan',
    id: row.id,
    parentId: null,
    title: row.name,
    subtitle: row.customer_uuid,
    customerUuid: row.customer_uuid,
    reference: row.reference_number,
    amount: null,
    state: row.state,
    createdAt: row.created_at,
    match,
  }))
}
