import type { Instant } from '#kernel/clock'
import {
  type ChangeGround,
  type ChangeRefusal,
  decideCycleChange,
  type DecidedChange,
  decidePlanChange,
  type PlanAggregate,
} from '#modules/plans'
import type { PlanChangeRequest } from './change-request.ts'
import { type ChangeRequestRefusal, type NamedByChange, type ReadChange, readChange } from './read-change.ts'

/** A change that one plan or many are to get. */
interface RequestedChange {
  readonly request: PlanChangeRequest
  readonly named: NamedByChange
}

export interface DecidedPlan {
  readonly before: PlanAggregate
  readonly change: DecidedChange
  readonly read: ReadChange
  readonly at: Instant
}

export function decideChange(
  ground: ChangeGround,
  { request, named }: RequestedChange,
): DecidedPlan | ChangeRequestRefusal | ChangeRefusal {
  const { aggregate: before, items, now: at } = ground
  const read = readChange(named, request, before, items)
  if ('refused' in read) return read
  const { wanted, cyclePosition } = read
  const change =
    cyclePosition === null
      ? decidePlanChange(ground, wanted)
      : decideCycleChange(ground, cyclePosition, wanted)
  return 'refused' in change ? change : { before, change, read, at }
}
