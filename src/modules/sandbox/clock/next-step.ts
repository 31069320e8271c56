import { earliestOf, type Instant, isAfter, laterOf } from '#kernel/clock'
import type { Job } from '#platform/jobs/jobs'

/** One step of an advance: the clock is frozen at `at`, and each job runs what is due up to its `until`. */
export interface Step {
  readonly at: Instant
  readonly parts: readonly StepPart[]
}

export interface StepPart {
  readonly job: number
  readonly until: Instant
}

/**
 * How far ahead one run may work, so that hundreds of items due on the same day form one batch. It is less than the shortest
 * interval at which an item recurs (a day of 23 hours), so that no plan is billed twice before its first attempt.
 */
const MAX_STEP_HOURS = 22

export interface NextDue {
  readonly at: Instant | null
  readonly domain: Job['domain'] | undefined
}

/** Undefined if nothing is due up to and including `target`. */
export function nextStep(dues: readonly NextDue[], target: Instant): Step | undefined {
  const at = earliestOf(dues.map((due) => due.at))
  if (at === null || isAfter(at, target)) return undefined
  const parts: StepPart[] = []
  for (const [job, due] of dues.entries()) {
    if (due.at === null || isAfter(due.at, at)) continue
    const others = dues.filter((other) => other !== due && mayInteract(due, other))
    parts.push({ job, until: untilOf(at, others, target) })
  }
  return { at, parts }
}

/** Ends just before an interacting job is due, because one job may change what the other finds. */
function untilOf(at: Instant, others: readonly NextDue[], target: Instant): Instant {
  const next = earliestOf(others.map((other) => other.at))
  const bounds = [target, at.add({ hours: MAX_STEP_HOURS })]
  if (next !== null) bounds.push(next.subtract({ microseconds: 1 }))
  return laterOf(earliestOf(bounds) ?? at, at)
}

function mayInteract(one: NextDue, other: NextDue): boolean {
  return one.domain === undefined || other.domain === undefined || one.domain === other.domain
}
