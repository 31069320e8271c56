import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const LOOK_EVERY_MS = 3
const CHUNK_BYTES = 256 * 1024

/**
 * Counts bookings as they arrive, by following the simulator's log: asking it over HTTP would be slower than what is to be
 * hit, and impossible while it is down.
 */
export class BookingCount {
  readonly #path: string
  #offset = 0
  #rest = ''
  #count = 0
  #stopped = false

  constructor(simulatorDir: string) {
    this.#path = join(simulatorDir, 'books.ndjson')
  }

  /** Payments that were booked or declined; verifications of cards are not among them. */
  get count(): number {
    return this.#count
  }

  /** Follows the log until it is told to stop. */
  async follow(): Promise<void> {
    while (!this.#stopped) {
      await this.#readOn()
      await sleep(LOOK_EVERY_MS)
    }
  }

  stop(): void {
    this.#stopped = true
  }

  async #readOn(): Promise<void> {
    const file = await open(this.#path, 'r').catch(() => undefined)
    if (file === undefined) return
    try {
      const chunk = Buffer.alloc(CHUNK_BYTES)
      for (;;) {
        const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, this.#offset)
        if (bytesRead === 0) return
        this.#offset += bytesRead
        this.#take(chunk.toString('latin1', 0, bytesRead))
      }
    } finally {
      await file.close()
    }
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.includes('"entry":"payment"') && !line.includes('"operation":"verification"')) this.#count++
    }
  }
}
