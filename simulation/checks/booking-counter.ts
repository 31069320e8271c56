import { open } from 'node:fs/promises'
import type { SimulatedAcquirer } from '../acquirers/index.ts'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 3
const CHUNK_BYTES = 256 * 1024

/**
 * Counts bookings by following the acquirer's log. HTTP would be too slow to time a kill by, and impossible while the
 * acquirer is down.
 */
export class BookingCounter {
  readonly #path: string
  readonly #isBooking: (line: string) => boolean
  #offset = 0
  #partialLine = ''
  #count = 0
  #stopped = false

  constructor({ log, isBooking }: Pick<SimulatedAcquirer, 'log' | 'isBooking'>) {
    this.#path = log
    this.#isBooking = isBooking
  }

  get count(): number {
    return this.#count
  }

  async follow(): Promise<void> {
    while (!this.#stopped) {
      await this.#readNewLines()
      await sleep(POLL_MS)
    }
  }

  stop(): void {
    this.#stopped = true
  }

  async #readNewLines(): Promise<void> {
    const file = await open(this.#path, 'r').catch(() => undefined)
    if (file === undefined) return
    try {
      const chunk = Buffer.alloc(CHUNK_BYTES)
      for (;;) {
        const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, this.#offset)
        if (bytesRead === 0) return
        this.#offset += bytesRead
        this.#countLines(chunk.toString('latin1', 0, bytesRead))
      }
    } finally {
      await file.close()
    }
  }

  #countLines(text: string): void {
    const lines = (this.#partialLine + text).split('\n')
    this.#partialLine = lines.pop() ?? ''
    for (const line of lines) {
      if (this.#isBooking(line)) this.#count++
    }
  }
}
