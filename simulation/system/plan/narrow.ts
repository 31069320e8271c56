import type { Round, SystemPlan } from './plan.ts'

/**
 * Returns the names of the parts of a plan: kinds of actors, kinds of faults, `chain`, and each business as
 * `business 0`.
 */
export function partsOf({ rounds }: SystemPlan): string[] {
  const names = rounds.flatMap(({ actors, faults, chain }) => [
    ...actors.flatMap(({ kind, business }) => [kind, `business ${business}`]),
    ...faults.map(({ kind }) => kind),
    ...(chain.length > 0 ? ['chain'] : []),
  ])
  return [...new Set(names)]
}

/** Returns the round without some of its parts. The choices of the other parts stay as they were drawn. */
export function without(round: Round, isLeftOut: (part: string) => boolean): Round {
  return {
    actors: round.actors.filter(
      ({ kind, business }) => !isLeftOut(kind) && !isLeftOut(`business ${business}`),
    ),
    faults: round.faults.filter(({ kind }) => !isLeftOut(kind)),
    chain: isLeftOut('chain') ? [] : round.chain,
  }
}
