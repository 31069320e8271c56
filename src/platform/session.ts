import pg from 'pg'
import { instantOf } from '#kernel/clock'

/** What holds of every connection of the service: its role and its limits, how values are read, and when statements leave. */

/** The role that the service works as: it owns no table and does not bypass row-level security. */
export const SERVICE_ROLE = 'quittance_service'
/** A server that is paused accepts connections and says nothing. */
export const LONGEST_CONNECT_MS = 5_000

export const LONGEST_STATEMENT_MS = 10_000
const LONGEST_PAUSE_MS = 5_000

pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, instantOf)
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => BigInt(text))
// Amounts are minor units in numeric columns of scale 0; other numerics are read with ::text.
pg.types.setTypeParser(pg.types.builtins.NUMERIC, (text) => BigInt(text))
// Documents are passed through as text: whoever wants the value parses it exactly.
pg.types.setTypeParser(pg.types.builtins.JSON, (text) => text)
pg.types.setTypeParser(pg.types.builtins.JSONB, (text) => text)

/**
 * Asked for when a connection is open and not in its options, which a DATABASE_URL may replace and a proxy may drop:
 * without the role nothing hides the rows of other tenants. Compiling costs more than any statement of ours takes: the
 * rules of `verify` took a second each for a few rows, as PostgreSQL guesses them to be long before it has seen a table.
 */
export async function setUpSession(client: pg.ClientBase): Promise<void> {
  await client.query(
    `select set_config('role', $1, false), set_config('timezone', 'UTC', false),
            set_config('statement_timeout', $2, false), set_config('idle_in_transaction_session_timeout', $3, false),
            set_config('jit', 'off', false)`,
    [SERVICE_ROLE, String(LONGEST_STATEMENT_MS), String(LONGEST_PAUSE_MS)],
  )
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
