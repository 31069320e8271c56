/** Providers limit the time and the items of a response. A range shrinks above twice these, well before their usual limits. */
const TARGET_DURATION_MS = 1_500
const TARGET_ITEMS = 10_000
const MAX_BLOCKS = 1_024
const INITIAL_BLOCKS = 64

/** Adapts the number of blocks per range to the node, because every provider has its own limits. */
export class RangeSize {
  #blocks = INITIAL_BLOCKS

  get blocks(): number {
    return this.#blocks
  }

  adjust(durationMs: number, itemCount: number): void {
    if (durationMs > 2 * TARGET_DURATION_MS || itemCount > 2 * TARGET_ITEMS) this.shrink()
    else if (durationMs < TARGET_DURATION_MS && itemCount < TARGET_ITEMS) {
      this.#blocks = Math.min(MAX_BLOCKS, this.#blocks * 2)
    }
  }

  shrink(): boolean {
    if (this.#blocks === 1) return false
    this.#blocks = Math.ceil(this.#blocks / 4)
    return true
  }
}
