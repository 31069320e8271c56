import sql from 'sql-template-tag'
import { expect, onTestFinished, test, vi } from 'vitest'
import { EventLog } from '#platform/events/events'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { brokenRules, stillBroken, verifyEvents } from '#platform/verify'

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

test('events of a damaged bundle, and places that a bundle does not have, are named', async () => {
  const { businessId } = await createTestBusiness(database)
  const write = (count: number, object: string) =>
    database.db.transact(businessId, (tx) =>
      new EventLog().append(
        tx,
        Array.from({ length: count }, (_, n) => ({
          type: 't',
          objectId: `${object}-${n}`,
          timestamp: tx.now,
          data: { order: { n } },
        })),
      ),
    )
  await write(100, 'whole')
  await write(16, 'damaged')
  const unnamed = () => Array.fromAsync(verifyEvents(database.db)(businessId))
  expect(await unnamed()).toEqual([])
  await database.admin.query(
    `update event_bundles set documents = substring(documents for 20)
      where id = (select bundle_id from events where business_id = $1 and object_id = 'damaged-0')`,
    [businessId],
  )
  await database.admin.query(
    `update events set place = place + 36 where business_id = $1 and object_id in ('whole-63', 'whole-64')`,
    [businessId],
  )
  const { rows } = await database.admin.query<{ id: string; bundle_id: string; object_id: string }>(
    `select id, bundle_id, object_id from events
      where business_id = $1 and object_id in ('whole-63', 'whole-64') or object_id like 'damaged%' order by id`,
    [businessId],
  )
  const breaches = await Array.fromAsync(verifyEvents(database.db)(businessId))
  expect(breaches.map(({ rule, object, detail }) => [rule, object, detail])).toEqual(
    rows.map(({ id, bundle_id: bundle, object_id: of }) => {
      const what = { 'whole-63': 'has no place 99', 'whole-64': 'has no place 36' }[of] ?? 'cannot be read'
      return ['event_has_its_document', id, `its bundle ${bundle} ${what}`]
    }),
  )
})

test('of a rule that is broken everywhere the same thousand objects are told each time', async () => {
  const { businessId } = await createTestBusiness(database)
  const all = sql`select n::text as object, 'broken' as detail from generate_series(3000, 1001, -1) as n`
  const found = await Array.fromAsync(brokenRules(database.db, businessId, { rule: () => all }))
  expect(found.map((breach) => breach.object)).toEqual(
    Array.from({ length: 1_000 }, (_, i) => `${1_001 + i}`),
  )
})

test('a look over everything may take as long as it takes', async () => {
  const { businessId } = await createTestBusiness(database)
  const clock = vi.spyOn(Date, 'now')
  onTestFinished(() => clock.mockRestore())
  const slow = () => {
    clock.mockReturnValue(Date.now() + 3_600_000)
    return sql`select 'o' as object, 'broken' as detail`
  }
  const broken = await Array.fromAsync(brokenRules(database.db, businessId, { rule: slow }))
  expect(broken).toEqual([{ rule: 'rule', business_id: businessId, object: 'o', detail: 'broken' }])
})

test('what is broken at both looks is told as the second saw it, and nothing else', () => {
  const breach = { rule: 'balance', business_id: 'biz_1', object: 'acc_1', detail: 'stands at 5, sums to 4' }
  const moved = { ...breach, detail: 'stands at 9, sums to 8' }
  const others = [
    { ...breach, rule: 'order' },
    { ...breach, business_id: 'biz_2' },
    { ...breach, object: 'acc_2' },
  ]
  expect(stillBroken([breach, ...others], [moved])).toEqual([moved])
  expect(stillBroken([breach], [...others, moved])).toEqual([moved])
})
