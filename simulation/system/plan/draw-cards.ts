import type { Random } from '../../random.ts'

export type CardStep =
  /** `times` authorizations of this amount are requested at once. */
  | { readonly do: 'authorize'; readonly minor: number; readonly times: number; readonly pauseMs: number }
  | { readonly do: 'capture'; readonly percent: number; readonly isFinal: boolean }
  | { readonly do: 'reverse' }
  | { readonly do: 'refund'; readonly percent: number }
  /** The last authorization is requested again with its reference. */
  | { readonly do: 'repeat' }

export interface CardLife {
  readonly name: string
  readonly atMs: number
  readonly transactionMinor: number
  readonly lifetimeMinor: number
  readonly steps: readonly CardStep[]
}

const STEPS = 12

export function drawCards(
  random: Random,
  prefix: string,
  { orders, roundMs }: { readonly orders: number; readonly roundMs: number },
): CardLife[] {
  return Array.from({ length: Math.ceil(orders / 12) }, (_, index) => {
    const transactionMinor = random.whole(10_000, 100_000)
    return {
      name: `${prefix}c${index}`,
      atMs: random.whole(0, roundMs / 2),
      transactionMinor,
      lifetimeMinor: random.whole(transactionMinor, 5 * transactionMinor),
      steps: Array.from({ length: STEPS }, () => drawStep(random, transactionMinor)),
    }
  })
}

function drawStep(random: Random, transactionMinor: number): CardStep {
  return random.pick([
    () => ({
      do: 'authorize' as const,
      minor: random.whole(100, Math.round(transactionMinor * 1.1)),
      times: random.pick([1, 1, 2, 6]),
      pauseMs: random.whole(0, 1_500),
    }),
    () => ({ do: 'authorize' as const, minor: random.whole(100, transactionMinor), times: 1, pauseMs: 0 }),
    () => ({ do: 'capture' as const, percent: random.whole(1, 120), isFinal: random.chance(0.5) }),
    () => ({ do: 'reverse' as const }),
    () => ({ do: 'refund' as const, percent: random.whole(1, 100) }),
    () => ({ do: 'repeat' as const }),
  ])()
}
