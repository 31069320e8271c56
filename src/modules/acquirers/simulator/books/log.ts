import { closeSync, ftruncateSync, fsyncSync, mkdirSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '#kernel/operator-error'

/** A line of the books cannot be understood. */
class BooksDamaged extends OperatorError {}

/** Lines that are written together, where they end, and what their callers wait for. */
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
 *
 * Lines that the disk refused, because it is full, stand in memory and are written in front of the next; until then nobody
 * is told of them, nor of what comes behind them.
 */
export class AppendLog {
  readonly #file: FileHandle
  #position: number
  #durable: number
  #durableBytes: number
  #writing: Batch | null = null
  #waiting: Batch | null = null
  #idle: Promise<void> = Promise.resolve()
  /** What the disk refused; '' when it did not. */
  #refused = ''

  private constructor(file: FileHandle, position: number, bytes: number) {
    this.#file = file
    this.#position = position
    this.#durable = position
    this.#durableBytes = bytes
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
    const file = await open(path, 'a', 0o600)
    return new AppendLog(file, lines, (await file.stat()).size)
  }

  /** Adds a line; returns its position, for `durable`. The order of calls is the order in the file. */
  append(line: string): number {
    const position = ++this.#position
    const batch = this.#next()
    batch.lastPosition = position
    batch.text += line + '\n'
    return position
  }

  /** Resolves once everything up to the position is on the disk; rejects when the disk refuses it, which is tried again. */
  durable(position: number): Promise<void> {
    if (position <= this.#durable) return Promise.resolve()
    const batch =
      this.#writing !== null && position <= this.#writing.lastPosition ? this.#writing : this.#next()
    return batch.written.promise
  }

  /** The batch that is written next. */
  #next(): Batch {
    if (this.#waiting === null) {
      this.#waiting = { lastPosition: this.#position, text: '', written: Promise.withResolvers() }
      // Failures reach those who wait; without one there is nobody to tell.
      this.#waiting.written.promise.catch(() => {})
      if (this.#writing === null) this.#idle = this.#flush()
    }
    return this.#waiting
  }

  /** The position of the newest line. */
  get position(): number {
    return this.#position
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
      const text = this.#refused + batch.text
      try {
        // What the failed write left of itself is cut off.
        if (this.#refused !== '') await this.#file.truncate(this.#durableBytes)
        await this.#file.appendFile(text)
        await this.#file.datasync()
        this.#refused = ''
        this.#durable = batch.lastPosition
        this.#durableBytes += Buffer.byteLength(text)
        batch.written.resolve()
      } catch (error) {
        this.#refused = text
        batch.written.reject(error)
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
    throw new BooksDamaged(
      `The simulator's books are damaged: ${path}, line ${number}. Put them back from a backup.`,
      { cause: error },
    )
  }
}
