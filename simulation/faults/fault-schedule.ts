import { Random } from '../random.ts'

/**
 * What a kill ends. `service` leaves its PostgreSQL behind as an orphan. `service_in_advance` does the same while
 * clock/advance runs. After `database` the service itself must start PostgreSQL again.
 */
export type KillTarget =
  | 'service'
  | 'service_in_advance'
  | 'service_and_database'
  | 'database'
  | 'acquirer'
  | 'everything'

export interface Kill {
  readonly target: KillTarget
  /**
   * `bookings` fires when the simulator has booked this share of the workload's bookings. `start` fires this long after
   * the last start of the service, ready or not.
   */
  readonly trigger:
    | { readonly on: 'bookings'; readonly share: number }
    | { readonly on: 'start'; readonly ms: number }
  /** A wait between the trigger and the kill, so that not every kill directly follows a booking. */
  readonly delayMs: number
  readonly downMs: number
}

/** The targets of ten kills. Each ten contain every kind except `database`. */
const TARGETS_OF_TEN_KILLS: readonly KillTarget[] = [
  'service',
  'service',
  'service_in_advance',
  'service_in_advance',
  'service_in_advance',
  'service_and_database',
  'service_and_database',
  'acquirer',
  'acquirer',
  'everything',
]
/** One kill in this many has the target `database` instead of the shuffled one. */
const DATABASE_KILL_INTERVAL = 20

export function chooseKills(seed: number, count: number): Kill[] {
  const random = new Random(seed, 'kills')
  const shares = Array.from({ length: count }, () => random.next()).toSorted((a, b) => a - b)
  const targets: KillTarget[] = []
  while (targets.length < count) targets.push(...random.shuffle(TARGETS_OF_TEN_KILLS))
  for (let index = DATABASE_KILL_INTERVAL / 2; index < count; index += DATABASE_KILL_INTERVAL) {
    targets[index] = 'database'
  }
  return shares.map((share, index) => {
    const target = targets[index] ?? 'service'
    const followsServiceKill = index > 0 && killsService(targets[index - 1] ?? 'service')
    const firesAtStart =
      followsServiceKill && target !== 'service_in_advance' && killsService(target) && random.chance(0.3)
    return {
      target,
      trigger: firesAtStart ? { on: 'start', ms: random.whole(50, 2000) } : { on: 'bookings', share },
      delayMs: random.chance(0.5) ? 0 : random.whole(0, 400),
      downMs: random.chance(0.3) ? 0 : random.whole(0, 1200),
    }
  })
}

export function killsService(target: KillTarget): boolean {
  return target !== 'acquirer' && target !== 'database'
}

export function killsDatabase(target: KillTarget): boolean {
  return target === 'database' || target === 'service_and_database' || target === 'everything'
}

export function killsAcquirer(target: KillTarget): boolean {
  return target === 'acquirer' || target === 'everything'
}

/** The simulator refuses larger seeds. */
const MAX_FAULT_SEED = 0xffff_ffff

export interface FaultPhase {
  readonly faults: {
    readonly latency_ms: number
    readonly fail_before: number
    readonly fail_after: number
    readonly lose_answer: number
    readonly seed: number
  }
  readonly durationMs: number
}

export function* chooseFaultPhases(random: Random, timeoutMs: number): Generator<FaultPhase, never> {
  for (;;) {
    if (random.chance(0.35)) yield* alternatingLatency(random, timeoutMs)
    yield steadyFaults(random)
  }
}

function steadyFaults(random: Random): FaultPhase {
  const maxProbability = random.pick([0, 0.04, 0.04, 0.04, 0.25])
  return {
    faults: {
      latency_ms: random.pick([0, 1, 5, 20, 60]),
      fail_before: random.next() * maxProbability,
      fail_after: random.next() * maxProbability,
      lose_answer: random.next() * maxProbability,
      seed: random.whole(1, MAX_FAULT_SEED),
    },
    durationMs: random.whole(300, 3000),
  }
}

/**
 * Slow and fast phases in turn. A slow request outlives the service's timeout, and the inquiry that follows the timeout
 * overtakes it: the request arrives after its outcome seems known.
 */
function* alternatingLatency(random: Random, timeoutMs: number): Generator<FaultPhase, void> {
  const phases = random.whole(6, 16)
  for (let phase = 0; phase < phases; phase++) {
    const latencyMs = random.whole(Math.ceil(timeoutMs * 1.05), timeoutMs * 6)
    yield {
      faults: {
        latency_ms: phase % 2 === 0 ? latencyMs : 0,
        fail_before: 0,
        fail_after: 0,
        lose_answer: 0,
        seed: random.whole(1, MAX_FAULT_SEED),
      },
      durationMs: random.whole(Math.ceil(timeoutMs / 6), Math.ceil(timeoutMs / 2)),
    }
  }
}
