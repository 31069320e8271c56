import { earliestOf, type Instant, isAfter, laterOf } from '#kernel/clock'
import type { Job } from '#platform/jobs/jobs'

/** Part of an advance: the clock stands at `at`, and kind after kind does what is due until its `until`. */
export interface Step {
  readonly at: Instant
  /** The kinds that have something due at `at`, in the order in which they are registered. */
  readonly parts: readonly StepPart[]
}

export interface StepPart {
  /** Which kind, as its index. */
  readonly kind: number
  readonly until: Instant
}

/**
 * How far one kind may go ahead in one run, so that hundreds of items that are due on one day are one
 * batch. Less than any interval at which an item of ours comes back (a day of 23 hours), so that no plan
 * is billed twice before its first attempt was made.
 */
const MAX_STEP_HOURS = 22

/** When a kind of work is due next; null for never. */
export interface Due {
  readonly at: Instant | null
  readonly of: Job['domain'] | undefined
}

/** What is to be done next on the way to `target`; undefined when nothing is due until then. */
export function nextStep(dues: readonly Due[], target: Instant): Step | undefined {
  const at = earliestOf(dues.map((due) => due.at))
  if (at === null || isAfter(at, target)) return undefined
  const parts: StepPart[] = []
  for (const [kind, due] of dues.entries()) {
    if (due.at === null || isAfter(due.at, at)) continue
    const others = dues.filter((other) => other !== due && meet(due, other))
    parts.push({ kind, until: untilOf(at, others, target) })
  }
  return { at, parts }
}

/** Until just before another kind that it meets has something to do, for what a kind does may change what that one finds. */
function untilOf(at: Instant, others: readonly Due[], target: Instant): Instant {
  const next = earliestOf(others.map((other) => other.at))
  const bounds = [target, at.add({ hours: MAX_STEP_HOURS })]
  if (next !== null) bounds.push(next.subtract({ microseconds: 1 }))
  return laterOf(earliestOf(bounds) ?? at, at)
}

function meet(one: Due, other: Due): boolean {
  return one.of === undefined || other.of === undefined || one.of === other.of
}
