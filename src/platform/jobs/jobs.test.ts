import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import sql from 'sql-template-tag'
import { expect, onTestFinished, test, vi } from 'vitest'
import { toRfc3339 } from '#kernel/clock'
import { openDatabase } from '#platform/postgres/open-database'
import type { Tx } from '#platform/postgres/database'
import { PlainDatabase } from '#platform/postgres/plain/plain-database'
import { type Job, JobRunner, type JobRunnerOptions, scheduleJob } from '#platform/jobs/jobs'
import { createTestBusiness, createTestBusinesses, createTestDatabase } from '#platform/testing/database'

const database = await createTestDatabase()
const { db, admin } = database
// The simplest job: it deletes rows that are due.
await admin.query(`
  create table chores (
    business_id text collate "C" not null, name text not null, due_at timestamptz not null, primary key (business_id, name))`)
await admin.query(`select quittance_tenant_table('chores')`)

const chores: Job = {
  name: 'chores',
  clock: 'business',
  nextRunAt: async (tx) => {
    const [first] = await tx.query<{ due_at: Temporal.Instant }>(sql`
      select due_at from chores where business_id = ${tx.businessId} order by due_at limit 1`)
    return first?.due_at ?? null
  },
  run: ({ businessId, until }) =>
    db.transact(businessId, (tx) =>
      tx.execute(sql`
        delete from chores where business_id = ${businessId} and name in (
          select name from chores where business_id = ${businessId} and due_at <= ${toRfc3339(until)}
           order by due_at limit 10 for update skip locked)`),
    ),
}

async function addChore(tx: Tx, name: string, dueAt: Temporal.Instant): Promise<void> {
  await tx.execute(
    sql`insert into chores (business_id, name, due_at) values (${tx.businessId}, ${name}, ${toRfc3339(dueAt)})`,
  )
  await scheduleJob(tx, chores.name, dueAt)
}

async function remaining(businessId: string): Promise<string[]> {
  const rows = await db.read<{ name: string }>(businessId, sql`select name from chores order by name`)
  return rows.map((row) => row.name)
}

async function nextRunOf(
  businessId: string,
): Promise<{ due_at: Temporal.Instant; rechecks: number } | undefined> {
  const rows = await db.shared.query<{ due_at: Temporal.Instant; rechecks: number }>(
    sql`select due_at, rechecks from next_runs where business_id = ${businessId} and job = 'chores'`,
  )
  return rows[0]
}

async function withRunner<T>(
  work: () => Promise<T>,
  jobs: Job[] = [chores],
  options: Partial<JobRunnerOptions> = {},
): Promise<T> {
  const log = pino({ level: 'silent' })
  const runner = new JobRunner({ db, jobs, log, pollMs: 20, ...options })
  runner.start()
  try {
    return await work()
  } finally {
    await runner.stop()
  }
}

// Proves reference/operations#stopping.
test('rows that are due are handled and others stay, over many batches and tenants', async () => {
  const tenants = await createTestBusinesses(database, 12)
  for (const { businessId } of tenants) {
    await db.transact(businessId, async (tx) => {
      for (let i = 0; i < 35; i++) await addChore(tx, `due-${i}`, tx.now.subtract({ seconds: i }))
      await addChore(tx, 'later', tx.now.add({ hours: 1 }))
    })
  }
  await withRunner(async () => {
    for (const { businessId } of tenants) await expect.poll(() => remaining(businessId)).toEqual(['later'])
  })
})

test("a job on the business's clock runs when that clock says so", async () => {
  const { businessId } = await createTestBusiness(database, { offsetMs: -3_600_000 })
  await db.transact(businessId, (tx) => addChore(tx, 'not yet', tx.now.add({ minutes: 30 })))
  await db.transact(businessId, (tx) => addChore(tx, 'now', tx.now))
  await withRunner(() => expect.poll(() => remaining(businessId)).toEqual(['not yet']))
})

test('a row of a transaction that commits after the run is found by a later check', async () => {
  const { businessId } = await createTestBusiness(database)
  await db.transact(businessId, (tx) => addChore(tx, 'first', tx.now))
  await withRunner(async () => {
    // The transaction finds the run of `first` scheduled, so it schedules none, and commits after that run.
    await db.transact(businessId, async (tx) => {
      await addChore(tx, 'behind', tx.now.add({ milliseconds: 50 }))
      await expect.poll(() => nextRunOf(businessId).then((next) => next?.rechecks)).toBe(1)
    })
    await expect.poll(() => remaining(businessId)).toEqual([])
  })
})

