import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { withDeadline } from '#platform/postgres/session'
import { wire } from '#platform/postgres/wire/current-wire'
import { messageOf } from '#platform/thrown'

const CONNECT_MS = 3_000
/** docs/operating/failover.md has the times of a failover. */
const DEFAULT_MAX_SILENCE_MS = 4_000
const EVERY_MS = 500

export interface Sentinel {
  ask(): void
  stop(): Promise<void>
}

export interface SentinelOptions<Row> {
  readonly url: string
  readonly statement: Sql
  readonly maxSilenceMs?: number
  readonly onRow: (row: Row) => void
  readonly onDown: (reason: string) => void
}

/**
 * Asks one host the same question twice a second on a connection of its own. A host that vanished with its machine closes
 * no connection, so only an unanswered question shows that it is gone.
 */
export function watchHost<Row extends object>(options: SentinelOptions<Row>): Sentinel {
  const stopping = new AbortController()
  let wake = (): void => {}
  const pause = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, EVERY_MS)
    wake = resolve
    await promise
    clearTimeout(timer)
  }
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await askUntilDown(options, pause, stopping.signal)
      if (!stopping.signal.aborted) await pause()
    }
  })()
  return {
    ask: () => wake(),
    stop: async () => {
      stopping.abort()
      wake()
      await watching
    },
  }
}

async function askUntilDown<Row extends object>(
  {
    url,
    statement: { text, values },
    maxSilenceMs = DEFAULT_MAX_SILENCE_MS,
    onRow,
    onDown,
  }: SentinelOptions<Row>,
  pause: () => Promise<void>,
  stopping: AbortSignal,
): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS })
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})
  client.on('error', lost.reject)
  client.on('end', () => lost.reject(new Error('Connection terminated')))
  try {
    await client.connect()
    while (!stopping.aborted) {
      const { rows } = await withDeadline(client, maxSilenceMs, client.query<Row>(text, values))
      if (rows[0] !== undefined) onRow(rows[0])
      await Promise.race([pause(), lost.promise])
    }
  } catch (error) {
    onDown(messageOf(error))
  } finally {
    wire.disconnect(client)
  }
}
