import type { Instant } from '#kernel/clock'
import type { LockedOrders, Order } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import { createPlanOrders } from '../../orders/create-plan-order.ts'
import {
  type DecidedChange,
  orderCredited,
  type PlanAggregate,
  type PlanView,
  recordPlanEvents,
  replaceCycles,
  type ReplacedPlan,
  savePlans,
  storeConfigs,
  withDue,
  withPlan,
  withStoredConfigs,
} from '#modules/plans'
import type { BillingContext } from '../../context.ts'
import type { DecidedPlan } from '../decide-change.ts'

interface SavedChange {
  readonly change: DecidedChange
  readonly aggregate: PlanAggregate
  readonly view: PlanView | undefined
  readonly order: Order | undefined
  readonly at: Instant
}

/**
 * Saves changes with the same number of statements for any number of plans. A plan's own events come first, then the events of
 * credited orders, then the events of the new order.
 */
export async function saveChanges(
  ctx: BillingContext,
  tx: Tx,
  decided: readonly DecidedPlan[],
  locked: LockedOrders,
): Promise<SavedChange[]> {
  const changes = await withStoredConfigsOf(tx, decided)
  const times = new Map(decided.map(({ before, at }) => [before.plan.id, at]))
  const timeOf = ({ plan }: PlanAggregate) => times.get(plan.id) ?? tx.now
  await replaceCycles(
    tx,
    changes.flatMap(({ aggregate, items, replaced }): ReplacedPlan[] =>
      replaced === null ? [] : [{ aggregate, items, replaced }],
    ),
  )
  const plans = changes.map(({ aggregate }) => withDue(aggregate, timeOf(aggregate)))
  await recordPlanEvents(ctx, tx, plans, timeOf)
  const credited = await creditOrders(
    changes.map(({ aggregate, credits }) => ({
      aggregate: { ...aggregate, events: [] },
      credits,
      at: timeOf(aggregate),
    })),
    locked,
  )
  const bills = changes.flatMap(({ order: bill }, index) => {
    const aggregate = credited[index]
    return bill === null || aggregate === undefined ? [] : [{ aggregate, bill, at: timeOf(aggregate) }]
  })
  const ordered = new Map(
    (await createPlanOrders(ctx, tx, bills)).map((one) => [one.aggregate.plan.id, one] as const),
  )
  const { saved, views } = await savePlans(
    ctx,
    tx,
    decided.map(({ before, at }, index) => {
      const after = ordered.get(before.plan.id)?.aggregate ?? credited[index] ?? before
      return { before, after, at }
    }),
  )
  const viewOf = new Map(views.map((view) => [view.aggregate.plan.id, view]))
  return saved.flatMap((aggregate, index): SavedChange[] => {
    const change = changes[index]
    if (change === undefined) return []
    const { id } = aggregate.plan
    return [{ change, aggregate, view: viewOf.get(id), order: ordered.get(id)?.order, at: timeOf(aggregate) }]
  })
}

interface PlanCredits {
  readonly aggregate: PlanAggregate
  readonly credits: DecidedChange['credits']
  readonly at: Instant
}

export async function creditOrders(
  plans: readonly PlanCredits[],
  locked: LockedOrders,
  refund?: Parameters<LockedOrders['credit']>[2],
): Promise<PlanAggregate[]> {
  const credits = plans.flatMap((plan) => plan.credits.map((credit) => ({ ...credit, at: plan.at })))
  if (credits.length === 0 && refund === undefined) return plans.map(({ aggregate }) => aggregate)
  const callbackUrls = new Map(
    plans.flatMap(({ aggregate: { plan, orders } }): [string, string][] => {
      const { callbackUrl } = plan
      return callbackUrl === null ? [] : orders.map(({ orderId }) => [orderId, callbackUrl])
    }),
  )
  const orders = await locked.credit(credits, { module: 'recurring', callbackUrls }, refund)
  return plans.map(({ aggregate: before, credits: ofPlan, at }) => {
    let aggregate = before
    for (const { orderId } of ofPlan) {
      const state = orders.get(orderId)?.order.state
      if (state === 'completed' || state === 'voided') {
        aggregate = orderCredited(aggregate, orderId, state === 'voided' ? 'voided' : 'paid', at)
      }
    }
    return aggregate
  })
}

export async function withStoredConfigsOf(tx: Tx, decided: readonly DecidedPlan[]): Promise<DecidedChange[]> {
  const newConfigs = new Map(decided.flatMap(({ read }) => [...read.newConfigs]))
  const stored = await storeConfigs(tx, newConfigs)
  return decided.map(({ change }) => (stored.size === 0 ? change : withStoredConfig(change, stored)))
}

function withStoredConfig(
  change: DecidedChange,
  stored: Awaited<ReturnType<typeof storeConfigs>>,
): DecidedChange {
  const { aggregate } = change
  const { pendingChange } = aggregate.plan
  const config = stored.get(pendingChange?.rhythm?.configId ?? '')
  const cycles = withStoredConfigs(aggregate.cycles, stored)
  if (pendingChange?.rhythm == null || config === undefined) {
    return { ...change, aggregate: { ...aggregate, cycles } }
  }
  const rhythm = { ...pendingChange.rhythm, configId: config.id }
  const plan = { pendingChange: { ...pendingChange, rhythm } }
  return { ...change, aggregate: withPlan({ ...aggregate, cycles }, plan) }
}
