import { billingConfigKey } from '#kernel/billing-config'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import { Answer } from '#platform/http/routes/route'
import { once } from '#platform/idempotency/idempotency'
import { configOfRule } from '../catalogue/catalogue.repository.ts'
import { RECURRING_DUE } from '../job-kinds.ts'
import { loadLives } from '../storage/life.repository.ts'
import type { RecurringDependencies } from '../dependencies.ts'
import { type Life, withEvent } from './plan.ts'
import { findPlanIdByReference, insertCycles, insertPlan } from '../storage/plan.repository.ts'
import { type PlanDraft, readPlan } from './read-plan.ts'
import { withDue } from '../storage/save-lives.ts'
import type { NewPlan } from '../api/schemas.ts'
import { showPlans, tell } from '../storage/tell.ts'

/**
 * Creates a plan (interface, endpoint 7). A plan with the same reference number is answered as it is, with another
 * message, and nothing is made.
 */
export async function createPlan(
  deps: RecurringDependencies,
  caller: Caller,
  asked: NewPlan,
): Promise<object> {
  const { timeZone } = await deps.businesses.profile(caller.businessId)
  return once(deps.db, caller, async (tx) => {
    const existing = await existingPlan(deps, tx, asked)
    if (existing !== undefined) return existing
    const draft = await readPlan(deps, tx, timeZone, asked)
    const life = withEvent(withDue(draft.life, tx.now), { type: 'plan.created' })
    // Two callers may come with one reference at the same time: the second waits here for the first.
    if (!(await insertPlan(tx, life.plan))) {
      const made = await existingPlan(deps, tx, asked)
      if (made === undefined) throw new Error(`plan ${asked.reference_number} is gone`)
      return made
    }
    const complete = { ...life, cycles: await withStoredConfigs(tx, life, draft) }
    await insertCycles(tx, complete.cycles, draft.items)
    await scheduleJob(tx, RECURRING_DUE, life.plan.startAt)
    const shown = await tell(deps, tx, [complete], () => tx.now)
    return { plan: shown.get(life.plan.id) ?? {} }
  })
}

async function existingPlan(
  deps: RecurringDependencies,
  tx: Tx,
  asked: NewPlan,
): Promise<Answer | undefined> {
  if (asked.reference_number === undefined) return undefined
  const id = await findPlanIdByReference(tx, asked.reference_number)
  if (id === undefined) return undefined
  const lives = [...(await loadLives(tx, { planIds: [id] })).values()]
  const shown = await showPlans(deps, tx, lives, () => tx.now)
  return new Answer('plan has been created', { plan: shown.get(id) ?? {} })
}

/** Stores the configs that rules name; another plan may have made one meanwhile. */
async function withStoredConfigs(tx: Tx, life: Life, draft: PlanDraft): Promise<Life['cycles']> {
  const stored = new Map<string, Life['cycles'][number]['config']>()
  for (const [key, config] of draft.newConfigs) stored.set(key, await configOfRule(tx, config, key))
  const made = new Set([...draft.newConfigs.values()].map((config) => config.id))
  return life.cycles.map((cycle) => {
    if (!made.has(cycle.config.id)) return cycle
    return { ...cycle, config: stored.get(billingConfigKey(cycle.config)) ?? cycle.config }
  })
}
