import { setTimeout as sleep } from 'node:timers/promises'

export interface Followed<Row> {
  readonly rows: readonly Row[]
  readonly nextCursor: string | null
}

export interface FollowOptions {
  readonly intervalMs: number
  readonly signal: AbortSignal
  /** Called for a read that failed. The read is repeated. */
  readonly onError: (error: unknown) => void
  /** Called once no row can be missed any more. */
  readonly onReady?: () => void
}

/** Rows that were committed late lie behind newer ones. A page holds fewer rows than this. */
const REMEMBERED = 20_000

/**
 * Yields the rows that a list, newest first, gains from now on, oldest first. Each row comes once.
 * @param read one page of the list
 */
export async function* follow<Row>(
  read: (cursor: string | undefined) => Promise<Followed<Row>>,
  idOf: (row: Row) => string,
  { intervalMs, signal, onError, onReady }: FollowOptions,
): AsyncGenerator<Row, void, undefined> {
  const seen = new Set<string>()
  const first = await read(undefined)
  for (const row of first.rows) seen.add(idOf(row))
  const isEmpty = first.rows.length === 0
  onReady?.()
  while (!signal.aborted) {
    await sleep(intervalMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) return
    let fresh: Row[]
    try {
      fresh = await unseen(read, idOf, seen, isEmpty && seen.size === 0)
    } catch (error) {
      onError(error)
      continue
    }
    for (const row of fresh.toReversed()) {
      seen.add(idOf(row))
      yield row
    }
    for (const id of seen) {
      if (seen.size <= REMEMBERED) break
      seen.delete(id)
    }
  }
}

/** Goes back page by page until a page holds a row that was seen before. */
async function unseen<Row>(
  read: (cursor: string | undefined) => Promise<Followed<Row>>,
  idOf: (row: Row) => string,
  seen: ReadonlySet<string>,
  all: boolean,
): Promise<Row[]> {
  const found: Row[] = []
  let cursor: string | undefined
  for (;;) {
    const { rows, nextCursor } = await read(cursor)
    const fresh = rows.filter((row) => !seen.has(idOf(row)))
    found.push(...fresh)
    const isConnected = !all && fresh.length < rows.length
    if (isConnected || nextCursor === null) return found
    cursor = nextCursor
  }
}
