import { earliestOf, type Instant, isAfter, laterOf } from '#kernel/clock'
import type { Job } from '#platform/jobs/jobs'

/**
 * One step of an advance: the clock is frozen at `at`, and each job runs what is due up to its `until`. Until `quietUntil` nothing
 * is due but jobs that wait for outcomes.
 */
export interface Step {
  readonly at: Instant
  readonly quietUntil: Instant
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
  readonly waitsForOutcomes: boolean
}

export function nextStep(dues: readonly NextDue[], target: Instant): Step | undefined {
  const at = earliestOf(dues.map((due) => due.at))
  if (at === null || isAfter(at, target)) return undefined
  const parts: StepPart[] = []
  for (const [job, due] of dues.entries()) {
    if (due.at === null || isAfter(due.at, at)) continue
    const others = dues.filter((other) => other !== due && mayInteract(due, other))
    parts.push({ job, until: untilOf(at, others, target) })
  }
  const others = dues.filter(({ waitsForOutcomes }) => !waitsForOutcomes)
  return { at, parts, quietUntil: laterOf(beforeOthers(others, target), at) }
}

/** Ends just before an interacting job is due, because one job may change what the other finds. */
function untilOf(at: Instant, others: readonly NextDue[], target: Instant): Instant {
  const bounds = [beforeOthers(others, target), at.add({ hours: MAX_STEP_HOURS })]
  return laterOf(earliestOf(bounds) ?? at, at)
}

function beforeOthers(others: readonly NextDue[], target: Instant): Instant {
  const next = earliestOf(others.map((other) => other.at))
  if (next === null || isAfter(next, target)) return target
  return next.subtract({ microseconds: 1 })
}

function mayInteract(one: NextDue, other: NextDue): boolean {
  return one.domain === undefined || other.domain === undefined || one.domain === other.domain
}
