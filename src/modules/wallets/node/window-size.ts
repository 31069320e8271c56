/** What a window should cost: below it grows, above it shrinks. */
const GOOD_DURATION_MS = 1_500
const MAX_ANSWERED = 10_000
const LARGEST = 1_024
const FIRST = 64

/** How many blocks are asked for at once: found out from the node, because every node has limits of its own. */
export class WindowSize {
  #blocks = FIRST

  get blocks(): number {
    return this.#blocks
  }

  /** A full window was read in so many milliseconds and brought so many blocks, transactions and logs. */
  learn(durationMs: number, answered: number): void {
    if (durationMs > 2 * GOOD_DURATION_MS || answered > 2 * MAX_ANSWERED) this.shrink()
    else if (durationMs < GOOD_DURATION_MS && answered < MAX_ANSWERED) {
      this.#blocks = Math.min(LARGEST, this.#blocks * 2)
    }
  }

  /** The node refused. False when there is nothing smaller to ask for. */
  shrink(): boolean {
    if (this.#blocks === 1) return false
    this.#blocks = Math.ceil(this.#blocks / 4)
    return true
  }
}
