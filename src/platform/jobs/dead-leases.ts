import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { CONNECT_TIMEOUT_MS } from '#platform/postgres/session'

/**
 * Ends the leases of a process that died, for all tenants, so that what it had under way is taken up at once
 * instead of when they run out. Only for whoever is alone on the database: the owner of the lock on its DATA_DIR.
 */
export async function endDeadLeases(url: string, statements: readonly Sql[]): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement.text, statement.values)
  } finally {
    await client.end()
  }
}
