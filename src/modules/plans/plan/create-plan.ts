import type { Caller } from '#platform/caller'
import { SILENCE } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import { once } from '#platform/idempotency/idempotency'
import { insertTerms } from '#platform/search/term-index'
import { RECURRING_JOB } from '../job-names.ts'
import { loadPlans } from '../storage/plan-aggregate.repository.ts'
import { withDue } from '../timeline/timeline.ts'
import type { PlanView, PlansContext } from '../context.ts'
import { redeem } from '../coupons/redeem-coupons.ts'
import { insertPlanCoupons } from '../storage/plan-coupon.repository.ts'
import { type PlanAggregate, withEvent } from '../model/plan.ts'
import {
  findPlanIdByReference,
  insertCycleItems,
  insertCycles,
  insertPlan,
} from '../storage/plan.repository.ts'
import { couponsOfDraft, draftPlan } from './draft-plan.ts'
import type { NewPlan } from '../model/plan-requests.ts'
import { storeConfigs, withStoredConfigs } from './read-configs.ts'
import { recordPlanEvents } from './save-plans.ts'
import { viewPlan } from './view-plans.ts'
import { PLAN_NAMES } from '../storage/search.repository.ts'

/** - `isExisting`: A plan with the reference number was created before, and nothing has changed. */
export interface CreatedPlan {
  readonly view: PlanView
  readonly isExisting: boolean
}

export async function createPlan(ctx: PlansContext, caller: Caller, request: NewPlan): Promise<CreatedPlan> {
  const { timeZone } = await ctx.businesses.profile(caller.businessId)
  return once(ctx.db, caller, async (tx) => {
    const existing = await existingPlan(ctx, tx, request)
    if (existing !== undefined) return existing
    const draft = await draftPlan(ctx, tx, timeZone, request, SILENCE, ctx.customers.holdCustomers)
    const planned = withEvent(withDue(draft.aggregate, tx.now), { type: 'plan.created' })
    // A concurrent creation with the same reference waits here for the first, which may take a coupon's last redemption.
    if (!(await insertPlan(tx, planned.plan))) {
      const created = await existingPlan(ctx, tx, request)
      if (created === undefined) throw new Error(`plan ${request.reference_number} is gone`)
      return created
    }
    const aggregate = { ...planned, coupons: await couponsOfDraft(tx, draft, request) }
    await attachCoupons(tx, aggregate)
    insertTerms(tx, PLAN_NAMES, [aggregate.plan.id])
    const stored = await storeConfigs(tx, draft.newConfigs)
    const complete = { ...aggregate, cycles: withStoredConfigs(aggregate.cycles, stored) }
    await insertCycles(tx, complete.cycles)
    await insertCycleItems(
      tx,
      complete.cycles.map((cycle) => ({ cycle, items: draft.items[cycle.position] ?? [] })),
    )
    await scheduleJob(tx, RECURRING_JOB, aggregate.plan.due?.at ?? aggregate.plan.startAt)
    const [view] = await recordPlanEvents(ctx, tx, [complete], () => tx.now)
    if (view === undefined) throw new Error(`plan ${aggregate.plan.id} has no event`)
    return { view, isExisting: false }
  })
}

async function attachCoupons(tx: Tx, { plan, coupons }: PlanAggregate): Promise<void> {
  const redeemed = coupons.map((coupon) => ({ coupon, param: `plan.coupons[${coupon.position}]` }))
  await redeem(tx, redeemed)
  tx.defer(
    insertPlanCoupons(
      tx,
      coupons.map((coupon) => ({ ...coupon, planId: plan.id })),
    ),
  )
}

async function existingPlan(ctx: PlansContext, tx: Tx, request: NewPlan): Promise<CreatedPlan | undefined> {
  if (request.reference_number === undefined) return undefined
  const id = await findPlanIdByReference(tx, request.reference_number)
  if (id === undefined) return undefined
  const aggregate = (await loadPlans(tx, { planIds: [id] })).get(id)
  if (aggregate === undefined) throw new Error(`plan ${id} is gone`)
  return { view: await viewPlan(ctx, tx, aggregate, tx.now), isExisting: true }
}
