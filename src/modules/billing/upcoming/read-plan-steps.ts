import type { Tx } from '#platform/postgres/database'
import { catalogueErrors as errors } from '#modules/catalogue'
import { findCycleItems, findScheduledChanges, isOpen, loadPlans, referenceOf } from '#modules/plans'
import { collectionSteps, type PlanStep, planSteps } from './plan-steps.ts'

export interface PlanWithSteps {
  readonly steps: readonly PlanStep[]
  readonly openOrderIds: readonly string[]
  readonly lastSuffix: number
  readonly referenceOf: (suffix: number) => string
}

export async function readPlanSteps(tx: Tx, planId: string): Promise<PlanWithSteps> {
  const [plans, items] = await Promise.all([
    loadPlans(tx, { planIds: [planId] }),
    findCycleItems(tx, [planId]),
  ])
  const aggregate = plans.get(planId)
  if (aggregate === undefined) throw errors.plan_not_found()
  const { plan } = aggregate
  const scheduled = await findScheduledChanges(tx, plans)
  return {
    steps: planSteps(aggregate, items.get(planId) ?? [], tx.now, scheduled.get(planId)),
    openOrderIds: aggregate.orders.filter(isOpen).map(({ orderId }) => orderId),
    lastSuffix: plan.lastSuffix,
    referenceOf: (suffix) => referenceOf(plan, suffix),
  }
}

export async function readOrderSteps(
  tx: Tx,
  { planId, orderId }: { readonly planId: string; readonly orderId: string },
): Promise<PlanStep[]> {
  const aggregate = (await loadPlans(tx, { planIds: [planId] })).get(planId)
  const order = aggregate?.orders.find((candidate) => candidate.orderId === orderId)
  return aggregate === undefined || order === undefined ? [] : collectionSteps(aggregate, order, tx.now)
}
