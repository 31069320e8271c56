import { earliestOf, type Instant, isAfter, laterOf } from '#kernel/clock'

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
const LONGEST_STEP_HOURS = 22

/**
 * What is to be done next on the way to `target`; undefined when nothing is due until then.
 * @param dues when each kind of work is due next; null for nothing
 */
export function nextStep(dues: readonly (Instant | null)[], target: Instant): Step | undefined {
  const at = earliestOf(dues)
  if (at === null || isAfter(at, target)) return undefined
  const parts: StepPart[] = []
  for (const [kind, due] of dues.entries()) {
    if (due === null || isAfter(due, at)) continue
    parts.push({ kind, until: untilOf(kind, at, dues, target) })
  }
  return { at, parts }
}

/** Until just before another kind has something to do, for what a kind does may change what the others find. */
function untilOf(kind: number, at: Instant, dues: readonly (Instant | null)[], target: Instant): Instant {
  const others = earliestOf(dues.map((due, index) => (index === kind ? null : due)))
  const bounds = [target, at.add({ hours: LONGEST_STEP_HOURS })]
  if (others !== null) bounds.push(others.subtract({ microseconds: 1 }))
  return laterOf(earliestOf(bounds) ?? at, at)
}
