import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, PAYMENTS } from '../../scenarios/harness/client.ts'
import { Random } from '../random.ts'
import type { DatabasePair } from './database-pair.ts'
import type { WorkloadProgress } from './kill-runner.ts'

/** A client that gets no response gives up and asks again. */
const PROBE_TIMEOUT_MS = 3_000
const PROBE_PAUSE_MS = 50
/** What users of the service are promised. */
const MAX_MS_UNTIL_WRITES = 15_000
const LOST_AFTER_MS = 60_000

interface Failover {
  /** How long the pair is whole before its primary is lost. */
  readonly wholeMs: number
  readonly hangs: boolean
  readonly detectionMs: number
  /** How long the new primary works alone. */
  readonly aloneMs: number
}

export interface ExecutedFailover {
  readonly failover: Failover
  /** From the loss of the primary to the first write that the service acknowledges, through its API. */
  readonly writesAfterMs: number
  readonly wasUnderLoad: boolean
}

export function chooseFailovers(seed: number, count: number): Failover[] {
  const random = new Random(seed, 'failovers')
  return Array.from({ length: count }, () => ({
    wholeMs: random.whole(0, 1_500),
    hangs: random.chance(0.5),
    detectionMs: random.whole(0, 3_000),
    aloneMs: random.whole(0, 800),
  }))
}

/** Loses the primary again and again, and measures when the service writes again. */
export class FailoverRunner {
  readonly executed: ExecutedFailover[] = []
  readonly #pair: DatabasePair
  readonly #probe: Client
  readonly #progress: Pick<WorkloadProgress, 'isDone'>
  readonly #signal: AbortSignal
  #allowedShare = 0

  constructor(
    pair: DatabasePair,
    probe: Client,
    progress: Pick<WorkloadProgress, 'isDone'>,
    signal: AbortSignal,
  ) {
    this.#pair = pair
    this.#probe = probe
    this.#progress = progress
    this.#signal = signal
  }

  async run(failovers: readonly Failover[]): Promise<void> {
    for (const [index, failover] of failovers.entries()) {
      this.#allowedShare = (index + 1) / failovers.length
      await sleep(failover.wholeMs)
      this.#signal.throwIfAborted()
      const wasUnderLoad = !this.#progress.isDone()
      const lost = Promise.withResolvers<void>()
      const failedOver = this.#pair.failOver({ ...failover, onLost: lost.resolve })
      failedOver.catch(lost.reject)
      await lost.promise
      const lostAtMs = performance.now()
      await this.#untilItWrites(lostAtMs)
      const writesAfterMs = performance.now() - lostAtMs
      await failedOver
      this.executed.push({ failover, writesAfterMs, wasUnderLoad })
      await sleep(failover.aloneMs)
      await this.#pair.rejoin()
    }
    this.#allowedShare = Infinity
  }

  /** Whether the workload may go that far. It waits for failovers, so that each of them happens under load. */
  allows(share: number): boolean {
    return share < this.#allowedShare
  }

  findings(): string[] {
    return this.executed
      .filter(({ writesAfterMs }) => writesAfterMs > MAX_MS_UNTIL_WRITES)
      .map(
        ({ writesAfterMs, failover }, index) =>
          `failover ${index + 1} (${JSON.stringify(failover)}): writes only after ${Math.round(writesAfterMs)} ms`,
      )
  }

  /** A write that began before the loss may still be acknowledged, so only later ones count. */
  async #untilItWrites(lostAtMs: number): Promise<void> {
    for (;;) {
      this.#signal.throwIfAborted()
      if (performance.now() - lostAtMs > LOST_AFTER_MS) {
        throw new Error(`the service does not write ${LOST_AFTER_MS / 1000} s after a failover`)
      }
      const timeout = sleep(PROBE_TIMEOUT_MS, undefined, { ref: false })
      const asked = this.#probe
        .call('POST', `${PAYMENTS}/customers`, {
          customer: { reference_number: `probe-${performance.now()}`, name: 'Probe', phone: '91234567' },
        })
        .catch(() => undefined)
      const reply = await Promise.race([asked, timeout])
      if (reply?.status === 200) return
      if (reply !== undefined && reply.status !== 503) {
        throw new Error(`the probe got ${reply.status}: ${JSON.stringify(reply.data)}`)
      }
      await sleep(PROBE_PAUSE_MS)
    }
  }
}
