import { closeSync, ftruncateSync, fsyncSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '#kernel/operator-error'
import { makeDataDirectory } from '#platform/data-directory'

class BooksDamaged extends OperatorError {}

interface Batch {
  lastPosition: number
  text: string
  readonly written: PromiseWithResolvers<void>
}

const REPLAY_CHUNK_BYTES = 1 << 20

/**
 * An append-only file of JSON lines, with group commit: lines that arrive during a write and its fdatasync share the next
 * one, so 64 connections wait for one sync instead of queueing for 64.
 *
 * If a write fails because the disk is full, its lines stay in memory and are written in front of the next batch. Until
 * they are on disk, `durable` rejects for them and for everything after them.
 * - `append`: Returns the line's position, to pass to `durable`. Lines are written in call order.
 * - `durable`: Resolves once everything up to `position` is on disk.
 */
export class AppendLog {
  readonly #file: FileHandle
  #position: number
  #durable: number
  #durableBytes: number
  #writing: Batch | null = null
  #waiting: Batch | null = null
  #idle: Promise<void> = Promise.resolve()
  #unwritten = ''

  private constructor(file: FileHandle, position: number, bytes: number) {
    this.#file = file
    this.#position = position
    this.#durable = position
    this.#durableBytes = bytes
  }

  /**
   * Opens the log, creating its directory if needed, and passes every line to `replay`. An incomplete last line is the
   * remnant of a write that crashed before anyone saw a response, so it is cut off.
   */
  static async open(directory: string, replay: (line: string) => void): Promise<AppendLog> {
    makeDataDirectory(directory, 'DATA_DIR or SIMULATOR_DIR')
    const path = join(directory, 'books.ndjson')
    const lines = replayFile(path, replay)
    const directoryFd = openSync(directory, 'r')
    fsyncSync(directoryFd)
    closeSync(directoryFd)
    const file = await open(path, 'a', 0o600)
    return new AppendLog(file, lines, (await file.stat()).size)
  }

  append(line: string): number {
    const position = ++this.#position
    const batch = this.#next()
    batch.lastPosition = position
    batch.text += line + '\n'
    return position
  }

  durable(position: number): Promise<void> {
    if (position <= this.#durable) return Promise.resolve()
    const batch =
      this.#writing !== null && position <= this.#writing.lastPosition ? this.#writing : this.#next()
    return batch.written.promise
  }

  #next(): Batch {
    if (this.#waiting === null) {
      this.#waiting = { lastPosition: this.#position, text: '', written: Promise.withResolvers() }
      // Without a caller in `durable` nobody handles the rejection.
      this.#waiting.written.promise.catch(() => {})
      if (this.#writing === null) this.#idle = this.#flush()
    }
    return this.#waiting
  }

  get position(): number {
    return this.#position
  }

  async close(): Promise<void> {
    await this.#idle
    await this.#file.close()
  }

  async #flush(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting !== null) {
      const batch = this.#waiting
      this.#writing = batch
      this.#waiting = null
      const text = this.#unwritten + batch.text
      try {
        // Removes whatever part of the failed write reached the file.
        if (this.#unwritten !== '') await this.#file.truncate(this.#durableBytes)
        await this.#file.appendFile(text)
        await this.#file.datasync()
        this.#unwritten = ''
        this.#durable = batch.lastPosition
        this.#durableBytes += Buffer.byteLength(text)
        batch.written.resolve()
      } catch (error) {
        this.#unwritten = text
        batch.written.reject(error)
      }
    }
    this.#writing = null
  }
}

/** Reads in chunks, because the file may exceed the maximum string length. Returns the number of lines. */
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
      `Line ${number} of the simulator's books in ${path} is damaged. Restore the file from a backup.`,
      { cause: error },
    )
  }
}
