import { describe, expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { createTestDatabase, type TestDatabase } from '#platform/testing/database'
import { createTestKeyring } from '#platform/testing/keyring'
import { businessesOf } from '../businesses.ts'
import { markKeyUsed } from '../storage/repository.ts'
import { prepareBusiness } from './prepare-business.ts'

// Proves reference/operations#citus.
describe.skipIf(process.env['CITUS_URL'] === undefined)('on Citus (needs CITUS_URL)', async () => {
  const { db, admin } =
    process.env['CITUS_URL'] === undefined ? ({} as TestDatabase) : await createTestDatabase()

  test('a business is made while keys are used, without a deadlock between nodes', async () => {
    const { create } = businessesOf({ db, keyring: createTestKeyring().keyring })
    const made = Array.from({ length: 4 }, (_, place) => prepareBusiness({ name: `Shop ${place}` }))
    for (const business of made) await create(business)
    const deadlocks = async () => {
      const { rows } = await admin.query<{ count: number }>(
        `select sum(result::bigint)::int as count
           from run_command_on_all_nodes('select deadlocks from pg_stat_database where datname = current_database()')`,
      )
      return rows[0]?.count
    }
    const before = await deadlocks()
    const created = new AbortController()
    const use = async (keyId: string): Promise<void> => {
      for (let minutes = 2; !created.signal.aborted; minutes += 2) {
        await markKeyUsed(db.shared, keyId, realClock.now().add({ minutes }))
      }
    }
    const using = made.map(({ keyId }) => use(keyId))
    for (let count = 0; count < 15; count++) await create(prepareBusiness({ name: 'Later' }))
    created.abort()
    await Promise.all(using)
    expect(await deadlocks()).toBe(before)
  })
})
