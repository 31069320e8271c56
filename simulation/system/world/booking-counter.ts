import { open } from 'node:fs/promises'
import type { SimulatedAcquirer } from '../../acquirers/index.ts'

const CHUNK_BYTES = 256 * 1024

/** Reads the log of an acquirer. HTTP would be too slow to time a kill, and impossible while the acquirer is down. */
export class BookingCounter {
  readonly #path: string
  readonly #isBooking: (line: string) => boolean
  #offset = 0
  #partialLine = ''
  #count = 0

  constructor({ log, isBooking }: Pick<SimulatedAcquirer, 'log' | 'isBooking'>) {
    this.#path = log
    this.#isBooking = isBooking
  }

  /** The movements of money that the acquirer has booked so far. */
  async count(): Promise<number> {
    const file = await open(this.#path, 'r').catch(() => undefined)
    if (file === undefined) return this.#count
    try {
      const chunk = Buffer.alloc(CHUNK_BYTES)
      for (;;) {
        const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, this.#offset)
        if (bytesRead === 0) return this.#count
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
