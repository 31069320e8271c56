import sql from 'sql-template-tag'
import type { Tx } from '#platform/postgres/database'
import { rowsAs } from '#platform/postgres/rows'
import type { PlanItems, ReplacedCycles, ScheduledChange } from '../model/plan-items.ts'
import { type CycleItem, findConfigs, findOfferedItems } from '#modules/catalogue'
import type { Plan, PlanAggregate } from '../model/plan.ts'
import { insertCycleItems, insertCycles } from './plan.repository.ts'
import { PLANS } from './plan.table.ts'

const CHANGES = PLANS.only('pendingChange', 'pendingLines', 'changedPeriod', 'cancellation')
const changedPlans = PLANS.only(
  'id',
  'pendingChange',
  'pendingLines',
  'changedPeriod',
  'cancellation',
).rowsAs('c')

/** Most plans have none of these, and cost no statement. */
export async function updatePlanChanges(tx: Tx, plans: readonly Plan[]): Promise<void> {
  if (plans.length === 0) return
  await tx.execute(sql`
    update recurring_plans p
       set ${CHANGES.setFrom('c')}
      from ${changedPlans(plans)}
     where p.business_id = ${tx.businessId} and p.id = c.id`)
}

export function isChangeDifferent(a: Plan, b: Plan): boolean {
  return (
    a.pendingChange !== b.pendingChange ||
    a.pendingLines !== b.pendingLines ||
    a.changedPeriod !== b.changedPeriod ||
    a.cancellation !== b.cancellation
  )
}

export interface ReplacedPlan {
  readonly aggregate: PlanAggregate
  readonly items: PlanItems
  readonly replaced: ReplacedCycles
}

const replacedFrom = rowsAs<ReplacedPlan>('r', {
  plan_id: ['text', (r) => r.aggregate.plan.id],
  position: ['integer', (r) => r.replaced.from],
  is_rhythm: ['boolean', (r) => r.replaced.isRhythm],
})

/** Writes new items of cycles, and new cycles with those that move behind them. None of these cycles has started. */
export async function replaceCycles(tx: Tx, plans: readonly ReplacedPlan[]): Promise<void> {
  if (plans.length === 0) return
  await tx.execute(sql`
    delete from recurring_cycle_items i using ${replacedFrom(plans)}
     where i.business_id = ${tx.businessId} and i.plan_id = r.plan_id
       and (i.cycle_position = r.position or r.is_rhythm and i.cycle_position > r.position)`)
  const rhythms = plans.filter(({ replaced }) => replaced.isRhythm)
  if (rhythms.length > 0) {
    await tx.execute(sql`
      delete from recurring_cycles y using ${replacedFrom(rhythms)}
       where y.business_id = ${tx.businessId} and y.plan_id = r.plan_id and y.position >= r.position`)
  }
  await insertCycles(
    tx,
    rhythms.flatMap(({ aggregate, replaced }) => aggregate.cycles.slice(replaced.from)),
  )
  await insertCycleItems(
    tx,
    plans.flatMap(({ aggregate, items, replaced: { from, isRhythm } }) => {
      const cycles = isRhythm ? aggregate.cycles.slice(from) : aggregate.cycles.slice(from, from + 1)
      return cycles.map((cycle) => ({ cycle, items: items[cycle.position] ?? [] }))
    }),
  )
}

/** Reads what the pending changes of plans refer to. Without one it asks nothing. */
export async function findScheduledChanges(
  tx: Tx,
  plans: ReadonlyMap<string, PlanAggregate>,
): Promise<Map<string, ScheduledChange>> {
  const pending = [...plans.values()].flatMap(({ plan: { id, pendingChange } }) =>
    pendingChange === null ? [] : [{ id, ...pendingChange }],
  )
  if (pending.length === 0) return new Map()
  const [items, configs] = await Promise.all([
    findOfferedItems(
      tx,
      pending.flatMap((change) => change.items.map(({ itemId }) => itemId)),
    ),
    findConfigs(
      tx,
      pending.flatMap(({ rhythm }) => rhythm?.configId ?? []),
    ),
  ])
  return new Map(
    pending.map(({ id, items: wanted, rhythm }) => [
      id,
      {
        items: wanted.flatMap(({ itemId, quantity }): CycleItem[] => {
          const found = items.get(itemId)
          return found === undefined ? [] : [{ item: found.item, quantity }]
        }),
        config: configs.get(rhythm?.configId ?? '') ?? null,
      },
    ]),
  )
}
