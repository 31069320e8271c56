import { setTimeout as sleep } from 'node:timers/promises'
import { type Kill, killsService, killsSimulator } from './choices.ts'
import type { Processes } from './processes.ts'

const LOOK_EVERY_MS = 2
/** When nothing is advanced for so long, because the load is nearly done, a kill that waits for it comes all the same. */
const ADVANCE_TIMEOUT_MS = 5_000
/** For a service that recovers: the worst is a lease of a killed one. */
const READY_TIMEOUT_MS = 60_000

/** What the killer may know of the load. */
export interface Surroundings {
  readonly bookings: () => number
  readonly sureBookings: number
  readonly isAdvancing: () => boolean
  /** Nothing more will be booked: kills that wait for bookings come at once. */
  readonly isDone: () => boolean
}

/** A kill as it was done. */
export interface Struck {
  readonly kill: Kill
  readonly bookings: number
  readonly wasAdvancing: boolean
  readonly wasReady: boolean
  /** A running database was killed, too. */
  readonly hitDatabase: boolean
}

/** Kills as chosen, one after the other, and starts again what it killed. Everything runs when it is done. */
export class Killer {
  readonly struck: Struck[] = []
  readonly #processes: Processes
  readonly #surroundings: Surroundings
  readonly #signal: AbortSignal
  #ready = true

  constructor(processes: Processes, surroundings: Surroundings, signal: AbortSignal) {
    this.#processes = processes
    this.#surroundings = surroundings
    this.#signal = signal
  }

  async run(kills: readonly Kill[]): Promise<void> {
    for (const [index, kill] of kills.entries()) {
      const next = kills[index + 1]
      await this.#moment(kill)
      await sleep(kill.jitterMs)
      this.#signal.throwIfAborted()
      await this.#strike(kill)
      await sleep(kill.downMs)
      await this.#startAgain(kill)
      if (next?.when.on !== 'start') await this.#untilReady()
    }
  }

  async #moment(kill: Kill): Promise<void> {
    const { bookings, sureBookings, isAdvancing, isDone } = this.#surroundings
    if (kill.when.on === 'start') {
      const { ms } = kill.when
      await this.#wait(() => performance.now() - this.#processes.serviceStartedAtMs >= ms)
      return
    }
    const { share } = kill.when
    await this.#wait(() => bookings() >= share * sureBookings || isDone())
    if (kill.target === 'service_in_advance') {
      await this.#wait(() => isAdvancing() || isDone(), ADVANCE_TIMEOUT_MS)
    }
  }

  async #strike(kill: Kill): Promise<void> {
    const { bookings, isAdvancing } = this.#surroundings
    const before = { bookings: bookings(), wasAdvancing: isAdvancing(), wasReady: this.#ready }
    const { database } = await this.#processes.kill(kill.target)
    this.struck.push({ kill, ...before, hitDatabase: database })
  }

  async #startAgain({ target }: Kill): Promise<void> {
    if (killsSimulator(target)) await this.#processes.startSimulator()
    if (!killsService(target)) return
    this.#ready = false
    this.#processes.startService()
    void this.#processes.ready().then(
      () => (this.#ready = true),
      () => {},
    )
  }

  async #untilReady(): Promise<void> {
    const late = sleep(READY_TIMEOUT_MS, 'late', { ref: false })
    if ((await Promise.race([this.#processes.ready(), late])) === 'late') {
      throw new Error(`the service is not ready ${READY_TIMEOUT_MS / 1000} s after a kill`)
    }
  }

  async #wait(until: () => boolean, longestMs = Number.POSITIVE_INFINITY): Promise<void> {
    const sinceMs = performance.now()
    while (!until() && performance.now() - sinceMs < longestMs) {
      this.#signal.throwIfAborted()
      await sleep(LOOK_EVERY_MS)
    }
  }
}
