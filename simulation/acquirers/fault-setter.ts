import { setTimeout as sleep } from 'node:timers/promises'
import type { AcquirerFaults } from './faults.ts'

const PAUSE_MS = 20

/**
 * Sets an acquirer's faults. A process forgets them when it is killed. Only one request is under way at a time, since
 * two could arrive in the wrong order, and one that fails is repeated: a slow phase that stays makes every payment of
 * the run time out.
 */
export class FaultSetter {
  readonly #put: (faults: AcquirerFaults) => Promise<unknown>
  #faults: AcquirerFaults | undefined
  #isRunning = false
  #setting: Promise<void> = Promise.resolve()

  constructor(put: (faults: AcquirerFaults) => Promise<unknown>) {
    this.#put = put
  }

  /** A process that is down gets them when it starts. */
  set(faults: AcquirerFaults): Promise<void> {
    this.#faults = faults
    return this.#setInTurn()
  }

  started(): Promise<void> {
    this.#isRunning = true
    return this.#setInTurn()
  }

  killed(): void {
    this.#isRunning = false
  }

  #setInTurn(): Promise<void> {
    this.#setting = this.#setting.then(() => this.#setNow())
    return this.#setting
  }

  async #setNow(): Promise<void> {
    while (this.#isRunning && this.#faults !== undefined) {
      const isSet = await this.#put(this.#faults).then(
        () => true,
        () => false,
      )
      if (isSet) return
      await sleep(PAUSE_MS)
    }
  }
}
