import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { brokenRules } from '#platform/verify'
import { dueWithoutNextRun } from '#platform/jobs/verify-jobs'

const database = await createTestDatabase()
const { db, admin } = database

interface Situation {
  readonly clock?: 'business' | 'real'
  /** When the row is due and when the next run is scheduled, as SQL. */
  readonly due: string
  readonly nextRun?: string
  readonly offsetMs?: number
  readonly isAdvancing?: boolean
}

/** The objects that the rule reports for one row. */
async function reportedFor({
  clock,
  due,
  nextRun,
  offsetMs,
  isAdvancing = false,
}: Situation): Promise<string[]> {
  const { businessId } = await createTestBusiness(database, offsetMs === undefined ? {} : { offsetMs })
  if (isAdvancing) {
    await admin.query(
      `update business_clocks set frozen_at = now(), advance_to = '2099-01-01' where business_id = $1`,
      [businessId],
    )
  }
  if (nextRun !== undefined) {
    await admin.query(
      `insert into next_runs (business_id, job, due_at) values ($1, 'chores', ${nextRun}), ($1, 'other', now())`,
      [businessId],
    )
  }
  const { rows } = await admin.query<{ due_at: string }>(`select (${due})::text as due_at`)
  const chores = sql`select 'chore' as object, ${rows[0]?.due_at}::timestamptz as due_at`
  const job = { name: 'chores', rows: chores, ...(clock === undefined ? {} : { clock }) }
  const rule = () => dueWithoutNextRun(businessId, [job, { ...job, rows: sql`${chores} where false` }])
  const breaches = await Array.fromAsync(brokenRules(db, businessId, { rule }))
  return breaches.map((breach) => breach.object)
}

// Proves reference/operations#verify.
test('a row without a scheduled run is reported', async () => {
  expect(await reportedFor({ due: 'now()' })).toEqual(['chore'])
  expect(await reportedFor({ due: `now() + interval '1 day'` })).toEqual(['chore'])
  expect(await reportedFor({ due: 'now()', nextRun: `now() + interval '1 hour'` })).toEqual(['chore'])
  const tomorrow = `now() + interval '1 day'`
  expect(await reportedFor({ due: tomorrow, nextRun: `${tomorrow} + interval '1 hour'` })).toEqual(['chore'])
})

test('a scheduled run is enough, however long the row has been due', async () => {
  const overdue = `now() - interval '3 hours'`
  expect(await reportedFor({ due: overdue, nextRun: overdue })).toEqual([])
  expect(await reportedFor({ due: overdue, nextRun: `now() - interval '1 day'` })).toEqual([])
})

test('a run that is half a minute late is not reported', async () => {
  expect(await reportedFor({ due: 'now()', nextRun: `now() + interval '30 seconds'` })).toEqual([])
})

test('due times are on the clock of the business, scheduled runs on the real one', async () => {
  const offsetMs = 86_400_000
  const inTwoDays = { due: `now() + interval '2 days'`, offsetMs }
  expect(await reportedFor({ ...inTwoDays, nextRun: `now() + interval '1 day'` })).toEqual([])
  expect(await reportedFor({ ...inTwoDays, nextRun: `now() + interval '2 days'` })).toEqual(['chore'])
  expect(await reportedFor({ ...inTwoDays, clock: 'real', nextRun: `now() + interval '2 days'` })).toEqual([])
})

test('while a clock is being advanced, only jobs on the real clock are scheduled', async () => {
  expect(await reportedFor({ due: 'now()', isAdvancing: true })).toEqual([])
  expect(await reportedFor({ due: 'now()', isAdvancing: true, clock: 'real' })).toEqual(['chore'])
})
