import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { newestEvents } from '#platform/events/event-history'
import { EventLog } from '#platform/events/events'
import { keepPartitions } from '#platform/postgres/partitions/partitions'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { verifyEvents } from '#platform/verify'

const database = await createTestDatabase()
const { db, admin } = database
const DAYS = 62
const at = (text: string) => Temporal.Instant.from(text)

async function write(log: EventLog, businessId: string, objectId: string, count = 1): Promise<void> {
  await db.transact(businessId, (tx) =>
    log.append(
      tx,
      Array.from({ length: count }, (_, n) => ({
        type: 'made',
        objectId,
        timestamp: tx.now,
        data: { thing: { id: objectId, n } },
      })),
    ),
  )
}

const documentsOf = (businessId: string, objectId: string) =>
  db.transact(businessId, async (tx) => {
    const events = await newestEvents(tx, [objectId], { before: undefined, limit: 10 })
    return events.map(({ data }) => data)
  })

const breaches = (businessId: string) => Array.fromAsync(verifyEvents(db)(businessId))

// Proves reference/events#retention.
test('documents are stored by month and dropped with it, and only what was dropped is not taken for lost', async () => {
  const { businessId } = await createTestBusiness(database)
  const forEver = new EventLog()
  const log = new EventLog({ days: DAYS })
  const [table] = log.partitionedTables
  if (table === undefined) throw new Error('nothing is dropped')
  expect(forEver.partitionedTables).toEqual([])

  await write(forEver, businessId, 'kept')
  await write(log, businessId, 'before the first month')
  await keepPartitions(db.shared, table, at('2060-01-10T00:00:00Z'))
  // What a process would write in that month.
  await write(log, businessId, 'dropped', 3)
  const later = table.boundOf(at('2060-02-15T00:00:00Z'))
  await admin.query(
    `update event_bundles set id = $2
      where business_id = $1 and id = (select bundle_id from events where business_id = $1 and object_id = 'dropped' limit 1)`,
    [businessId, later],
  )
  await admin.query(`update events set bundle_id = $2 where business_id = $1 and object_id = 'dropped'`, [
    businessId,
    later,
  ])
  const document = (id: string, n: number) => JSON.stringify({ thing: { id, n } })
  expect(await documentsOf(businessId, 'dropped')).toEqual([2, 1, 0].map((n) => document('dropped', n)))
  expect(await breaches(businessId)).toEqual([])

  await keepPartitions(db.shared, table, at('2060-04-30T00:00:00Z'))
  expect(await documentsOf(businessId, 'dropped')).toHaveLength(3)
  expect(await documentsOf(businessId, 'dropped')).not.toContain(null)
  await keepPartitions(db.shared, table, at('2060-05-03T00:00:00Z'))
  expect(await documentsOf(businessId, 'dropped')).toEqual([null, null, null])
  expect(await documentsOf(businessId, 'kept')).toEqual([document('kept', 0)])
  expect(await documentsOf(businessId, 'before the first month')).toEqual([
    document('before the first month', 0),
  ])
  expect(await breaches(businessId)).toEqual([])
  await admin.query(`update events set bundle_id = $2 where business_id = $1 and object_id = 'dropped'`, [
    businessId,
    table.boundOf(at('2060-06-01T00:00:00Z')),
  ])
  expect((await breaches(businessId)).map(({ detail }) => detail)).toEqual(
    Array(3).fill(expect.stringMatching(/^its bundle evb_\w+ is missing$/)),
  )
  await write(log, businessId, 'dropped')
  const sequences = sql`select sequence from events where object_id = 'dropped' order by sequence`
  expect(await db.read(businessId, sequences)).toEqual([1, 2, 3, 4].map((sequence) => ({ sequence })))
})

test('a bundle says how many documents it has, and verify reports one that has fewer', async () => {
  const { businessId } = await createTestBusiness(database)
  const log = new EventLog({ days: DAYS })
  await write(log, businessId, 'short', 2)
  await admin.query('update event_bundles set count = 3 where business_id = $1', [businessId])
  expect(await breaches(businessId)).toEqual([])
  await admin.query(`update events set place = 2 where business_id = $1 and sequence = 2`, [businessId])
  expect((await breaches(businessId)).map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^its bundle evb_\w+ has no place 2$/),
  ])
})
