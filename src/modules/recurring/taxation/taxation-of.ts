import type { Instant } from '#kernel/clock'
import { localDateOf } from '#kernel/time-zone'
import { decideTreatment, type TaxedAs } from '#modules/taxes'
import type { CycleItem } from '../model/catalogue.ts'
import type { PlanAggregate } from '../model/plan.ts'
import type { Taxation } from './tax-lines.ts'

export function taxationOf(
  { plan, taxGround }: Pick<PlanAggregate, 'plan' | 'taxGround'>,
  at: Instant,
): Taxation | null {
  return taxGround && { ground: taxGround, date: localDateOf(at, plan.zone).toString() }
}

/** How a charge of an item is taxed, which its credit will be, too. */
export function treatmentOf(
  taxation: Taxation | null,
  cycleItem: CycleItem | undefined,
): { readonly taxedAs?: TaxedAs } {
  if (taxation === null || cycleItem === undefined) return {}
  return { taxedAs: decideTreatment(taxation.ground, cycleItem.item.taxCategory, taxation.date) }
}
