import { setTimeout as sleep } from 'node:timers/promises'
import { type Kill, killsService, killsAcquirer } from './fault-schedule.ts'
import type { ProcessGroup } from './process-group.ts'

const POLL_MS = 2
/** After this wait a `service_in_advance` kill happens anyway: near the end of the workload, nothing advances any more. */
const ADVANCE_TIMEOUT_MS = 5_000
/** In the worst case, the restarted service waits for a lease of the killed one. */
const READY_TIMEOUT_MS = 60_000

export interface WorkloadProgress {
  readonly bookings: () => number
  readonly minBookings: number
  readonly isAdvancing: () => boolean
  /** Once the workload is done, kills no longer wait for bookings. */
  readonly isDone: () => boolean
}

export interface ExecutedKill {
  readonly kill: Kill
  readonly bookings: number
  readonly wasAdvancing: boolean
  readonly wasReady: boolean
  readonly hitDatabase: boolean
}

export class KillRunner {
  readonly executed: ExecutedKill[] = []
  readonly #processes: ProcessGroup
  readonly #progress: WorkloadProgress
  readonly #signal: AbortSignal
  #ready = true

  constructor(processes: ProcessGroup, progress: WorkloadProgress, signal: AbortSignal) {
    this.#processes = processes
    this.#progress = progress
    this.#signal = signal
  }

  async run(kills: readonly Kill[]): Promise<void> {
    for (const [index, kill] of kills.entries()) {
      const next = kills[index + 1]
      await this.#waitForTrigger(kill)
      await sleep(kill.delayMs)
      this.#signal.throwIfAborted()
      await this.#execute(kill)
      await sleep(kill.downMs)
      await this.#restart(kill)
      if (next?.trigger.on !== 'start') await this.#waitUntilReady()
    }
  }

  async #waitForTrigger(kill: Kill): Promise<void> {
    const { bookings, minBookings, isAdvancing, isDone } = this.#progress
    if (kill.trigger.on === 'start') {
      const { ms } = kill.trigger
      await this.#waitUntil(() => performance.now() - this.#processes.serviceStartedAtMs >= ms)
      return
    }
    const { share } = kill.trigger
    await this.#waitUntil(() => bookings() >= share * minBookings || isDone())
    if (kill.target === 'service_in_advance') {
      await this.#waitUntil(() => isAdvancing() || isDone(), ADVANCE_TIMEOUT_MS)
    }
  }

  async #execute(kill: Kill): Promise<void> {
    const { bookings, isAdvancing } = this.#progress
    const before = { bookings: bookings(), wasAdvancing: isAdvancing(), wasReady: this.#ready }
    const { hitDatabase } = await this.#processes.kill(kill.target)
    this.executed.push({ kill, ...before, hitDatabase })
  }

  async #restart({ target }: Kill): Promise<void> {
    if (killsAcquirer(target)) await this.#processes.acquirer.start()
    if (!killsService(target)) return
    this.#ready = false
    this.#processes.startService()
    void this.#processes.ready().then(
      () => (this.#ready = true),
      () => {},
    )
  }

  async #waitUntilReady(): Promise<void> {
    const timeout = sleep(READY_TIMEOUT_MS, 'timeout', { ref: false })
    if ((await Promise.race([this.#processes.ready(), timeout])) === 'timeout') {
      throw new Error(`the service is not ready ${READY_TIMEOUT_MS / 1000} s after a kill`)
    }
  }

  async #waitUntil(condition: () => boolean, timeoutMs = Number.POSITIVE_INFINITY): Promise<void> {
    const startedAtMs = performance.now()
    while (!condition() && performance.now() - startedAtMs < timeoutMs) {
      this.#signal.throwIfAborted()
      await sleep(POLL_MS)
    }
  }
}
