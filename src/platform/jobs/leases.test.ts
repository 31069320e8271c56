import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import {
  claimDue,
  claimRows,
  dueBy,
  extendLeases,
  isHeldUnder,
  type Lease,
  leasedTable,
  newLease,
  recordEach,
  releaseRows,
} from './leases.ts'

const database = await createTestDatabase()
const { db, admin } = database
await admin.query(`
  create table chores (
    business_id text collate "C" not null, name text not null, due_at timestamptz not null, leased_until timestamptz,
    lease_id text, primary key (business_id, name))`)
await admin.query(`select quittance_tenant_table('chores')`)

const CHORES = leasedTable('chores', { key: ['name'] })
const LEASE_MS = 60_000

async function businessWithChores(...names: string[]): Promise<string> {
  const { businessId } = await createTestBusiness(database)
  for (const [index, name] of names.entries()) {
    await admin.query(
      `insert into chores (business_id, name, due_at) values ($1, $2, now() - interval '1 hour' + $3 * interval '1 s')`,
      [businessId, name, index],
    )
  }
  return businessId
}

async function claim(tx: Tx, limit: number, lease: Lease = newLease(LEASE_MS)): Promise<string[]> {
  const rows = await claimRows<{ name: string }>(tx, CHORES, {
    where: dueBy(realClock.now()),
    limit,
    lease,
    set: [sql`lease_id = ${lease.id}`],
    returning: sql`r.name`,
  })
  return rows.map(({ name }) => name).toSorted()
}

test('each due row is leased to one process at a time, earliest first, and rows that others lock are skipped', async () => {
  const businessId = await businessWithChores('a', 'b', 'c', 'd', 'e')
  const claimed = await db.transact(businessId, async (tx) => [
    await claim(tx, 2),
    await db.transact(businessId, (other) => claim(other, 2)),
  ])
  expect(claimed).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  expect(await db.transact(businessId, (tx) => claim(tx, 9))).toEqual(['e'])
  expect(await db.transact(businessId, (tx) => claim(tx, 9))).toEqual([])
})

test('a lease that has ended is claimed again, and its first holder neither extends nor releases it any more', async () => {
  const businessId = await businessWithChores('a')
  const transact = <Result>(work: (tx: Tx) => Promise<Result>) => db.transact(businessId, work)
  const slow = newLease(0)
  const next = newLease(LEASE_MS)
  expect(await transact((tx) => claim(tx, 1, slow))).toEqual(['a'])
  expect(await transact((tx) => claim(tx, 1, next))).toEqual(['a'])
  const stored = async () => (await admin.query('select lease_id, leased_until from chores')).rows
  const [before] = await stored()
  await transact((tx) => extendLeases(tx, CHORES, [{ key: 'a', leaseId: slow.id }], realClock.now()))
  await transact((tx) => releaseRows(tx, CHORES, [{ key: 'a', leaseId: slow.id }]))
  expect(await stored()).toContainEqual(before)
  await transact((tx) => releaseRows(tx, CHORES, [{ key: 'a', leaseId: next.id }]))
  expect(await transact((tx) => claim(tx, 1))).toEqual(['a'])
})

test('while a clock is advanced, a claim waits for the leases of others, and otherwise it does not', async () => {
  const businessId = await businessWithChores('a')
  const run = { businessId, until: realClock.now(), timeOf: (at: Temporal.Instant) => at }
  const claimed = () => claimDue(db, run, CHORES, (tx) => claim(tx, 1))
  await db.transact(businessId, (tx) => claim(tx, 1))
  expect(await claimed()).toEqual([])
  await admin.query(
    `update business_clocks set frozen_at = now(), advance_to = '2099-01-01' where business_id = $1`,
    [businessId],
  )
  await admin.query(`update chores set leased_until = now() + interval '1 s' where business_id = $1`, [
    businessId,
  ])
  expect(await claimed()).toEqual(['a'])
})

test('where a claim moves the due time, whatever else moves it takes the row from its holder', async () => {
  await admin.query(`
    create table errands (
      business_id text collate "C" not null, place text not null, name text not null, due_at timestamptz not null,
      leased_until timestamptz, lease_id text, primary key (business_id, place, name))`)
  await admin.query(`select quittance_tenant_table('errands')`)
  const errands = leasedTable('errands', { key: ['place', 'name'], movesDueTime: true })
  const { businessId } = await createTestBusiness(database)
  const transact = <Result>(work: (tx: Tx) => Promise<Result>) => db.transact(businessId, work)
  await admin.query(
    `insert into errands (business_id, place, name, due_at)
     select $1, place, name, now() from (values ('town', 'a'), ('town', 'b'), ('port', 'a')) as e (place, name)`,
    [businessId],
  )
  const lease = newLease(LEASE_MS)
  const claimed = await transact((tx) =>
    claimRows<{ place: string; name: string }>(tx, errands, {
      where: dueBy(lease.until),
      limit: 2,
      lease,
      returning: sql`r.place, r.name`,
    }),
  )
  expect(claimed.map(({ place, name }) => `${place} ${name}`).toSorted()).toEqual(['port a', 'town a'])
  const held = claimed.map(({ place, name }) => ({ key: [place, name], leaseId: lease.id }))
  const until = lease.until.add({ seconds: 5 })
  expect(await transact((tx) => extendLeases(tx, errands, held, until))).toBe(2)
  const ends = async () => {
    const { rows } = await admin.query<{ ends: string }>(
      `select string_agg(place || ' ' || (due_at = $2) || ' ' || (leased_until = $2), ', ' order by place) as ends
         from errands where business_id = $1 and name = 'a'`,
      [businessId, until.toString()],
    )
    return rows[0]?.ends
  }
  expect(await ends()).toBe('port true true, town true true')
  await admin.query(`update errands set due_at = now() where place = 'town' and name = 'a'`)
  expect(await transact((tx) => extendLeases(tx, errands, held, until.add({ seconds: 5 })))).toBe(1)
  expect(await ends()).toBe('port false false, town false true')
  const stillHeld = await transact((tx) =>
    tx.query(sql`select place from errands where business_id = ${businessId} and ${isHeldUnder(lease.id)}`),
  )
  expect(stillHeld).toEqual([{ place: 'port' }])
})

test('one result that cannot be recorded does not keep the others from being recorded', async () => {
  const recorded: string[] = []
  const failures = await recordEach(['a', 'bad', 'b'], async (some) => {
    if (some.includes('bad')) throw new Error('bad')
    recorded.push(...some)
  })
  expect(recorded).toEqual(['a', 'b'])
  expect(failures).toEqual([new Error('bad')])
})
