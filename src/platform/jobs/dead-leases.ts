import type { Sql } from 'sql-template-tag'
import { withOwnerConnection } from '#platform/postgres/owner-connection'

/**
 * Ends the leases of a process that died, so that its work resumes at once. Only the holder of the lock on DATA_DIR may call
 * this, because no other process may be at work on the database.
 * @param statements updates across all tenants
 */
export async function releaseDeadLeases(url: string, statements: readonly Sql[]): Promise<void> {
  await withOwnerConnection(url, async (owner) => {
    for (const { text, values } of statements) await owner.query(text, values)
  })
}
