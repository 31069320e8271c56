import { closeSync, mkdirSync, openSync, readFileSync, truncateSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory } from '#platform/durable-file'

/** A movement of money or an attempt at one, for the checks of the simulation. */
export interface Movement {
  /** The client's idempotency key, as the twin learned it. */
  readonly key: string
  readonly operation: 'sale' | 'authorization' | 'capture' | 'refund' | 'void'
  /** A decimal, such as `12.30`. */
  readonly amount: string
  /** ISO 4217, upper case. */
  readonly currency: string
  readonly outcome: 'approved' | 'declined' | 'pending'
  /** The acquirer's id of the payment, or of the refund. */
  readonly reference: string
  readonly account: string
  readonly booked_at: string
}

interface Entry<Change> {
  readonly change: Change
  readonly movements?: readonly Movement[]
}

/**
 * The durable state of a twin: an append-only file of JSON lines, replayed on start. Each line holds what one request
 * changed together with the money that it moved, so that a kill leaves both or neither.
 */
export interface Books<Change> {
  readonly movements: readonly Movement[]
  /** Resolves once the entry is on disk, before which no response may leave. Entries that wait together share one sync. */
  record(change: Change, movements?: readonly Movement[]): Promise<void>
  /** Resolves once everything recorded so far is on disk. Reads wait for it, so that no response shows what a kill could undo. */
  flushed(): Promise<void>
  close(): Promise<void>
}

/** Passes every earlier change to `apply`, oldest first. Drops an incomplete last line, which a kill left behind. */
export async function openBooks<Change>(
  directory: string,
  apply: (change: Change) => void,
): Promise<Books<Change>> {
  mkdirSync(directory, { recursive: true })
  const path = join(directory, 'books.ndjson')
  const movements: Movement[] = []
  for (const line of readLines(path)) {
    const entry = JSON.parse(line) as Entry<Change>
    apply(entry.change)
    movements.push(...(entry.movements ?? []))
  }
  syncDirectory(directory)
  const writer = groupedWriter(await open(path, 'a'))

  return {
    movements,
    record: async (change, moved = []) => {
      const entry: Entry<Change> = moved.length > 0 ? { change, movements: moved } : { change }
      movements.push(...moved)
      await writer.write(`${JSON.stringify(entry)}\n`)
    },
    flushed: () => writer.flushed(),
    close: () => writer.close(),
  }
}

/** Line by line, because the file may exceed the longest string. */
function* readLines(path: string): Generator<string> {
  closeSync(openSync(path, 'a'))
  const bytes = readFileSync(path)
  const end = bytes.lastIndexOf(0x0a) + 1
  if (end < bytes.length) truncateSync(path, end)
  for (let start = 0; start < end;) {
    const next = bytes.indexOf(0x0a, start)
    yield bytes.toString('utf8', start, next)
    start = next + 1
  }
}

interface Batch {
  text: string
  readonly written: PromiseWithResolvers<void>
}

/** Group commit: entries that arrive during a write and its sync share the next one. */
function groupedWriter(file: FileHandle) {
  let waiting: Batch | null = null
  let running: Promise<void> | null = null

  const run = async (): Promise<void> => {
    while (waiting !== null) {
      const batch: Batch = waiting
      waiting = null
      try {
        await file.appendFile(batch.text)
        await file.datasync()
        batch.written.resolve()
      } catch (error) {
        // A twin whose disk fails must not acknowledge what it could forget.
        process.stderr.write(`The twin cannot write its books: ${String(error)}\n`)
        process.exit(1)
      }
    }
    running = null
  }

  const write = (text: string): Promise<void> => {
    waiting ??= { text: '', written: Promise.withResolvers<void>() }
    waiting.text += text
    const { promise } = waiting.written
    running ??= run()
    return promise
  }

  return {
    write,
    flushed: async (): Promise<void> => {
      if (running !== null) await write('')
    },
    close: async (): Promise<void> => {
      await running
      await file.close()
    },
  }
}
