import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { filterCondition } from '#platform/filter/filter-condition'
import { type Page, type PageRequest, renderPage } from '#platform/http/validation/list'
import type { PlanView, PlansContext } from '../context.ts'
import { catalogueErrors as errors } from '#modules/catalogue'
import type { PlanAggregate } from '../model/plan.ts'
import { listPlanKeys, PLAN_FIELDS } from '../storage/plan.repository.ts'
import { loadPlans, type PlanSelection } from '../storage/plan-aggregate.repository.ts'
import { viewPlan, viewPlans } from './view-plans.ts'

/** - `param`: The member of the body that holds the id, if the path does not. */
export async function requirePlan(
  tx: Tx,
  id: string,
  { param, ...how }: Pick<PlanSelection, 'lock' | 'answers'> & { readonly param?: string } = {},
): Promise<PlanAggregate> {
  const aggregate = (await loadPlans(tx, { planIds: [id], ...how })).get(id)
  if (aggregate === undefined) throw errors.plan_not_found(param === undefined ? {} : { param })
  return aggregate
}

export async function planById(ctx: PlansContext, caller: Caller, id: string): Promise<PlanView> {
  const read = async (tx: Tx) => {
    return viewPlan(ctx, tx, await requirePlan(tx, id), tx.now)
  }
  return ctx.db.transact(caller.businessId, read, { isSnapshot: true })
}

export async function plansOfPage(
  ctx: PlansContext,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<PlanView[]> {
  const condition = await conditionOf(ctx, businessId, filter)
  const read = async (tx: Tx) => {
    const ids = (await listPlanKeys(tx, condition, request)).map(({ id }) => id)
    const plans = await loadPlans(tx, { planIds: ids, bills: false })
    const found = ids.flatMap((id) => plans.get(id) ?? [])
    return viewPlans(ctx, tx, found, () => tx.now)
  }
  return ctx.db.transact(businessId, read, { isSnapshot: true, isSearch: filter !== undefined })
}

export async function planIdsOfPage(
  ctx: PlansContext,
  { businessId }: Caller,
  filter: string,
  request: PageRequest,
): Promise<{ ids: string[]; page: Page }> {
  const condition = await conditionOf(ctx, businessId, filter)
  const read = (tx: Tx) => listPlanKeys(tx, condition, request)
  const found = await ctx.db.transact(businessId, read, { isSearch: true })
  const { rows, page } = renderPage(
    request,
    found,
    (key) => key,
    ({ id }) => ({ id }),
  )
  return { ids: rows.map(({ id }) => id), page }
}

async function conditionOf(ctx: PlansContext, businessId: string, filter: string | undefined) {
  const { timeZone } = await ctx.businesses.profile(businessId)
  return filterCondition(filter, PLAN_FIELDS, timeZone)
}
