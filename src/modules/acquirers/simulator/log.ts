import { closeSync, ftruncateSync, fsyncSync, mkdirSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'

/** Where a batch of lines ends and what its callers wait for. */
interface Batch {
  lastPosition: number
  text: string
  readonly written: PromiseWithResolvers<void>
}

const REPLAY_CHUNK_BYTES = 1 << 20

/**
 * An append-only file of JSON lines that are on the disk before anyone is told of them.
 *
 * Commits are grouped: while one write and its fdatasync run, the lines that arrive wait for the next one together, so
 * that 64 connections share a sync instead of queueing for 64.
 */
export class AppendLog {
  readonly #file: FileHandle
  #position: number
  #durable: number
  #writing: Batch | null = null
  #waiting: Batch | null = null
  #idle: Promise<void> = Promise.resolve()
  #failure: Error | null = null

  private constructor(file: FileHandle, position: number) {
    this.#file = file
    this.#position = position
    this.#durable = position
  }

  /**
   * Opens the log of a directory, which it makes when needed, and gives every line in it to `replay` first. A last line
   * without its end is what a crash left of an unfinished write: nobody was told of it, so it is cut off.
   */
  static async open(directory: string, replay: (line: string) => void): Promise<AppendLog> {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const path = join(directory, 'books.ndjson')
    const lines = replayFile(path, replay)
    const directoryFd = openSync(directory, 'r')
    fsyncSync(directoryFd)
    closeSync(directoryFd)
    return new AppendLog(await open(path, 'a', 0o600), lines)
  }

  /** Adds a line; returns its position, for `durable`. The order of calls is the order in the file. */
  append(line: string): number {
    const position = ++this.#position
    if (this.#waiting === null) {
      this.#waiting = { lastPosition: position, text: '', written: Promise.withResolvers() }
      // Failures reach those who wait; without one there is nobody to tell.
      this.#waiting.written.promise.catch(() => {})
      if (this.#writing === null) this.#idle = this.#flush()
    }
    this.#waiting.lastPosition = position
    this.#waiting.text += line + '\n'
    return position
  }

  /** Resolves once everything up to the position is on the disk; rejects when the disk failed. */
  durable(position: number): Promise<void> {
    if (position <= this.#durable) return Promise.resolve()
    if (this.#failure !== null) return Promise.reject(this.#failure)
    const batch =
      this.#writing !== null && position <= this.#writing.lastPosition ? this.#writing : this.#waiting
    return batch === null ? Promise.resolve() : batch.written.promise
  }

  /** The position of the newest line. */
  get position(): number {
    return this.#position
  }

  get failure(): Error | null {
    return this.#failure
  }

  async close(): Promise<void> {
    await this.#idle
    await this.#file.close()
  }

  async #flush(): Promise<void> {
    // Lets every request of this turn of the event loop into the batch.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting !== null) {
      const batch = this.#waiting
      this.#writing = batch
      this.#waiting = null
      try {
        if (this.#failure !== null) throw this.#failure
        await this.#file.appendFile(batch.text)
        await this.#file.datasync()
        this.#durable = batch.lastPosition
        batch.written.resolve()
      } catch (error) {
        // What is in memory is now ahead of the disk. Nothing is answered any more until a restart reads the disk.
        this.#failure = error instanceof Error ? error : new Error(String(error))
        batch.written.reject(this.#failure)
      }
    }
    this.#writing = null
  }
}

/** Reads the file in chunks (it may be larger than a string can be), cuts off a torn last line; returns the count of lines. */
function replayFile(path: string, replay: (line: string) => void): number {
  const fd = openSync(path, 'a+', 0o600)
  try {
    const chunk = Buffer.alloc(REPLAY_CHUNK_BYTES)
    let rest: Buffer = Buffer.alloc(0)
    let offset = 0
    let lines = 0
    for (;;) {
      const length = readSync(fd, chunk, 0, chunk.length, offset)
      if (length === 0) break
      offset += length
      const seen = Buffer.concat([rest, chunk.subarray(0, length)])
      const end = seen.lastIndexOf(0x0a) + 1
      if (end > 0) {
        for (const line of seen.toString('utf8', 0, end - 1).split('\n')) {
          lines++
          replayLine(path, lines, line, replay)
        }
      }
      rest = seen.subarray(end)
    }
    if (rest.length > 0) {
      ftruncateSync(fd, offset - rest.length)
      fsyncSync(fd)
    }
    return lines
  } finally {
    closeSync(fd)
  }
}

function replayLine(path: string, number: number, line: string, replay: (line: string) => void): void {
  try {
    replay(line)
  } catch (error) {
    throw new Error(`The simulator's books are damaged: ${path}, line ${number}.`, { cause: error })
  }
}
