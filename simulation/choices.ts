import { Random } from './random.ts'

/** How large a simulation is. */
export interface Size {
  readonly kills: number
  readonly plans: number
  readonly orders: number
  /** How many monthly periods every plan bills. */
  readonly months: number
}

/**
 * What is killed. `service` leaves the database behind as an orphan; `service_in_advance` does so while clock/advance is
 * being answered; `database` leaves the service, which must start it again.
 */
export type Target =
  | 'service'
  | 'service_in_advance'
  | 'service_and_database'
  | 'database'
  | 'simulator'
  | 'everything'

export interface Kill {
  readonly target: Target
  /**
   * When: once this share of the bookings that the whole load needs is in the simulator's books; or so many milliseconds
   * after the service was started again, ready or not.
   */
  readonly when:
    | { readonly on: 'bookings'; readonly share: number }
    | { readonly on: 'start'; readonly ms: number }
  /** Waited after that, so that not every kill follows a booking. */
  readonly jitterMs: number
  /** How long what was killed stays down. */
  readonly downMs: number
}

/** Ten of them are one fair mixture, so that ten kills already have every kind. */
const DECK: readonly Target[] = [
  'service',
  'service',
  'service_in_advance',
  'service_in_advance',
  'service_in_advance',
  'service_and_database',
  'service_and_database',
  'simulator',
  'simulator',
  'everything',
]
/** In place of one of the ten, in every second ten. */
const DATABASE_EVERY = 20

/** Kills in the order in which they come. */
export function chooseKills(seed: number, count: number): Kill[] {
  const random = new Random(seed, 'kills')
  const shares = Array.from({ length: count }, () => random.next()).toSorted((a, b) => a - b)
  const targets: Target[] = []
  while (targets.length < count) targets.push(...random.shuffle(DECK))
  for (let at = DATABASE_EVERY / 2; at < count; at += DATABASE_EVERY) targets[at] = 'database'
  return shares.map((share, index) => {
    const target = targets[index] ?? 'service'
    const follows = index > 0 && killsService(targets[index - 1] ?? 'service')
    const atStart = follows && target !== 'service_in_advance' && killsService(target) && random.chance(0.3)
    return {
      target,
      when: atStart ? { on: 'start', ms: random.whole(50, 2000) } : { on: 'bookings', share },
      jitterMs: random.chance(0.5) ? 0 : random.whole(0, 400),
      downMs: random.chance(0.3) ? 0 : random.whole(0, 1200),
    }
  })
}

export function killsService(target: Target): boolean {
  return target !== 'simulator' && target !== 'database'
}

export function killsDatabase(target: Target): boolean {
  return target === 'database' || target === 'service_and_database' || target === 'everything'
}

export function killsSimulator(target: Target): boolean {
  return target === 'simulator' || target === 'everything'
}

/** The simulator takes no larger one. */
const MAX_FAULT_SEED = 0xffff_ffff

/** The simulator's faults for a while. */
export interface Weather {
  readonly faults: {
    readonly latency_ms: number
    readonly fail_before: number
    readonly fail_after: number
    readonly lose_answer: number
    readonly seed: number
  }
  readonly ms: number
}

/**
 * One weather after the other, without end. In unsteady weather some requests are on their way for much longer than the
 * service waits for them, and what it then asks about them overtakes them: they arrive when their outcome seems known.
 */
export function* chooseWeather(seed: number, timeoutMs: number): Generator<Weather, never> {
  const random = new Random(seed, 'weather')
  for (;;) {
    if (random.chance(0.35)) yield* unsteadyWeather(random, timeoutMs)
    yield steadyWeather(random)
  }
}

function steadyWeather(random: Random): Weather {
  const mostChance = random.pick([0, 0.04, 0.04, 0.04, 0.25])
  return {
    faults: {
      latency_ms: random.pick([0, 1, 5, 20, 60]),
      fail_before: random.next() * mostChance,
      fail_after: random.next() * mostChance,
      lose_answer: random.next() * mostChance,
      seed: random.whole(1, MAX_FAULT_SEED),
    },
    ms: random.whole(300, 3000),
  }
}

/** Slow and quick in turns, each shorter than the service waits. */
function* unsteadyWeather(random: Random, timeoutMs: number): Generator<Weather, void> {
  const turns = random.whole(6, 16)
  for (let turn = 0; turn < turns; turn++) {
    const latencyMs = random.whole(Math.ceil(timeoutMs * 1.05), timeoutMs * 6)
    yield {
      faults: {
        latency_ms: turn % 2 === 0 ? latencyMs : 0,
        fail_before: 0,
        fail_after: 0,
        lose_answer: 0,
        seed: random.whole(1, MAX_FAULT_SEED),
      },
      ms: random.whole(Math.ceil(timeoutMs / 6), Math.ceil(timeoutMs / 2)),
    }
  }
}

