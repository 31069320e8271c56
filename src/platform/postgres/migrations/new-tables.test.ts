import { expect, test } from 'vitest'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { analyzeNewTables } from './new-tables.ts'

const database = await createTestDatabase({ isPlain: true })
const { db, admin } = database

// Proves reference/operations#starting.
test('a table is analyzed once it has a hundred rows, and then no more', async () => {
  const { businessId } = await createTestBusiness(database)
  const fill = async (rows: number) => {
    await admin.query(
      `insert into next_runs (business_id, job, due_at)
       select $1, 'job ' || gen_random_uuid(), 'infinity' from generate_series(1, $2)`,
      [businessId, rows],
    )
    await admin.query('select pg_stat_force_next_flush()')
  }
  const analyzed = async () => {
    await analyzeNewTables(db)
    const { rows } = await admin.query<{ count: number }>(
      `select analyze_count::int as count from pg_stat_user_tables where relname = 'next_runs'`,
    )
    return rows[0]?.count
  }
  await fill(50)
  expect(await analyzed()).toBe(0)
  await fill(50)
  await expect.poll(analyzed).toBe(1)
  await fill(100)
  expect(await analyzed()).toBe(1)
})
