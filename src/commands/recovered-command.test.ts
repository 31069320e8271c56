import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { Businesses } from '#modules/businesses'
import { readConfig } from '#platform/config'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { createTestKeyring } from '#platform/testing/keyring'
import { recovered } from './recovered-command.ts'

const database = await createTestDatabase()
const { db, url, admin } = database
const { keyring } = createTestKeyring()
const context = {
  db,
  migrations: [],
  config: readConfig({ DATABASE_URL: url, DATA_DIR: '/nonexistent' }),
  businesses: new Businesses({ db, keyring }),
  keyring,
  keyFile: undefined,
  keyIdsInUse: [],
}

async function nextReceipt(): Promise<bigint> {
  const { rows } = await admin.query<{ next_number: bigint }>('select next_number from receipt_numbers')
  return rows[0]?.next_number ?? 0n
}

// Proves reference/operations#recovery.
test('numbers that may be in use are skipped once, and the period is recorded', async () => {
  const since = realClock.now().subtract({ minutes: 10 }).toString()
  const before = await nextReceipt()
  await createTestBusiness(database)
  const first = await recovered({ since })(context)
  expect(first.json).toMatchObject({
    skipped: { receipt_numbers: 1_000_000 },
    unknown_bookings: [],
    not_compared: ['The simulator: set SIMULATOR_URL to that of the service.'],
  })
  expect(await nextReceipt()).toBe(before + 1_000_000n)
  expect((await recovered({ since })(context)).json).toMatchObject({ skipped: null })
  expect(await nextReceipt()).toBe(before + 1_000_000n)
  const { rows } = await admin.query('select since from recoveries where since is not null')
  expect(rows).toHaveLength(1)
})

test.each([
  ['yesterday', '--since must be an RFC 3339 time with its offset'],
  ['2999-01-01T00:00:00Z', '--since must not be in the future.'],
])('the time %s is refused', async (since, message) => {
  await expect(recovered({ since })(context)).rejects.toThrow(message)
})
