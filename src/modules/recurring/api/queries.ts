import sql from 'sql-template-tag'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { filterCondition } from '#platform/filter/filter-condition'
import type { FilterFields } from '#platform/filter/filter-sql'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import { CYCLE_STATES } from '../plan/cycle.states.ts'
import { errors } from './errors.ts'
import { loadPlans } from '../storage/plan-aggregate.repository.ts'
import type { RecurringDependencies } from '../dependencies.ts'
import { listPlanIds } from '../storage/plan.repository.ts'
import { renderPlans } from '../storage/render-plans.ts'

export const PLAN_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`p.id`, prefix: true },
  name: { type: 'text', column: sql`p.name collate "C"`, prefix: true },
  reference_number: { type: 'text', column: sql`p.reference_number`, prefix: true },
  'customer.uuid': { type: 'text', column: sql`p.customer_uuid` },
  'customer.reference_number': { type: 'text', column: sql`p.customer_reference_number` },
  state: {
    type: 'enum',
    column: sql`p.state`,
    values: Object.keys(CYCLE_STATES),
    narrow: (state) =>
      state === 'active' || state === 'upcoming'
        ? undefined
        : sql`p.state <> 'active' and p.state <> 'upcoming'`,
  },
  created_at: { type: 'time', column: sql`p.created_at` },
  next_execute_time: { type: 'time', column: sql`p.next_execute_at` },
}

export async function getPlan(deps: RecurringDependencies, caller: Caller, id: string): Promise<object> {
  const read = async (tx: Tx): Promise<object> => {
    const plans = [...(await loadPlans(tx, { planIds: [id] })).values()]
    const shown = await renderPlans(deps, tx, plans, () => tx.now)
    const plan = shown.get(id)
    if (plan === undefined) throw errors.plan_not_found()
    return { plan }
  }
  return deps.db.transact(caller.businessId, read, { isSnapshot: true })
}

export async function plansPage(
  deps: RecurringDependencies,
  caller: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<object> {
  const { timeZone } = await deps.businesses.profile(caller.businessId)
  const condition = filter === undefined ? sql`true` : filterCondition(filter, PLAN_FIELDS, timeZone)
  const read = async (tx: Tx): Promise<object> => {
    const ids = await listPlanIds(tx, condition, request)
    const plans = await loadPlans(tx, { planIds: ids })
    const found = ids.flatMap((id) => plans.get(id) ?? [])
    const shown = await renderPlans(deps, tx, found, () => tx.now)
    const { rows, page } = renderPage(
      request,
      found,
      ({ plan }) => ({ at: plan.createdAt, id: plan.id }),
      ({ plan }) => shown.get(plan.id) ?? {},
    )
    return { plans: rows, page }
  }
  return deps.db.transact(caller.businessId, read, { isSnapshot: true, isSearch: filter !== undefined })
}
