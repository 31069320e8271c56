import { billingConfigKey } from '#kernel/billing-config'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import { SuccessWithMessage } from '#platform/envelope'
import { once } from '#platform/idempotency/idempotency'
import { insertTerms } from '#platform/search/term-index'
import { configOfRule } from '../catalogue/catalogue.repository.ts'
import { RECURRING_JOB } from '../job-names.ts'
import { loadPlans } from '../storage/plan-aggregate.repository.ts'
import type { RecurringDependencies } from '../dependencies.ts'
import { type PlanAggregate, withEvent } from './plan.ts'
import { findPlanIdByReference, insertCycles, insertPlan } from '../storage/plan.repository.ts'
import { type PlanDraft, readPlan } from './read-plan.ts'
import { withDue } from '../storage/save-plans.ts'
import type { NewPlan } from '../api/schemas.ts'
import { recordPlanEvents } from '../storage/record-plan-events.ts'
import { renderPlans } from '../storage/render-plans.ts'
import { PLAN_NAMES } from '../storage/search.repository.ts'

export async function createPlan(
  deps: RecurringDependencies,
  caller: Caller,
  request: NewPlan,
): Promise<object> {
  const { timeZone } = await deps.businesses.profile(caller.businessId)
  return once(deps.db, caller, async (tx) => {
    const existing = await existingPlan(deps, tx, request)
    if (existing !== undefined) return existing
    const draft = await readPlan(deps, tx, timeZone, request)
    const aggregate = withEvent(withDue(draft.aggregate, tx.now), { type: 'plan.created' })
    // A concurrent creation with the same reference waits here for the first.
    if (!(await insertPlan(tx, aggregate.plan))) {
      const created = await existingPlan(deps, tx, request)
      if (created === undefined) throw new Error(`plan ${request.reference_number} is gone`)
      return created
    }
    insertTerms(tx, PLAN_NAMES, [aggregate.plan.id])
    const complete = { ...aggregate, cycles: await withStoredConfigs(tx, aggregate, draft) }
    await insertCycles(tx, complete.cycles, draft.items)
    await scheduleJob(tx, RECURRING_JOB, aggregate.plan.startAt)
    const shown = await recordPlanEvents(deps, tx, [complete], () => tx.now)
    return { plan: shown.get(aggregate.plan.id) ?? {} }
  })
}

async function existingPlan(
  deps: RecurringDependencies,
  tx: Tx,
  request: NewPlan,
): Promise<SuccessWithMessage | undefined> {
  if (request.reference_number === undefined) return undefined
  const id = await findPlanIdByReference(tx, request.reference_number)
  if (id === undefined) return undefined
  const plans = [...(await loadPlans(tx, { planIds: [id] })).values()]
  const shown = await renderPlans(deps, tx, plans, () => tx.now)
  return new SuccessWithMessage('plan has been created', { plan: shown.get(id) ?? {} })
}

/** Another plan may have stored the config of the same rule meanwhile. */
async function withStoredConfigs(
  tx: Tx,
  aggregate: PlanAggregate,
  draft: PlanDraft,
): Promise<PlanAggregate['cycles']> {
  const stored = new Map<string, PlanAggregate['cycles'][number]['config']>()
  for (const [key, config] of draft.newConfigs) stored.set(key, await configOfRule(tx, config, key))
  const newIds = new Set([...draft.newConfigs.values()].map((config) => config.id))
  return aggregate.cycles.map((cycle) => {
    if (!newIds.has(cycle.config.id)) return cycle
    return { ...cycle, config: stored.get(billingConfigKey(cycle.config)) ?? cycle.config }
  })
}
