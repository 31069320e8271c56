import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { brokenRules } from '#platform/verify'
import { dueWithoutHead } from '#platform/jobs/verify-jobs'

const database = await createTestDatabase()
const { db, admin } = database

interface Situation {
  readonly clock?: 'business' | 'real'
  /** When the work is due, and when the runner looks next, as SQL. */
  readonly due: string
  readonly head?: string
  readonly offsetMs?: number
  readonly isAdvancing?: boolean
}

/** The objects that the rule names where one thing is due. */
async function namedIn({ clock, due, head, offsetMs, isAdvancing = false }: Situation): Promise<string[]> {
  const { businessId } = await createTestBusiness(database, offsetMs === undefined ? {} : { offsetMs })
  if (isAdvancing) {
    await admin.query(
      `update business_clocks set frozen_at = now(), advance_to = '2099-01-01' where business_id = $1`,
      [businessId],
    )
  }
  if (head !== undefined) {
    await admin.query(
      `insert into next_runs (business_id, job, due_at) values ($1, 'chores', ${head}), ($1, 'other', now())`,
      [businessId],
    )
  }
  const { rows } = await admin.query<{ due_at: string }>(`select (${due})::text as due_at`)
  const chores = sql`select 'chore' as object, ${rows[0]?.due_at}::timestamptz as due_at`
  const work = { name: 'chores', rows: chores, ...(clock === undefined ? {} : { clock }) }
  const rule = () => dueWithoutHead(businessId, [work, { ...work, rows: sql`${chores} where false` }])
  const breaches = await Array.fromAsync(brokenRules(db, businessId, { rule }))
  return breaches.map((breach) => breach.object)
}

test('what no head leads to is named', async () => {
  expect(await namedIn({ due: 'now()' })).toEqual(['chore'])
  expect(await namedIn({ due: `now() + interval '1 day'` })).toEqual(['chore'])
  expect(await namedIn({ due: 'now()', head: `now() + interval '1 hour'` })).toEqual(['chore'])
  const tomorrow = `now() + interval '1 day'`
  expect(await namedIn({ due: tomorrow, head: `${tomorrow} + interval '1 hour'` })).toEqual(['chore'])
})

test('however long something has been due, its head is all that it takes', async () => {
  const overdue = `now() - interval '3 hours'`
  expect(await namedIn({ due: overdue, head: overdue })).toEqual([])
  expect(await namedIn({ due: overdue, head: `now() - interval '1 day'` })).toEqual([])
})

test('what was overlooked is found by the look that follows within half a minute', async () => {
  expect(await namedIn({ due: 'now()', head: `now() + interval '30 seconds'` })).toEqual([])
})

test('due times are on the clock of the business, heads on the real one', async () => {
  const offsetMs = 86_400_000
  const inTwoDays = { due: `now() + interval '2 days'`, offsetMs }
  expect(await namedIn({ ...inTwoDays, head: `now() + interval '1 day'` })).toEqual([])
  expect(await namedIn({ ...inTwoDays, head: `now() + interval '2 days'` })).toEqual(['chore'])
  expect(await namedIn({ ...inTwoDays, clock: 'real', head: `now() + interval '2 days'` })).toEqual([])
})

test('while a clock is being advanced, only work on the real one has heads', async () => {
  expect(await namedIn({ due: 'now()', isAdvancing: true })).toEqual([])
  expect(await namedIn({ due: 'now()', isAdvancing: true, clock: 'real' })).toEqual(['chore'])
})
