import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { prepareBusiness } from '#modules/businesses'
import { takeRefused } from '#platform/postgres/citus/testing/placements'
import { cleanUp } from '#platform/testing/clean-up'
import { createTestDatabase } from '#platform/testing/database'
import { PERSONAL_DATA, verifications } from '../src/maintenance.ts'
import { composeUnconnected } from './compose-unconnected.ts'

// Proves reference/operations#citus.

const { db } = await createTestDatabase()
const composition = await composeUnconnected({ db })
cleanUp(() => composition.close())

async function newTenant(): Promise<string> {
  const business = prepareBusiness({ name: 'Shop' })
  await composition.businesses.create(business)
  return business.test.businessId
}

const SOURCES = PERSONAL_DATA.flatMap(({ sources }) => sources)
const SUBJECT = {
  uuid: 'u',
  names: ['u'],
  erasedName: 'erased',
  texts: ['Ann'],
  objects: sql`select 'o' as id`,
}

test('an erasure and an export reach every table on the node of their tenant', async () => {
  const businessId = await newTenant()
  expect(SOURCES.length).toBeGreaterThan(20)
  for (const { read, erase, usesSharedTables = false } of SOURCES) {
    await db.transact(businessId, (tx) => read(tx, SUBJECT, ''), { isSnapshot: true })
    if (erase !== undefined) {
      await db.transact(businessId, (tx) => erase(tx, SUBJECT, ''), { usesSharedTables })
    }
  }
  expect(takeRefused()).toEqual([])
})

test('verify reaches every table on the node of its tenant', async () => {
  const businessId = await newTenant()
  const verified = verifications(db)
  expect(verified.length).toBeGreaterThan(10)
  for (const verify of verified) expect(await Array.fromAsync(verify(businessId))).toEqual([])
  expect(takeRefused()).toEqual([])
})

test.each(composition.jobs.map((job) => [job.name, job] as const))(
  'the job %s reaches every table on the node of its tenant',
  async (_, job) => {
    const businessId = await newTenant()
    const until = realClock.now()
    await db.transact(businessId, (tx) => job.nextRunAt(tx))
    expect(await job.run({ businessId, until, timeOf: () => until })).toBe(0)
    expect(takeRefused()).toEqual([])
  },
)
