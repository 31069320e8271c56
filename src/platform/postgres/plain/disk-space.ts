import { codeOf } from '#platform/thrown'

const DISK_FULL = '53100'
/** Several probes of a load balancer. Updates can succeed on a full disk, so a success does not end it earlier. */
const FULL_FOR_MS = 30_000

export class DiskSpace {
  #fullUntilMs = 0

  note(error: unknown): void {
    if (codeOf(error) === DISK_FULL) this.#fullUntilMs = performance.now() + FULL_FOR_MS
  }

  get isFull(): boolean {
    return performance.now() < this.#fullUntilMs
  }
}
