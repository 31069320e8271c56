import type { Database } from '#platform/postgres/database'

export const ANALYZE_NEW_TABLES_MS = 2_000

export async function analyzeNewTables(db: Database): Promise<void> {
  await db.onAllNodes('select quittance_analyze_new_tables()')
}