test('a scheduled check does not keep a transaction from scheduling its own run', async () => {
  const { businessId } = await createTestBusiness(database)
  await db.transact(businessId, (tx) => addChore(tx, 'first', tx.now))
  await withRunner(() => expect.poll(() => nextRunOf(businessId).then((next) => next?.rechecks)).toBe(1))
  await db.transact(businessId, (tx) => addChore(tx, 'second', tx.now.add({ hours: 1 })))
  expect((await nextRunOf(businessId))?.rechecks).toBe(0)
})

test('two processes that run a job at the same moment count as one check', async () => {
  const { businessId } = await createTestBusiness(database)
  for (const rechecks of [0, 1]) {
    await admin.query(
      `insert into next_runs (business_id, job, due_at, rechecks) values ($1, 'chores', now(), $2)
       on conflict (business_id, job) do update set due_at = excluded.due_at, rechecks = excluded.rechecks`,
      [businessId, rechecks],
    )
    const bothRunning = Promise.withResolvers<void>()
    let runs = 0
    const together: Job = {
      ...chores,
      run: async (run) => {
        if (++runs === 2) bothRunning.resolve()
        await bothRunning.promise
        return chores.run(run)
      },
    }
    await withRunner(() => withRunner(() => bothRunning.promise, [together]), [together])
    expect(await nextRunOf(businessId)).toMatchObject({ rechecks: rechecks + 1 })
  }
})

test('a job that fails for one tenant is retried, and runs for the others meanwhile', async () => {
  const failing = await createTestBusiness(database)
  const healthy = await createTestBusiness(database)
  const failed: string[] = []
  let failures = 0
  const job: Job = {
    ...chores,
    run: async (run) => {
      if (run.businessId === failing.businessId && failures++ === 0) throw new Error('out of order')
      return chores.run(run)
    },
  }
  for (const { businessId } of [failing, healthy]) {
    await db.transact(businessId, (tx) => addChore(tx, 'chore', tx.now))
  }
  await withRunner(
    async () => {
      await expect.poll(() => remaining(healthy.businessId)).toEqual([])
      await expect.poll(() => remaining(failing.businessId)).toEqual([])
    },
    [job],
    { onFailure: (name) => failed.push(name) },
  )
  expect(failed).toEqual(['chores'])
})

test('with a single slot, a tenant with many rows takes turns with the others', async () => {
  const [much, little] = await createTestBusinesses(database, 2)
  if (much === undefined || little === undefined) throw new Error('no businesses')
  const ran: string[] = []
  const job: Job = {
    ...chores,
    run: async (run) => {
      const done = await chores.run(run)
      if (done > 0) ran.push(run.businessId === much.businessId ? 'much' : 'little')
      return done
    },
  }
  await db.transact(much.businessId, async (tx) => {
    for (let i = 0; i < 35; i++) await addChore(tx, `chore-${i}`, tx.now.subtract({ seconds: i + 1 }))
  })
  await db.transact(little.businessId, (tx) => addChore(tx, 'chore', tx.now))
  await withRunner(
    async () => {
      await expect.poll(() => remaining(much.businessId)).toEqual([])
      await expect.poll(() => remaining(little.businessId)).toEqual([])
    },
    [job],
    { concurrency: 1 },
  )
  expect(ran.slice(0, 3)).toEqual(['much', 'little', 'much'])
})

test('while this process commits nothing, the runner looks for jobs a quarter as often', async () => {
  const { businessId } = await createTestBusiness(database)
  const other = await openDatabase({ url: database.url })
  const looks = vi.spyOn(db.shared, 'query')
  onTestFinished(async () => {
    looks.mockRestore()
    await other.close()
  })
  await withRunner(async () => {
    const startedAtMs = performance.now()
    await sleep(2_000)
    const seconds = (performance.now() - startedAtMs) / 1_000
    expect(looks.mock.calls.length).toBeGreaterThan(0)
    // 12 a second, and four times as many otherwise.
    expect(looks.mock.calls.length).toBeLessThan(15 * seconds)
    await db.transact(businessId, (tx) => addChore(tx, 'of this process', tx.now))
    await expect.poll(() => remaining(businessId)).toEqual([])
    await other.transact(businessId, (tx) => addChore(tx, 'of another process', tx.now))
    await expect.poll(() => remaining(businessId)).toEqual([])
  })
})

test('an unreachable database is logged once a second, not at every poll', async () => {
  const away = new PlainDatabase({ url: database.url })
  await away.close()
  const logged: string[] = []
  const log = pino({}, { write: (line: string) => void logged.push(line) })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const runner = new JobRunner({ db: away, jobs: [chores], log, pollMs: 20 })
  runner.start()
  await vi.advanceTimersByTimeAsync(2_500)
  await runner.stop()
  expect(logged.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(
    Array.from({ length: 3 }, () => 'could not read the jobs that are due'),
  )
})
