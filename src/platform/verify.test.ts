import sql from 'sql-template-tag'
import { expect, onTestFinished, test, vi } from 'vitest'
import { EventLog } from '#platform/events/events'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { brokenRules, stillBroken, verifyEvents } from '#platform/verify'

const database = await createTestDatabase()

// Proves reference/operations#verify.
test('verify reports a missing event and nothing else', async () => {
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

test('verify reports an event without its document', async () => {
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

test('verify reports the events of a damaged bundle and places that a bundle does not have', async () => {
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

test('verify reports at most a thousand breaches of a rule, and the same ones each time', async () => {
  const { businessId } = await createTestBusiness(database)
  const all = sql`select n::text as object, 'broken' as detail from generate_series(3000, 1001, -1) as n`
  const found = await Array.fromAsync(brokenRules(database.db, businessId, { rule: () => all }))
  expect(found.map((breach) => breach.object)).toEqual(
    Array.from({ length: 1_000 }, (_, i) => `${1_001 + i}`),
  )
})

test('a check runs without a statement timeout', async () => {
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

test('only a breach that two checks found is reported, as the second one found it', () => {
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
