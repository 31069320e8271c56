import { partsOf, without } from './narrow.ts'
import type { Round, SystemPlan } from './plan.ts'

/**
 * Leaves out one part of a failing plan after the other (kinds of actors and faults, businesses, and then halves of
 * the faults) as long as it still fails. Returns a plan that fails, and not always the smallest one.
 */
export async function shrink(
  plan: SystemPlan,
  fails: (smaller: SystemPlan) => Promise<boolean>,
): Promise<SystemPlan> {
  let smallest = plan
  const tryRounds = async (rounds: readonly Round[]): Promise<boolean> => {
    const smaller = { ...smallest, rounds }
    const stillFails = await fails(smaller)
    if (stillFails) smallest = smaller
    return stillFails
  }
  for (const part of partsOf(plan)) {
    await tryRounds(smallest.rounds.map((round) => without(round, (one) => one === part)))
  }
  for (
    let size = Math.ceil(countFaults(smallest) / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = 0; from < countFaults(smallest);) {
      if (!(await tryRounds(withoutFaults(smallest.rounds, from, from + size)))) from += size
    }
  }
  return smallest
}

function countFaults({ rounds }: SystemPlan): number {
  return rounds.reduce((count, { faults }) => count + faults.length, 0)
}

/** Counts faults over all rounds. */
function withoutFaults(rounds: readonly Round[], from: number, to: number): Round[] {
  let index = 0
  return rounds.map((round) => ({
    ...round,
    faults: round.faults.filter(() => {
      const at = index++
      return at < from || at >= to
    }),
  }))
}