/** How a one-off order comes to its end. */
export type Flow = 'sale' | 'capture_in_two' | 'refund_part' | 'refund_whole' | 'void_and_pay_again'

export interface OrderChoice {
  /** It is created once this share of the load's bookings is done. */
  readonly share: number
  readonly currency: 'HKD' | 'JPY' | 'USD'
  /** At least 2 minor units, so that it can be parted. */
  readonly totalMinor: bigint
  /** What the first capture takes, or the refund of a part gives back. */
  readonly partMinor: bigint
  readonly flow: Flow
  /** Whether each answered request is sent a second time with its key. */
  readonly repeats: boolean
}

const FLOWS = [
  'sale',
  'sale',
  'sale',
  'sale',
  'sale',
  'sale',
  'capture_in_two',
  'refund_part',
  'refund_whole',
  'void_and_pay_again',
] as const

export function chooseOrders(seed: number, count: number): OrderChoice[] {
  const random = new Random(seed, 'orders')
  return Array.from({ length: count }, (): OrderChoice => {
    const totalMinor = random.whole(2, 5_000_000)
    return {
      share: random.next() * 0.95,
      currency: random.pick(['HKD', 'HKD', 'USD', 'JPY']),
      totalMinor: BigInt(totalMinor),
      partMinor: BigInt(random.whole(1, totalMinor - 1)),
      flow: random.pick(FLOWS),
      repeats: random.chance(0.2),
    }
  }).toSorted((a, b) => a.share - b.share)
}

/** What a plan's card does when it is charged. */
export type Nature = 'approves' | 'declines' | 'is_stolen'

export interface PlanChoice {
  readonly nature: Nature
  /** Which of the prices. */
  readonly price: number
  /** From the beginning of the simulation's months to the first order. */
  readonly startsAfter: Temporal.Duration
  /** `billing_count` is the months of the simulation; else it runs forever. */
  readonly isBounded: boolean
  readonly gracePeriod: number | null
}

/** Prices of plans, in Hong Kong cents. */
export const PRICES_MINOR = [100n, 9_900n, 12_345n, 25_050n, 99_999n, 1_000_000n] as const

/** Plans start in groups, so that a month has several moments of billing. */
const PLANS_A_GROUP = 250
const MAX_GROUPS = 9
const MIN_GROUPS = 4

export function chooseGroups(plans: number): number {
  return Math.min(MAX_GROUPS, Math.max(MIN_GROUPS, Math.ceil(plans / PLANS_A_GROUP)))
}

export function choosePlans(seed: number, count: number): PlanChoice[] {
  const random = new Random(seed, 'plans')
  const groups = chooseGroups(count)
  return Array.from({ length: count }, (_, index) => ({
    nature: random.chance(0.05) ? random.pick(['declines', 'is_stolen'] as const) : 'approves',
    price: random.whole(0, PRICES_MINOR.length - 1),
    startsAfter: groupStart(index % groups),
    isBounded: random.chance(0.5),
    gracePeriod: random.pick([null, 0, 3]),
  }))
}

/** At most 24 days and some hours, so that every group bills once in each of the months. */
export function groupStart(group: number): Temporal.Duration {
  return Temporal.Duration.from({ hours: 24 * 3 * group + group, minutes: 7 * group })
}

/** A move of the clock. */
export interface Stride {
  /** How far beyond the moment of billing the clock is moved; below zero it stops before it. */
  readonly beyond: Temporal.Duration
  /** How long the clock is then left to run by itself; a billing that it stopped before happens in it. */
  readonly idleMs: number
}

/**
 * What is done at each moment of billing: null when the clock is moved over it on the way to a later one. Some are left
 * to the real clock, so that the work is also done, and killed, outside clock/advance.
 */
export function chooseStrides(seed: number, count: number): (Stride | null)[] {
  const random = new Random(seed, 'strides')
  return Array.from({ length: count }, (_, index) => {
    const isLast = index === count - 1
    const kind = random.next()
    const idleMs = random.whole(0, 300)
    const hours = random.whole(0, 60)
    if (kind < 0.3 && !isLast) return null
    if (kind < 0.7 && !isLast) {
      return { beyond: Temporal.Duration.from({ milliseconds: -500 }), idleMs: 1500 + idleMs }
    }
    return { beyond: Temporal.Duration.from({ hours }), idleMs }
  })
}
