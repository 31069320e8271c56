import type { AcquirerName } from '../../acquirers/index.ts'
import { chooseFaultPhases, type FaultPhase } from '../../faults/fault-schedule.ts'
import type { Random } from '../../random.ts'
import type { Topology } from './plan.ts'

/** Shorter than the latency that phases alternate with, so that slow answers come after the service gave up. */
export const ACQUIRER_TIMEOUT_MS = 1_000

/**
 * `fail` answers 500, `cut` closes the connection unread, `lose` takes the message and closes the connection, `stall`
 * takes it and does not answer, `late` answers after a second.
 */
export type ReceiverMode = 'fail' | 'cut' | 'lose' | 'stall' | 'late'

export type Fault = Kill | Disturbance

/** How the primary of a pair is lost. */
export interface Failover {
  /** It falls silent, and its connections stay open. Otherwise they are reset. */
  readonly hangs: boolean
  /** Until the supervisor notices. */
  readonly detectionMs: number
  /** How long the new primary works alone, and a silent one stays silent. */
  readonly aloneMs: number
}

export type Kill =
  /** SIGKILL of a process of the service: the index counts over those of the topology. */
  | { readonly kind: 'service'; readonly atMs: number; readonly index: number; readonly downMs: number }
  /** SIGKILL of every process of the service. */
  | { readonly kind: 'services'; readonly atMs: number; readonly downMs: number }
  /** SIGKILL of PostgreSQL, which recovers; a pair fails over. */
  | { readonly kind: 'database'; readonly atMs: number; readonly failover?: Failover }
  | {
      readonly kind: 'database_and_services'
      readonly atMs: number
      readonly downMs: number
      readonly failover?: Failover
    }
  | {
      readonly kind: 'acquirer'
      readonly atMs: number
      readonly acquirer: AcquirerName
      readonly downMs: number
    }

export type Disturbance =
  | {
      readonly kind: 'acquirer_faults'
      readonly atMs: number
      readonly acquirer: AcquirerName
      readonly faults: FaultPhase['faults']
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
  /** The second endpoint of the business answers 410 from now on. */
  | { readonly kind: 'receiver_gone'; readonly atMs: number; readonly business: number }

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

export const NO_FAULTS = { latency_ms: 0, fail_before: 0, fail_after: 0, lose_answer: 0, seed: 0 }
const MS_PER_KILL = 5_000
const MAX_DOWN_MS = 1_200
/** The supervisor of an embedded PostgreSQL gives up after five crashes without a healthy minute between them. */
const MAX_DATABASE_KILLS = 1
const MAX_DETECTION_MS = 3_000
const MAX_ALONE_MS = 1_500

export function drawFaults(stream: (subject: string) => Random, scene: Scene): Fault[] {
  const { acquirers } = scene
  return [
    ...drawKills(stream('kills'), scene),
    ...acquirers.flatMap((acquirer) => drawAcquirerFaults(stream(`faults of ${acquirer}`), scene, acquirer)),
    ...acquirers.flatMap((_, business) =>
      drawReceiverFaults(stream(`receiver of business ${business}`), scene, business),
    ),
  ].toSorted((a, b) => a.atMs - b.atMs)
}

/** In a pair one of them is a failover. */
function drawKills(random: Random, { roundMs, topology, acquirers }: Scene): Fault[] {
  const times = Array.from({ length: Math.ceil(roundMs / MS_PER_KILL) }, () => random.whole(500, roundMs))
  let databaseKills = 0
  return times.map((atMs, nth): Kill => {
    const downMs = random.chance(0.3) ? 0 : random.whole(0, MAX_DOWN_MS)
    const acquirer = random.pick(acquirers as [AcquirerName, ...AcquirerName[]])
    const index = random.whole(0, 9)
    const isFailover = topology === 'pair' && nth === 0
    const kind = isFailover ? 0.75 + random.next() / 4 : random.next()
    if (kind < 0.35) return { kind: 'service', atMs, index, downMs }
    if (kind < 0.5) return { kind: 'services', atMs, downMs }
    if (kind < 0.75) return { kind: 'acquirer', atMs, acquirer, downMs }
    if (++databaseKills > MAX_DATABASE_KILLS) return { kind: 'services', atMs, downMs }
    const failover = topology === 'pair' ? { failover: drawFailover(random) } : {}
    return kind < 0.9
      ? { kind: 'database', atMs, ...failover }
      : { kind: 'database_and_services', atMs, downMs, ...failover }
  })
}

function drawFailover(random: Random): Failover {
  return {
    hangs: random.chance(0.5),
    detectionMs: random.whole(0, MAX_DETECTION_MS),
    aloneMs: random.whole(0, MAX_ALONE_MS),
  }
}

function drawAcquirerFaults(random: Random, { roundMs }: Scene, acquirer: AcquirerName): Fault[] {
  const faults: Fault[] = []
  let atMs = 0
  for (const phase of chooseFaultPhases(random, ACQUIRER_TIMEOUT_MS)) {
    if (atMs >= roundMs) break
    faults.push({ kind: 'acquirer_faults', atMs, acquirer, faults: phase.faults })
    atMs += phase.durationMs
  }
  // What began late in the round ends at an acquirer that is well.
  faults.push({ kind: 'acquirer_faults', atMs: roundMs, acquirer, faults: NO_FAULTS })
  if (random.chance(0.5)) {
    faults.push({ kind: 'acquirer_forgets', atMs: random.whole(0, roundMs), acquirer })
  }
  return faults
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
