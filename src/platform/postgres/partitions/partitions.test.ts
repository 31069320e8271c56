import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { firstIdAt } from '#kernel/ids'
import { keepPartitions, type PartitionedTable } from '#platform/postgres/partitions/partitions'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'

const database = await createTestDatabase({ isPlain: true })
const { admin, db } = database

const DELIVERIES: PartitionedTable = {
  name: 'deliveries',
  period: 'month',
  boundOf: (start) => firstIdAt('dlv', start.epochMilliseconds),
  keepDays: 30,
}

async function partitions(table = 'deliveries'): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1',
    [table],
  )
  return rows.map(({ name }) => name)
}

const at = (text: string) => Temporal.Instant.from(text)

async function deliver(businessId: string, time: string, state = 'delivered'): Promise<string> {
  const id = `${firstIdAt('dlv', at(time).epochMilliseconds)}_${state}`
  await admin.query(
    `insert into deliveries (business_id, id, event_id, object_id, sequence, url, receiver, state, created_at)
     values ($1, $2, 'evt', 'ord', 1, 'https://example.com', 'example.com', $3, $4)`,
    [businessId, id, state, time],
  )
  return id
}

test('months are made ahead, and a month is dropped whole once all of it is older than is kept', async () => {
  const { businessId } = await createTestBusiness(database)
  await deliver(businessId, '2025-12-24T00:00:00Z')
  await keepPartitions(db.shared, DELIVERIES, at('2026-01-10T00:00:00Z'))
  expect(await partitions()).toEqual(['deliveries_202602', 'deliveries_default'])
  await keepPartitions(db.shared, DELIVERIES, at('2026-02-10T00:00:00Z'))
  const sent = await deliver(businessId, '2026-02-28T23:59:59Z')
  const next = await deliver(businessId, '2026-03-01T00:00:00Z')
  const where = await admin.query(
    'select tableoid::regclass::text as part from deliveries where id = any($1) order by id',
    [[sent, next]],
  )
  expect(where.rows).toEqual([{ part: 'deliveries_202602' }, { part: 'deliveries_202603' }])
  await keepPartitions(db.shared, DELIVERIES, at('2026-03-20T00:00:00Z'))
  expect(await partitions()).toContain('deliveries_202602')
  await keepPartitions(db.shared, DELIVERIES, at('2026-03-31T00:00:01Z'))
  expect(await partitions()).toEqual(['deliveries_202603', 'deliveries_202604', 'deliveries_default'])

  const waiting = await deliver(businessId, '2026-04-05T00:00:00Z', 'pending')
  for (const now of ['2026-04-20', '2026-05-20', '2026-07-20']) {
    await keepPartitions(db.shared, DELIVERIES, at(`${now}T00:00:00Z`))
  }
  expect((await partitions()).filter((name) => name < 'deliveries_202606')).toEqual(['deliveries_202604'])
  await admin.query(`update deliveries set state = 'exhausted' where id = $1`, [waiting])
  await keepPartitions(db.shared, DELIVERIES, at('2026-07-20T00:00:00Z'))
  expect((await partitions()).filter((name) => name < 'deliveries_202606')).toEqual([])
})

test('a partition shows a tenant only its own rows, and the service cannot read it by its name', async () => {
  const [ours, theirs] = [await createTestBusiness(database), await createTestBusiness(database)]
  await keepPartitions(db.shared, DELIVERIES, at('2030-01-10T00:00:00Z'))
  const id = await deliver(ours.businessId, '2030-02-02T00:00:00Z')
  expect(await db.read(ours.businessId, sql`select id from deliveries`)).toEqual([{ id }])
  expect(await db.read(theirs.businessId, sql`select id from deliveries`)).toEqual([])
  await expect(db.read(ours.businessId, sql`select id from deliveries_203002`)).rejects.toThrow(
    'permission denied',
  )
})

test('a partition is made while rows of every time up to now are in the default partition, and its proof is not left', async () => {
  const { businessId } = await createTestBusiness(database)
  await deliver(businessId, '2040-01-09T00:00:00Z')
  await keepPartitions(db.shared, DELIVERIES, at('2040-01-10T00:00:00Z'))
  expect(await partitions()).toContain('deliveries_204002')
  const { rows } = await admin.query(`select conname from pg_constraint where conname = 'partition_bound'`)
  expect(rows).toEqual([])
})

test('processes that do the same at the same moment do not disturb each other', async () => {
  const now = at('2050-01-10T00:00:00Z')
  await Promise.all([1, 2, 3].map(() => keepPartitions(db.shared, DELIVERIES, now)))
  expect(await partitions()).toContain('deliveries_205002')
})

test('only tables that are listed have partitions', async () => {
  await expect(keepPartitions(db.shared, { ...DELIVERIES, name: 'orders' })).rejects.toThrow(
    'orders has no partitions',
  )
})
