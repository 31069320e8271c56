/** The real time plus an offset that only grows. */
export class TwinClock {
  #offsetSeconds: number

  constructor(offsetSeconds = 0) {
    this.#offsetSeconds = offsetSeconds
  }

  get offsetSeconds(): number {
    return this.#offsetSeconds
  }

  /** Seconds since 1970. */
  seconds(): number {
    return Math.floor(Date.now() / 1000) + this.#offsetSeconds
  }

  iso(): string {
    return new Date(Date.now() + this.#offsetSeconds * 1000).toISOString()
  }

  advance(seconds: number): void {
    this.#offsetSeconds += seconds
  }
}
