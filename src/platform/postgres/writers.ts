import type { Sql } from 'sql-template-tag'
import type { Tx } from '#platform/postgres/database'

/**
 * Which database transaction wrote each row last, by id: whoever knows what it wrote itself need not read again what
 * still has its number (docs/decisions/0004).
 * @param rows selects `id` and `writer`, which is `xmin::text`
 */
export async function writersOf(tx: Tx, rows: Sql): Promise<Map<string, string>> {
  const found = await tx.query<{ id: string; writer: string }>(rows)
  return new Map(found.map(({ id, writer }) => [id, writer]))
}
