import { type AcquirerFaults, NO_FAULTS } from '../../acquirers/faults.ts'
import type { AcquirerName } from '../../acquirers/index.ts'
import type { Random } from '../../random.ts'
import type { Topology } from './topology.ts'

/** Shorter than the latency of slow phases, so that their responses come after the timeout. */
export const ACQUIRER_TIMEOUT_MS = 1_000

/**
 * `fail` responds with 500, `cut` closes the connection unread, `lose` takes the message and closes the connection,
 * `stall` takes it and does not respond, `late` responds after a second.
 */
export type ReceiverMode = 'fail' | 'cut' | 'lose' | 'stall' | 'late'

export type Fault = Kill | Disturbance

/** How the primary of a pair is lost. */
export interface Failover {
  /** The primary falls silent, and its connections stay open. Otherwise they are reset. */
  readonly hangs: boolean
  /** The time until the supervisor notices. */
  readonly detectionMs: number
  /** How long the new primary works alone, and how long a silent one stays silent. */
  readonly aloneMs: number
}

/**
 * SIGKILL, after which the killed processes start again. `service` is one process of the service, `services` are all
 * of them. A database recovers, and a pair fails over. `everything` is the service, its database and the acquirers.
 */
export interface Kill {
  readonly kind: 'service' | 'services' | 'database' | 'database_and_services' | 'acquirer' | 'everything'
  readonly atMs: number
  /** The index of the `service` process in the topology. */
  readonly index: number
  readonly acquirer: AcquirerName
  readonly downMs: number
  readonly failover?: Failover
  readonly moment?: Moment
}

/** A correction of an invoice, and a change of a plan that is charged first. */
export const PARTED_ACTS = ['reissue', 'paid_first'] as const
export type PartedAct = (typeof PARTED_ACTS)[number]

/** A kill waits for it, at most until the actors of the round are done. */
export interface Moment {
  /**
   * The acquirer has booked `count` times since the round began; the clock is being moved; the service has been started; an act is under
   * way whose halves a kill must not part; the acquirer has booked the charge of a change that has not taken place.
   */
  readonly on: 'booking' | 'advance' | 'start' | 'charged' | PartedAct
  readonly count: number
  readonly delayMs: number
}

export type Disturbance =
  | {
      readonly kind: 'acquirer_faults'
      readonly atMs: number
      readonly acquirer: AcquirerName
      readonly faults: AcquirerFaults
    }
  /** The acquirer forgets its idempotency keys, as real ones do after a day. */
  | { readonly kind: 'acquirer_forgets'; readonly atMs: number; readonly acquirer: AcquirerName }
  | {
      readonly kind: 'receiver'
      readonly atMs: number
      readonly business: number
      readonly mode: ReceiverMode
      readonly ms: number
    }
  /** The second endpoint of the business responds with 410 from now on. */
  | { readonly kind: 'receiver_gone'; readonly atMs: number; readonly business: number }

export function hitsDatabase(kind: Kill['kind']): boolean {
  return kind === 'database' || kind === 'database_and_services' || kind === 'everything'
}

export function hitsService(kind: Kill['kind']): boolean {
  return kind !== 'acquirer' && kind !== 'database'
}

const DISTURBANCES: ReadonlySet<string> = new Set<Disturbance['kind']>([
  'acquirer_faults',
  'acquirer_forgets',
  'receiver',
  'receiver_gone',
])

export function isDisturbance(fault: Fault): fault is Disturbance {
  return DISTURBANCES.has(fault.kind)
}

interface Scene {
  readonly roundMs: number
  readonly topology: Topology
  readonly acquirers: readonly AcquirerName[]
}

const MS_PER_KILL = 5_000
const MAX_DOWN_MS = 1_200
/** The supervisor of an embedded PostgreSQL stops after five crashes without a healthy minute between them. */
const MAX_DATABASE_KILLS = 1
const MAX_DETECTION_MS = 3_000
const MAX_ALONE_MS = 1_500
/** The simulator refuses larger seeds. */
const MAX_FAULT_SEED = 0xffff_ffff

export function drawFaults(stream: (subject: string) => Random, scene: Scene): Fault[] {
  const { acquirers } = scene
  return [
    ...drawKills(stream('kills'), scene),
    ...acquirers.flatMap((acquirer) =>
      drawAcquirerFaults(stream(`faults of ${acquirer}`), scene.roundMs, acquirer),
    ),
    ...acquirers.flatMap((_, business) =>
      drawReceiverFaults(stream(`receiver of business ${business}`), scene, business),
    ),
  ].toSorted((a, b) => a.atMs - b.atMs)
}

