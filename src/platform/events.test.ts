import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { type AppendedEvent, EventLog } from '#platform/events'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'

const database = await createTestDatabase()
const { db } = database

function change(tx: { now: Temporal.Instant }, objectId: string, type: string) {
  return { type, objectId, timestamp: tx.now, data: { thing: { id: objectId } } }
}

test('sequences count per object without gaps, over batches and within one', async () => {
  const { businessId } = await createTestBusiness(database)
  const log = new EventLog()
  const seen: AppendedEvent[] = []
  log.observe(async (_tx, events) => {
    seen.push(...events)
  })
  await db.transact(businessId, (tx) =>
    log.append(tx, [change(tx, 'a', '1'), change(tx, 'b', '1'), change(tx, 'a', '2')]),
  )
  await db.transact(businessId, (tx) => log.append(tx, [change(tx, 'a', '3'), change(tx, 'b', '2')]))
  const rows = await db.read(
    businessId,
    sql`select object_id, sequence, type from events order by object_id, sequence`,
  )
  expect(rows).toEqual([
    { object_id: 'a', sequence: 1, type: '1' },
    { object_id: 'a', sequence: 2, type: '2' },
    { object_id: 'a', sequence: 3, type: '3' },
    { object_id: 'b', sequence: 1, type: '1' },
    { object_id: 'b', sequence: 2, type: '2' },
  ])
  expect(seen.map((event) => [event.objectId, event.sequence])).toEqual([
    ['a', 1],
    ['b', 1],
    ['a', 2],
    ['a', 3],
    ['b', 2],
  ])
})

test('a writer that did not lock its object is refused instead of leaving a double', async () => {
  const { businessId } = await createTestBusiness(database)
  const log = new EventLog()
  let appended = 0
  // Both have read the last number before either commits.
  const bothAppended = Promise.withResolvers<void>()
  const append = () =>
    db.transact(businessId, async (tx) => {
      const done = log.append(tx, [change(tx, 'a', 'x')])
      if (++appended === 2) bothAppended.resolve()
      await bothAppended.promise
      await done
    })
  const results = await Promise.allSettled([append(), append()])
  expect(results.filter((result) => result.status === 'rejected')).toHaveLength(1)
})

test('an event of a transaction that fails is not told', async () => {
  const { businessId } = await createTestBusiness(database)
  const log = new EventLog()
  await expect(
    db.transact(businessId, async (tx) => {
      await log.append(tx, [change(tx, 'a', '1')])
      throw new Error('changed its mind')
    }),
  ).rejects.toThrow('changed its mind')
  expect(await db.read(businessId, sql`select id from events`)).toEqual([])
})
