import type { Instant } from '#kernel/clock'
import { localDateOf } from '#kernel/time-zone'
import type { PlanAggregate } from '../model/plan.ts'
import type { Taxation } from './tax-lines.ts'

export function taxationOf(
  { plan, taxGround }: Pick<PlanAggregate, 'plan' | 'taxGround'>,
  at: Instant,
): Taxation | null {
  return taxGround && { ground: taxGround, date: localDateOf(at, plan.zone).toString() }
}
