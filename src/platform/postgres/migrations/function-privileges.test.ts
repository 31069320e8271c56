import { expect, test } from 'vitest'
import { createTestDatabase } from '#platform/testing/database'

const { admin } = await createTestDatabase()

// Proves reference/operations#starting.
test('no function of the schema is executable by PUBLIC', async () => {
  const { rows } = await admin.query<{ name: string; is_for_public: boolean }>(`
    select oid::regprocedure::text as name, has_function_privilege('public', oid, 'execute') as is_for_public
      from pg_proc where pronamespace = 'public'::regnamespace order by 1`)
  expect(rows.length).toBeGreaterThan(20)
  expect(rows.filter((row) => row.is_for_public).map(({ name }) => name)).toEqual([])
})
