import type { Instant } from '#kernel/clock'
import {
  type ChangeGround,
  decideCycleChange,
  type DecidedChange,
  decidePlanChange,
  type PlanAggregate,
} from '#modules/plans'
import { type NamedByChange, type PlanChangeRequest, type ReadChange, readChange } from './read-change.ts'

export interface DecidedPlan {
  readonly before: PlanAggregate
  readonly change: DecidedChange
  readonly read: ReadChange
  readonly at: Instant
}

export function decideChange(
  ground: ChangeGround,
  named: NamedByChange,
  request: PlanChangeRequest,
): DecidedPlan {
  const { aggregate, items, now } = ground
  const read = readChange(named, request, aggregate, items)
  const { wanted, cyclePosition } = read
  const change =
    cyclePosition === null
      ? decidePlanChange(ground, wanted)
      : decideCycleChange(ground, cyclePosition, wanted)
  return { before: aggregate, change, read, at: now }
}
