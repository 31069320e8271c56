import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'

/**
 * What lets the runner come at once to the tenants of rows whose leases end.
 * @param kind of due work on the business's clock
 * @param ended an `update … returning business_id`
 */
export function dueAtOnce(kind: string, ended: Sql): Sql {
  return sql`
    with ended as (${ended})
    insert into due_heads (business_id, kind, due_at) select distinct business_id, ${kind}::text, now() from ended
    on conflict (business_id, kind) do update set due_at = least(due_heads.due_at, excluded.due_at), rechecks = 0`
}

/**
 * Ends the leases of a process that died, for all tenants, so that what it had under way is taken up at once
 * instead of when they run out. Only for whoever is alone on the database: the owner of the lock on its DATA_DIR.
 */
export async function endDeadLeases(url: string, statements: readonly Sql[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement.text, statement.values)
  } finally {
    await client.end()
  }
}
