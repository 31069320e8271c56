import pg from 'pg'
import { instantOf } from '#kernel/clock'

/** What holds of every connection of the service: its role and its limits, how values are read, and when statements leave. */

/** The role that the service works as: it owns no table and does not bypass row-level security. */
export const SERVICE_ROLE = 'quittance_service'
/** Where the tables are, also where the user of DATABASE_URL has a schema of its own, which would come first. */
export const SCHEMA = 'public'
/** A server that is paused accepts connections and says nothing. */
export const CONNECT_TIMEOUT_MS = 5_000

export const MAX_STATEMENT_MS = 10_000
const MAX_PAUSE_MS = 5_000
/** Of a statement that is sent behind others, which a connection answers one after the other. */
export const MAX_RESPONSE_MS = 30_000

pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, instantOf)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => BigInt(text))
// Amounts are minor units in numeric columns of scale 0; other numerics are read with ::text.
pg.types.setTypeParser(pg.types.builtins.NUMERIC, (text) => BigInt(text))
// Documents are passed through as text: whoever wants the value parses it exactly.
pg.types.setTypeParser(pg.types.builtins.JSON, (text) => text)
pg.types.setTypeParser(pg.types.builtins.JSONB, (text) => text)

/**
 * What our statements rely on, whatever DATABASE_URL, its user or its database ask for (`alter role … set`): what they
 * answer, and how, must not hang on it.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  // Without it nothing hides the rows of other tenants.
  role: SERVICE_ROLE,
  search_path: SCHEMA,
  row_security: 'on',
  default_transaction_isolation: 'read committed',
  timezone: 'UTC',
  datestyle: 'ISO',
  array_nulls: 'on',
  transform_null_equals: 'off',
  statement_timeout: String(MAX_STATEMENT_MS),
  lock_timeout: '0',
  idle_in_transaction_session_timeout: String(MAX_PAUSE_MS),
  // Compiling costs more than any statement of ours takes: the rules of `verify` took a second each for a few rows, as
  // PostgreSQL guesses them to be long before it has seen a table.
  jit: 'off',
}

/** Asked for when a connection is open and not in its options, which a DATABASE_URL may replace and a proxy may drop. */
export async function setUpSession(client: pg.Client): Promise<void> {
  const set = client.query<{ read_only: string }>(
    `select current_setting('transaction_read_only') as read_only, set_config(key, value, false)
       from json_each_text($1)`,
    [JSON.stringify(SETTINGS)],
  )
  const { rows } = await endedWithin(client, CONNECT_TIMEOUT_MS, set)
  if (rows[0]?.read_only === 'on') throw new OnlyReads()
}

/** A replica, such as the primary from before a failover. Kept, its connections would fail every write, and read what is old. */
class OnlyReads extends Error {
  /** As PostgreSQL's own, of a statement that writes. */
  readonly code = '25006'

  constructor() {
    super('the database can only be read; DATABASE_URL must lead to the primary')
  }
}

/**
 * Waits for what was sent over a connection, and cuts the connection when that takes longer than a server that is there
 * ever lets it. One that vanished with its machine or its network says nothing, and the kernel would wait for a quarter of
 * an hour.
 */
export async function endedWithin<T>(client: pg.Client, ms: number, sent: Promise<T>): Promise<T> {
  if (ms === Infinity) return sent
  const timer = setTimeout(() => {
    client.connection.stream.destroy(new Error('Connection terminated: the database does not answer'))
  }, ms)
  try {
    return await sent
  } finally {
    clearTimeout(timer)
  }
}

const writing = new WeakSet<pg.Client>()

/**
 * Lets the statements that are sent within one tick leave in one write. A write to a socket costs as much
 * as preparing the statement, and wakes the server up each time.
 */
export function writeTogether(client: pg.Client): void {
  if (writing.has(client)) return
  writing.add(client)
  const { stream } = client.connection
  stream.cork()
  process.nextTick(() => {
    writing.delete(client)
    stream.uncork()
  })
}
