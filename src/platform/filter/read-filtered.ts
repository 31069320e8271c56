import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '#platform/postgres/database'

/**
 * Reads the rows of a list. A filter may read every row of the tenant, so a statement with one is limited as a search.
 * @param statementOf makes the statement from the condition of its `where`
 */
export function readFiltered<Row extends object>(
  db: Database,
  businessId: string,
  condition: Sql | undefined,
  statementOf: (condition: Sql) => Sql,
): Promise<Row[]> {
  if (condition === undefined) return db.read<Row>(businessId, statementOf(sql`true`))
  return db.transact(businessId, (tx) => tx.query<Row>(statementOf(condition)), { isSearch: true })
}
