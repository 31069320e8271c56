import type { Sql } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import type { Database, Tx } from '#platform/postgres/database'
import { readPage } from '#platform/http/validation/list'
import { replyWith, startReceiver } from '#platform/testing/receiver'
import { until } from '#platform/testing/until'
import { adminOf } from '#platform/testing/database'
import { purgeFinished } from '../storage/delivery.repository.ts'
import { findEvent, listEvents } from '../storage/event.repository.ts'
import { findDueReceivers } from '../storage/queue.repository.ts'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { admin, webhooks, publish, deliveries, register } = fixture
webhooks.start()

// Businesses with years of history: a query reads only the rows that it returns.
// Proves reference/events#types, reference/events#deliveries.

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}

/** The number of rows that a statement reads from tables and indexes. The statement is rolled back. */
async function rowsRead(businessId: string, { text, values }: Sql): Promise<number> {
  const node = await adminOf(fixture, businessId)
  await node.query('begin')
  const { rows } = await node.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, format json) ${text}`,
    values,
  )
  await node.query('rollback')
  const plans = JSON.parse(rows[0]?.['QUERY PLAN'] ?? '') as { Plan: PlanNode }[]
  return plans.reduce((sum, { Plan }) => sum + rowsReadBy(Plan), 0)
}

function rowsReadBy(node: PlanNode): number {
  const own = node['Node Type'].endsWith(' Scan') && node.Plans === undefined
  const rows = own ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] : 0
  return (node.Plans ?? []).reduce((sum, plan) => sum + rowsReadBy(plan), rows)
}

/** The business has `count` events of one order, and before them one of another type. */
async function businessWithManyEvents(count: number) {
  const { businessId, caller } = await fixture.business()
  await publish(businessId, ['ord_first'], 'order.voided')
  await publish(
    businessId,
    Array.from({ length: count }, () => 'ord_long'),
  )
  await admin.query('analyze events')
  return { businessId, caller }
}

test('a list of one event type reads no events of other types', async () => {
  const { businessId } = await businessWithManyEvents(2_000)
  const read = async (selection: { objectId?: string; type?: string }) => {
    let sum = 0
    const reading = {
      read: async (_businessId: string, statement: Sql) => {
        sum += await rowsRead(businessId, statement)
        return []
      },
    } as unknown as Database
    const { objectId, type } = selection
    await listEvents(reading, businessId, { objectId, type }, readPage('events', { limit: 5 }))
    return sum
  }
  expect(await read({ type: 'order.voided' })).toBe(1)
  expect(await read({ type: 'order.paid' })).toBe(0)
  expect(await read({ objectId: 'ord_long' })).toBeLessThanOrEqual(6)
  // The first event of each type, and the page.
  expect(await read({})).toBeLessThanOrEqual(7)
})

test('pages of events add up to the whole list, for all objects and for one', async () => {
  const { caller } = await businessWithManyEvents(30)
  for (const [list, objectId] of [
    ['events', undefined],
    ['events_of_object', 'ord_long'],
  ] as const) {
    const selection = { objectId, type: undefined }
    const whole = await webhooks.events(caller, selection, readPage(list, { limit: 100 }))
    expect(whole.events).toHaveLength(objectId === undefined ? 31 : 30)
    const paged: unknown[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { events, page } = await webhooks.events(caller, selection, readPage(list, { limit: 7, cursor }))
      paged.push(...events)
      cursor = page.next_cursor
    }
    expect(paged).toEqual(whole.events)
    const late = await webhooks.events(caller, selection, readPage(list, { limit: 7, offset: 20 }))
    expect(late.events).toEqual(whole.events.slice(20, 27))
  }
})

// Proves reference/events#payloads.
test('an event is found by its id among many of its object, most of which are not read', async () => {
  const { businessId, caller } = await businessWithManyEvents(5_000)
  const { rows } = await admin.query<{ id: string; sequence: number }>(
    `select id, sequence from events
      where business_id = $1 and object_id = 'ord_long' and sequence in (1, 2, 1777, 4999, 5000)`,
    [businessId],
  )
  expect(rows).toHaveLength(5)
  let read = 0
  const reading = {
    read: async (_businessId: string, statement: Sql) => {
      read = await rowsRead(businessId, statement)
      return []
    },
  } as unknown as Database
  for (const { id, sequence } of rows) {
    const { event } = await webhooks.event(caller, 'ord_long', id)
    expect(event).toMatchObject({ id, sequence, object_id: 'ord_long' })
    await findEvent(reading, businessId, 'ord_long', id)
    expect(read).toBeLessThan(2_200)
  }
  for (const objectId of ['ord_first', 'ord_none']) {
    const found = webhooks.event(caller, objectId, rows[0]?.id ?? '')
    await expect(found).rejects.toMatchObject({ reason: 'event_not_found' })
  }
})

test('a page of events reads only the documents that fit on it', async () => {
  const { businessId } = await fixture.business()
  await publish(businessId, ['ord_a', 'ord_b', 'ord_a', 'ord_b', 'ord_a'])
  await admin.query(
    `update events set data = json_build_object('text', repeat('x', 600000)), bundle_id = null, place = null where business_id = $1`,
    [businessId],
  )
  for (const [list, objectId, documents] of [
    ['events', undefined, [true, true, false, false, false]],
    ['events_of_object', 'ord_a', [true, true, false]],
  ] as const) {
    const selection = { objectId, type: undefined }
    const rows = await listEvents(fixture.db, businessId, selection, readPage(list, { limit: 100 }))
    expect(rows.map(({ data }) => data !== null)).toEqual(documents)
  }
})

test('a forged cursor of the events of one object is refused', async () => {
  const { caller } = await fixture.business()
  for (const id of ['evt_1', '1e3', '99999999999']) {
    const cursor = Buffer.from(JSON.stringify(['events_of_object', '2026-01-01T00:00:00Z', id]))
    const page = readPage('events_of_object', { cursor: cursor.toString('base64url') })
    await expect(webhooks.events(caller, { objectId: 'ord_x', type: undefined }, page)).rejects.toMatchObject(
      { reason: 'invalid_cursor' },
    )
  }
})

const retryInAnHour = replyWith(503, { 'retry-after': '3600' })

async function businessWithManyRetries(count: number) {
  const { businessId, caller } = await fixture.business()
  const receiver = await startReceiver(retryInAnHour)
  const endpoint = await register(caller, receiver.url)
  await publish(businessId, ['ord_r'])
  await until(async () => (await deliveries(caller))[0]?.attempts.length === 1)
  await admin.query(
    `insert into deliveries (business_id, id, event_id, object_id, sequence, url, receiver, endpoint_id, state, in_order, tries,
                             due_at, created_at)
     select business_id, id || n, event_id, object_id, sequence, url, receiver, endpoint_id, state, false, tries, due_at, created_at
       from deliveries, generate_series(2, $2::int) n where business_id = $1`,
    [businessId, count],
  )
  return { businessId, caller, endpoint }
}

test('deleting an endpoint exhausts all its pending deliveries, but not in one transaction', async () => {
  const { businessId, caller, endpoint } = await businessWithManyRetries(300)
  await webhooks.deleteEndpoint(caller, endpoint.id)
  const { rows } = await admin.query<{ waiting: number }>(
    `select count(*)::int as waiting from deliveries
      where business_id = $1 and state = 'pending' and due_at > now()`,
    [businessId],
  )
  expect(rows[0]?.waiting).toBeGreaterThan(0)
  await until(async () => {
    const left = await admin.query(`select from deliveries where business_id = $1 and state = 'pending'`, [
      businessId,
    ])
    return left.rows.length === 0
  })
})

test('while a clock is being advanced, a scan does not read all retries of a dead receiver', async () => {
  const { businessId } = await businessWithManyRetries(20_000)
  await admin.query('analyze deliveries')
  let read = 0
  const tx = {
    businessId,
    now: realClock.now().add({ hours: 2 }),
    clockOffsetMs: undefined,
    query: async (statement: Sql) => {
      read += await rowsRead(businessId, statement)
      return []
    },
  } as unknown as Tx
  await findDueReceivers(
    tx,
    { afterReceiver: '', steps: 10, max: { perReceiver: 64, total: 256 } },
    realClock.now(),
  )
  expect(read).toBeGreaterThan(2_000)
  expect(read).toBeLessThan(2_100)
})

test('the purge of deliveries reads only the oldest ones', async () => {
  // PostgreSQL expects a business to have one row in 200. With so many rows the index of ids is clearly the cheapest.
  const { businessId } = await businessWithManyRetries(50_000)
  await admin.query(`update deliveries set state = 'delivered', due_at = null where business_id = $1`, [
    businessId,
  ])
  await admin.query('analyze deliveries')
  let statement: Sql | undefined
  const tx = { businessId, execute: async (purge: Sql) => void (statement = purge) } as unknown as Tx
  await purgeFinished(tx, realClock.now().subtract({ hours: 1 }), 100)
  if (statement === undefined) throw new Error('the purge ran no statement')
  expect(await rowsRead(businessId, statement)).toBeLessThanOrEqual(100)
})
