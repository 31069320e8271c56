import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Tx } from '#platform/postgres/database'
import { DOCUMENT_COLUMNS, type StoredDocument, withDocuments } from '#platform/events/event-documents'
import { type AppendedEvent, EventLog } from '#platform/events/events'
import { adminOf, createTestBusiness, createTestDatabase, untilWaiting } from '#platform/testing/database'

const database = await createTestDatabase()
const { db } = database

// Proves reference/events#sequence, reference/events#payloads.

function change(tx: { now: Temporal.Instant }, objectId: string, type: string) {
  return { type, objectId, timestamp: tx.now, data: { thing: { id: objectId } } }
}

test('sequences count the events of each object without gaps, across transactions and within one', async () => {
  const { businessId } = await createTestBusiness(database)
  const log = new EventLog()
  const seen: AppendedEvent[] = []
  log.observe(() => async (_events, appended) => {
    seen.push(...(await appended()))
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

test('the times of an object never run backwards, whenever its transactions began', async () => {
  const { businessId } = await createTestBusiness(database)
  const log = new EventLog()
  const append = (objectId: string, timestamp: string) =>
    db.transact(businessId, (tx) =>
      log.append(tx, [{ ...change(tx, objectId, 'x'), timestamp: Temporal.Instant.from(timestamp) }]),
    )
  await append('a', '2026-01-02T00:00:00Z')
  await append('a', '2026-01-01T00:00:00Z')
  await append('b', '2026-01-01T00:00:00Z')
  await append('a', '2026-01-03T00:00:00Z')
  const rows = await db.read<{ day: string }>(
    businessId,
    sql`select object_id || to_char(timestamp at time zone 'UTC', 'DD') as day from events order by object_id, sequence`,
  )
  expect(rows.map(({ day }) => day)).toEqual(['a02', 'a02', 'a03', 'b01'])
})

test('a transaction that did not lock its object is refused and cannot duplicate a sequence', async () => {
  const { businessId } = await createTestBusiness(database)
  const log = new EventLog()
  const append = (tx: Tx) => log.append(tx, [change(tx, 'a', 'x')])
  const node = await adminOf(database, businessId)
  const firstAppended = Promise.withResolvers<void>()
  const first = db.transact(businessId, async (tx) => {
    await append(tx)
    // The insert is deferred. This statement returns after it.
    await tx.query(sql`select 1`)
    firstAppended.resolve()
    // By then the second transaction has read the last sequence, and waits for this one at the unique index.
    await untilWaiting(node, 1)
  })
  await firstAppended.promise
  await expect(db.transact(businessId, append)).rejects.toThrow('events_object_sequence')
  await first
})

test('an observer that is prepared early handles the events once', async () => {
  const { businessId } = await createTestBusiness(database)
  const log = new EventLog()
  const calls: string[] = []
  log.observe(() => {
    calls.push('prepared')
    return async (events) => void calls.push(...events.map(({ type }) => type))
  })
  await db.transact(businessId, async (tx) => {
    const prepared = log.prepare(tx)
    await log.append(tx, [change(tx, 'a', '1')], prepared)
    await log.append(tx, [change(tx, 'a', '2')], prepared)
  })
  expect(calls).toEqual(['prepared', '1', '2'])
})

test('a transaction that fails leaves no event', async () => {
  const { businessId } = await createTestBusiness(database)
  const log = new EventLog()
  await expect(
    db.transact(businessId, async (tx) => {
      await log.append(tx, [change(tx, 'a', '1')])
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  expect(await db.read(businessId, sql`select id from events`)).toEqual([])
})

async function documentsOf(
  businessId: string,
): Promise<(readonly [objectId: string, document: string | null])[]> {
  const stored = await db.read<{ object_id: string } & StoredDocument>(
    businessId,
    sql`select object_id, ${DOCUMENT_COLUMNS} from events order by object_id desc`,
  )
  const events = await withDocuments(businessId, stored, (statement) => db.read(businessId, statement))
  return events.map((event) => [event.object_id, event.data] as const)
}

test.each([1, 3, 15, 16, 64, 65, 200])(
  'each of %i events that are written together keeps its document',
  async (count) => {
    const { businessId } = await createTestBusiness(database)
    const names = Array.from({ length: count }, (_, index) => `${String(index).padStart(3, '0')}\n"茶"`)
    await db.transact(businessId, (tx) =>
      new EventLog().append(
        tx,
        names.map((name) => change(tx, name, 'made')),
      ),
    )
    const written = names.map((name) => [name, JSON.stringify({ thing: { id: name } })])
    expect(await documentsOf(businessId)).toEqual(written.toReversed())
  },
)

test('long documents are stored whole', async () => {
  const { businessId } = await createTestBusiness(database)
  const data = { note: '茶'.repeat(20_000) }
  await db.transact(businessId, (tx) =>
    new EventLog().append(
      tx,
      Array.from({ length: 20 }, (_, index) => ({ ...change(tx, `object ${index}`, 'made'), data })),
    ),
  )
  const documents = (await documentsOf(businessId)).map(([, document]) => document)
  expect(documents).toEqual(Array.from({ length: 20 }, () => JSON.stringify(data)))
})

test('the documents of events that are written together share compressed bundles', async () => {
  const { businessId } = await createTestBusiness(database)
  await db.transact(businessId, (tx) =>
    new EventLog().append(
      tx,
      Array.from({ length: 200 }, (_, index) => change(tx, `object ${index}`, 'made')),
    ),
  )
  const { rows } = await database.admin.query<{ bundles: number; bytes: number }>(
    'select count(*)::int as bundles, sum(length(documents))::int as bytes from event_bundles where business_id = $1',
    [businessId],
  )
  expect(rows[0]?.bundles).toBe(4)
  expect(rows[0]?.bytes).toBeLessThan(200 * JSON.stringify({ thing: { id: 'object 000' } }).length)
})
