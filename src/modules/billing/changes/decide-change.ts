import type { Instant } from '#kernel/clock'
import {
  type ChangeGround,
  type ChangeRefusal,
  decideCycleChange,
  type DecidedChange,
  decidePlanChange,
  type PlanAggregate,
} from '#modules/plans'
import type { ReadChange } from './read-change.ts'

export interface DecidedPlan {
  readonly before: PlanAggregate
  readonly change: DecidedChange
  readonly read: ReadChange
  readonly at: Instant
}

export function decideChange(ground: ChangeGround, read: ReadChange): DecidedPlan | ChangeRefusal {
  const { wanted, cyclePosition } = read
  const change =
    cyclePosition === null
      ? decidePlanChange(ground, wanted)
      : decideCycleChange(ground, cyclePosition, wanted)
  return 'refused' in change ? change : { before: ground.aggregate, change, read, at: ground.now }
}
