import { expect, test } from 'vitest'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { verifyEvents } from '#platform/verify'

const database = await createTestDatabase()

test('a missing event is named, and nothing else is', async () => {
  const { businessId } = await createTestBusiness(database)
  for (const [object, sequence] of [
    ['whole', 1],
    ['whole', 2],
    ['gap', 1],
    ['gap', 3],
    ['late', 2],
  ] as const) {
    await database.admin.query(
      `insert into events (business_id, id, object_id, sequence, type, timestamp, data) values ($1, $2, $3, $4, 't', now(), '{}')`,
      [businessId, `${object}-${sequence}`, object, sequence],
    )
  }
  const breaches = await Array.fromAsync(verifyEvents(database.db)(businessId))
  expect(breaches.map((breach) => [breach.rule, breach.object])).toEqual([
    ['event_sequence_without_gaps', 'gap'],
    ['event_sequence_without_gaps', 'late'],
  ])
})

test('an event without its document is named', async () => {
  const { businessId } = await createTestBusiness(database)
  await database.admin.query(
    `insert into events (business_id, id, object_id, sequence, type, timestamp, bundle_id, place)
     values ($1, 'lost', 'a', 1, 't', now(), 'evb_none', 0)`,
    [businessId],
  )
  expect(await Array.fromAsync(verifyEvents(database.db)(businessId))).toEqual([
    {
      rule: 'event_has_its_document',
      business_id: businessId,
      object: 'lost',
      detail: 'its bundle evb_none is missing',
    },
  ])
})
