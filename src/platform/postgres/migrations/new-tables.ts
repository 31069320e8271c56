import sql from 'sql-template-tag'
import type { SharedStatements } from '#platform/postgres/database'

export const ANALYZE_NEW_TABLES_MS = 2_000

export async function analyzeNewTables(shared: SharedStatements): Promise<void> {
  await shared.query(sql`select quittance_analyze_new_tables()`)
}