/** In a pair one of the kills is a failover. */
function drawKills(random: Random, { roundMs, topology, acquirers }: Scene): Fault[] {
  const times = Array.from({ length: Math.ceil(roundMs / MS_PER_KILL) }, () => random.whole(500, roundMs))
  let databaseKills = 0
  return times.map((atMs, nth): Kill => {
    const common = { atMs, ...drawTarget(random, acquirers) }
    const isFailover = topology === 'pair' && nth === 0
    const kind = isFailover ? 0.75 + random.next() / 4 : random.next()
    if (kind < 0.35) return { kind: 'service', ...common }
    if (kind < 0.5) return { kind: 'services', ...common }
    if (kind < 0.75) return { kind: 'acquirer', ...common }
    if (++databaseKills > MAX_DATABASE_KILLS) return { kind: 'services', ...common }
    const failover = topology === 'pair' ? { failover: drawFailover(random) } : {}
    return { kind: kind < 0.9 ? 'database' : 'database_and_services', ...common, ...failover }
  })
}

export function drawTarget(
  random: Random,
  acquirers: readonly AcquirerName[],
): Pick<Kill, 'downMs' | 'acquirer' | 'index'> {
  return {
    downMs: random.chance(0.3) ? 0 : random.whole(0, MAX_DOWN_MS),
    acquirer: random.pick(acquirers as [AcquirerName, ...AcquirerName[]]),
    index: random.whole(0, 9),
  }
}

export function drawFailover(random: Random): Failover {
  return {
    hangs: random.chance(0.5),
    detectionMs: random.whole(0, MAX_DETECTION_MS),
    aloneMs: random.whole(0, MAX_ALONE_MS),
  }
}

export function drawAcquirerFaults(random: Random, roundMs: number, acquirer: AcquirerName): Fault[] {
  const faults: Fault[] = []
  let atMs = 0
  for (const phase of drawPhases(random)) {
    if (atMs >= roundMs) break
    faults.push({ kind: 'acquirer_faults', atMs, acquirer, faults: phase.faults })
    atMs += phase.durationMs
  }
  // Requests from the end of the round must not fail for ever.
  faults.push({ kind: 'acquirer_faults', atMs: roundMs, acquirer, faults: NO_FAULTS })
  if (random.chance(0.5)) {
    faults.push({ kind: 'acquirer_forgets', atMs: random.whole(0, roundMs), acquirer })
  }
  return faults
}

interface FaultPhase {
  readonly faults: AcquirerFaults
  readonly durationMs: number
}

function* drawPhases(random: Random): Generator<FaultPhase, never> {
  for (;;) {
    if (random.chance(0.35)) yield* alternatingLatency(random)
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
 * A slow request outlives the service's timeout and arrives after the inquiry that follows, when its outcome seems
 * known.
 */
function* alternatingLatency(random: Random): Generator<FaultPhase, void> {
  const phases = random.whole(6, 16)
  for (let phase = 0; phase < phases; phase++) {
    const slowMs = random.whole(Math.ceil(ACQUIRER_TIMEOUT_MS * 1.05), ACQUIRER_TIMEOUT_MS * 6)
    yield {
      faults: {
        ...NO_FAULTS,
        latency_ms: phase % 2 === 0 ? slowMs : 0,
        seed: random.whole(1, MAX_FAULT_SEED),
      },
      durationMs: random.whole(Math.ceil(ACQUIRER_TIMEOUT_MS / 6), Math.ceil(ACQUIRER_TIMEOUT_MS / 2)),
    }
  }
}

function drawReceiverFaults(random: Random, { roundMs }: Scene, business: number): Fault[] {
  const faults: Fault[] = Array.from({ length: random.whole(1, 3) }, () => ({
    kind: 'receiver',
    atMs: random.whole(0, roundMs),
    business,
    mode: random.pick(['fail', 'cut', 'lose', 'stall', 'late'] as const),
    ms: random.whole(500, 5_000),
  }))
  if (random.chance(0.4)) faults.push({ kind: 'receiver_gone', atMs: random.whole(0, roundMs), business })
  return faults
}
