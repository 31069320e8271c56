import type { Money } from '#kernel/money'
import type { Instant } from '#kernel/clock'
import { findCycleItems, findScheduledChanges, loadPlans, previewOrders } from '#modules/plans'
import type { TaxAnswers } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'

export interface NextBill {
  readonly at: Instant
  readonly total: Money
}

/** The next order of each plan that bills, as if nothing changes until then. */
export async function readNextBills(
  tx: Tx,
  planIds: readonly string[],
  answers: TaxAnswers,
): Promise<ReadonlyMap<string, NextBill>> {
  if (planIds.length === 0) return new Map()
  const [plans, items] = await Promise.all([
    loadPlans(tx, { planIds, answers }),
    findCycleItems(tx, [...planIds]),
  ])
  const scheduled = await findScheduledChanges(tx, plans)
  const bills = [...plans.values()].flatMap((aggregate): [string, NextBill][] => {
    const { id, nextExecuteAt, paused } = aggregate.plan
    if (nextExecuteAt === null || paused) return []
    const [next] = previewOrders(aggregate, items.get(id) ?? [], 1, scheduled.get(id))
    return next === undefined ? [] : [[id, { at: next.start, total: next.billed.total }]]
  })
  answers.requireAll()
  return new Map(bills)
}
