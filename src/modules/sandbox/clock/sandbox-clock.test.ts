import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { realClock, toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { type JobRun, type Job, JobRunner, scheduleJob } from '#platform/jobs/jobs'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { withKey } from '#platform/testing/requests'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { renderClock } from '../api/render.ts'
import type { SandboxDependencies } from '../dependencies.ts'
import { SandboxClock } from './sandbox-clock.ts'

const database = await createTestDatabase()
const { db, admin } = database
/** A clock moves by hours here, and the machine may be busy. */
const SOON_SECONDS = 60
// The test job: a bell rings at its due time, records it, and rings again after `every_hours`.
// Proves reference/sandbox#clock, reference/sandbox#advancing, reference/conventions#two-clocks.
await admin.query(`
  create table bells (business_id text collate "C" not null, name text not null, due_at timestamptz not null, every_hours integer, primary key (business_id, name));
  create table rings (business_id text collate "C" not null, id text collate "C" not null, name text not null, at timestamptz not null, clock timestamptz not null);
  select quittance_tenant_table('bells'); select quittance_tenant_table('rings')`)

function bells(prefix: string): Job {
  return {
    name: `bells_${prefix}`,
    clock: 'business',
    nextRunAt: async (tx) => {
      const [first] = await tx.query<{ due_at: Temporal.Instant }>(sql`
        select due_at from bells where business_id = ${tx.businessId} and name like ${`${prefix}%`}
         order by due_at limit 1`)
      return first?.due_at ?? null
    },
    run: ({ businessId, until, timeOf }) =>
      db.transact(businessId, async (tx) => {
        const due = await tx.query<{
          name: string
          due_at: Temporal.Instant
          every_hours: number | null
        }>(sql`
          select name, due_at, every_hours from bells
           where business_id = ${businessId} and name like ${`${prefix}%`} and due_at <= ${toRfc3339(until)}
           order by due_at limit 50 for update skip locked`)
        for (const bell of due) await ring(tx, bell, timeOf(bell.due_at))
        return due.length
      }),
  }
}

async function ring(
  tx: Tx,
  bell: { name: string; due_at: Temporal.Instant; every_hours: number | null },
  at: Temporal.Instant,
): Promise<void> {
  await tx.execute(sql`
    insert into rings (business_id, id, name, at, clock)
    values (${tx.businessId}, ${newId('ring')}, ${bell.name}, ${toRfc3339(at)}, ${toRfc3339(tx.now)})`)
  await tx.execute(
    bell.every_hours === null
      ? sql`delete from bells where business_id = ${tx.businessId} and name = ${bell.name}`
      : sql`update bells set due_at = ${toRfc3339(bell.due_at.add({ hours: bell.every_hours }))}
             where business_id = ${tx.businessId} and name = ${bell.name}`,
  )
}

const jobs = [bells('a'), bells('b')]
const log = pino({ level: 'silent' })

function makeClock(deps: Partial<SandboxDependencies> = {}): SandboxClock {
  return new SandboxClock({
    db,
    businesses: { profile: async () => ({ timeZone: 'Asia/Hong_Kong' }) },
    jobs,
    log,
    present: { clock: renderClock },
    ...deps,
  })
}

async function hang(
  caller: Caller,
  name: string,
  hours: number,
  everyHours: number | null = null,
): Promise<Temporal.Instant> {
  return db.transact(caller.businessId, async (tx) => {
    const dueAt = tx.now.add({ hours })
    await tx.execute(sql`
      insert into bells (business_id, name, due_at, every_hours)
      values (${tx.businessId}, ${name}, ${toRfc3339(dueAt)}, ${everyHours})`)
    return dueAt
  })
}

async function rings(
  caller: Caller,
): Promise<{ name: string; at: Temporal.Instant; clock: Temporal.Instant }[]> {
  return db.read(
    caller.businessId,
    sql`
    select name, at, clock from rings where business_id = ${caller.businessId} order by id`,
  )
}

function secondsBetween(a: Temporal.Instant, b: Temporal.Instant): number {
  return Math.abs(a.since(b).total('seconds'))
}

test('everything due on the way happens in order, each at its own time with the clock frozen there', async () => {
  const { caller } = await createTestBusiness(database)
  const clock = makeClock()
  const due = {
    b1: await hang(caller, 'b1', 30),
    a1: await hang(caller, 'a1', 10),
    a2: await hang(caller, 'a2', 50),
    b2: await hang(caller, 'b2', 24 * 20),
  }
  const start = await clock.read(caller)
  const target = await clock.advance(caller, { by: 'P10D' })
  const rung = await rings(caller)
  expect(rung.map((each) => each.name)).toEqual(['a1', 'b1', 'a2'])
  for (const { name, at, clock: stood } of rung) {
    expect(at).toEqual(due[name as keyof typeof due])
    expect(stood).toEqual(at)
  }
  // The clock continues from its target.
  expect(secondsBetween(target, start.add({ hours: 240 }))).toBeLessThan(SOON_SECONDS)
  const now = await clock.read(caller)
  expect(Temporal.Instant.compare(now, target)).toBeGreaterThanOrEqual(0)
  expect(secondsBetween(now, target)).toBeLessThan(SOON_SECONDS)
})

test('a job due every fifth day runs through ten years, and two monthly jobs run through a year', async () => {
  const { caller } = await createTestBusiness(database)
  const clock = makeClock()
  const first = await hang(caller, 'a', 120, 120)
  await clock.advance(caller, { by: 'P10Y' })
  const rung = await rings(caller)
  expect(rung).toHaveLength(730)
  for (const [ordinal, { at }] of rung.entries()) expect(at).toEqual(first.add({ hours: 120 * ordinal }))

  const other = await createTestBusiness(database)
  await hang(other.caller, 'a monthly', 0, 24 * 30)
  await hang(other.caller, 'b monthly', 0, 24 * 30)
  await clock.advance(other.caller, { by: 'P1Y' })
  expect(await rings(other.caller)).toHaveLength(26)
})

test('a second advance is refused while one is in progress', async () => {
  const { caller } = await createTestBusiness(database)
  const held = Promise.withResolvers<void>()
  const slow: Job = { ...bells('a'), run: async (run) => held.promise.then(() => bells('a').run(run)) }
  const clock = makeClock({ jobs: [slow] })
  const due = await hang(caller, 'a', 24)
  const advancing = clock.advance(caller, { by: 'P2D' })
  await expect.poll(async () => (await clock.read(caller)).equals(due)).toBe(true)
  await expect(clock.advance(caller, { by: 'P1D' })).rejects.toMatchObject({ reason: 'clock_advancing' })
  held.resolve()
  await advancing
  await clock.advance(caller, { by: 'P1D' })
  const raced = await Promise.allSettled(
    Array.from({ length: 6 }, () => clock.advance(caller, { by: 'P1D' })),
  )
  const done = raced.filter((result) => result.status === 'fulfilled').length
  expect(done).toBeGreaterThan(0)
  expect(
    secondsBetween(await clock.read(caller), realClock.now().add({ hours: 24 * (3 + done) })),
  ).toBeLessThan(SOON_SECONDS)
})

test('readers never see the clock go back, neither at the start nor at the end of an advance', async () => {
  const { caller } = await createTestBusiness(database)
  const clock = makeClock()
  await hang(caller, 'a', 36, 36)
  const seen: Temporal.Instant[] = []
  const over = new AbortController()
  const reading = (async () => {
    while (!over.signal.aborted) seen.push(await clock.read(caller))
  })()
  for (let i = 0; i < 10; i++) await clock.advance(caller, { by: 'P1D' })
  over.abort()
  await reading
  expect(seen).toEqual(seen.toSorted((a, b) => Temporal.Instant.compare(a, b)))
})

test('a target in the past is refused and changes nothing', async () => {
  const { caller } = await createTestBusiness(database)
  const clock = makeClock()
  const now = await clock.advance(caller, { by: 'P1D' })
  await expect(clock.advance(caller, { to: toRfc3339(realClock.now()) })).rejects.toMatchObject({
    status: 422,
  })
  expect(secondsBetween(await clock.read(caller), now)).toBeLessThan(SOON_SECONDS)
})

test('the clock waits for a job that fails or is leased elsewhere instead of skipping it', async () => {
  const { caller } = await createTestBusiness(database)
  let looks = 0
  const troubled: Job = {
    ...bells('a'),
    run: async (run) => {
      looks++
      if (looks === 1) throw new Error('out of order')
      return looks < 4 ? 0 : bells('a').run(run)
    },
  }
  const clock = makeClock({ jobs: [troubled, bells('b')] })
  await hang(caller, 'a', 1)
  await hang(caller, 'b', 2)
  await clock.advance(caller, { by: 'P1D' })
  expect((await rings(caller)).map((each) => each.name)).toEqual(['a', 'b'])
})

test.each(['before an advance', 'on the frozen clock'])(
  'work that another transaction started %s belongs to the advance, whose end waits for it',
  async (when) => {
    const { caller } = await createTestBusiness(database)
    const held = Promise.withResolvers<void>()
    const slow: Job = { ...bells('a'), run: async (run) => held.promise.then(() => bells('a').run(run)) }
    const clock = makeClock({ jobs: [slow, bells('b')] })
    const due = await hang(caller, 'a', 1)
    const [begun, goesOn] = [Promise.withResolvers<Temporal.Instant>(), Promise.withResolvers<void>()]
    const hangLate = () =>
      db.transact(caller.businessId, async (tx) => {
        const dueAt = tx.now.add({ hours: 2 })
        await tx.query(sql`select`)
        begun.resolve(dueAt)
        await goesOn.promise
        await tx.execute(sql`
          insert into bells (business_id, name, due_at) values (${tx.businessId}, 'b', ${toRfc3339(dueAt)})`)
      })
    const early = when === 'before an advance' ? hangLate() : undefined
    if (early !== undefined) await begun.promise
    const advancing = clock.advance(caller, { by: 'P1D' })
    await expect.poll(async () => (await clock.read(caller)).equals(due)).toBe(true)
    const late = early ?? hangLate()
    const lateDue = await begun.promise
    held.resolve()
    await expect.poll(() => rings(caller)).toHaveLength(1)
    await Promise.race([advancing, sleep(300)])
    goesOn.resolve()
    await Promise.all([late, advancing])
    expect((await rings(caller)).map(({ at }) => toRfc3339(at))).toEqual([due, lateDue].map(toRfc3339))
  },
)

test('a worker in another process resumes an advance whose driver died', async () => {
  const { caller } = await createTestBusiness(database)
  const dead = Promise.withResolvers<number>()
  let runs = 0
  const dying: Job = {
    ...bells('a'),
    run: async (run: JobRun) => (++runs > 2 ? dead.promise : bells('a').run(run)),
  }
  // Its lease is never renewed, as if the process had been killed.
  const crashed = makeClock({ jobs: [dying], leaseMs: 300, renewMs: 3_600_000 })
  const first = await hang(caller, 'a', 24, 24)
  const asked = crashed.advance(caller, { by: 'P5D' })
  const survivor = makeClock({ leaseMs: 300, renewMs: 50 })
  await expect.poll(() => runs).toBe(3)
  expect(await survivor.read(caller)).toEqual(first.add({ hours: 48 }))
  const runner = new JobRunner({ db, jobs: [...jobs, survivor.job], log, pollMs: 20 })
  runner.start()
  try {
    await expect.poll(async () => (await rings(caller)).length).toBe(5)
    await expect
      .poll(async () => secondsBetween(await survivor.read(caller), first.add({ hours: 96 })) < 5)
      .toBe(true)
    // The old driver wakes up again, does no harm, and its caller gets a response when the advance is done.
    dead.resolve(0)
    await asked
    expect((await rings(caller)).map((each) => each.at)).toEqual(
      [0, 1, 2, 3, 4].map((day) => first.add({ hours: 24 * day })),
    )
  } finally {
    await runner.stop()
  }
})

test('whoever follows an advance that was taken over gets its end, also while the database refuses to be asked', async () => {
  const { caller } = await createTestBusiness(database)
  let refusals = 0
  const query: typeof db.shared.query = (statement) => {
    if (!statement.sql.includes('advance_to from business_clocks') || refusals === 3)
      return db.shared.query(statement)
    refusals++
    return Promise.reject(new Error('overloaded'))
  }
  const busy = { ...db, transact: db.transact.bind(db), shared: { ...db.shared, query } }
  const dead = Promise.withResolvers<number>()
  const stuck: Job = { ...bells('a'), run: () => dead.promise }
  const crashed = makeClock({ db: busy, jobs: [stuck], leaseMs: 100, renewMs: 3_600_000 })
  await hang(caller, 'a', 24)
  const asked = crashed.advance(caller, { by: 'P2D' })
  const survivor = makeClock()
  const takeOver = () =>
    survivor.job.run({ businessId: caller.businessId, until: realClock.now(), timeOf: (at) => at })
  await expect.poll(takeOver).toBe(1)
  dead.resolve(0)
  await asked
  expect([refusals, (await rings(caller)).length]).toEqual([3, 1])
})

test('a process that shuts down hands its advance over at once', async () => {
  const { caller } = await createTestBusiness(database)
  const stopping = makeClock({ jobs: [{ ...bells('a'), run: async () => 0 }] })
  await hang(caller, 'a', 24)
  const asked = stopping.advance(caller, { by: 'P2D' })
  await expect
    .poll(() =>
      admin
        .query('select 1 from business_clocks where driver_id is not null')
        .then((found) => found.rows.length),
    )
    .toBe(1)
  const [advanced] = await Promise.allSettled([asked, stopping.stop()])
  expect(advanced).toMatchObject({ status: 'rejected', reason: { status: 503 } })
  const next = makeClock()
  expect(
    await next.job.run({ businessId: caller.businessId, until: realClock.now(), timeOf: (at) => at }),
  ).toBe(1)
  expect(await rings(caller)).toHaveLength(1)
  expect(await db.transact(caller.businessId, (tx) => next.job.nextRunAt(tx))).toBeNull()
})

test('an advance that was taken over does not occupy a slot of other tenants’ jobs', async () => {
  const { caller } = await createTestBusiness(database)
  const other = (await createTestBusiness(database)).caller
  const heldUp = [{ ...bells('a'), run: async () => 0 }]
  const crashed = makeClock({ jobs: heldUp, leaseMs: 300 })
  await hang(caller, 'a', 24)
  const asked = crashed.advance(caller, { by: 'P2D' })
  const drivers = async () =>
    (
      await admin.query('select 1 from business_clocks where business_id = $1 and driver_id is not null', [
        caller.businessId,
      ])
    ).rows.length
  await expect.poll(drivers).toBe(1)
  await Promise.allSettled([asked, crashed.stop()])
  const survivor = makeClock({ jobs: heldUp })
  const [, second] = jobs
  if (second === undefined) throw new Error('a kind of work was lost')
  const runner = new JobRunner({
    db,
    jobs: [survivor.job, second],
    log,
    pollMs: 20,
    concurrency: 1,
  })
  runner.start()
  try {
    await expect.poll(drivers).toBe(1)
    const dueAt = await hang(other, 'b', 0)
    await db.transact(other.businessId, (tx) => scheduleJob(tx, second.name, dueAt))
    await expect.poll(async () => (await rings(other)).length).toBe(1)
    expect(await drivers()).toBe(1)
  } finally {
    await survivor.stop()
    await runner.stop()
  }
})

test('after an advance the workers continue on the moved clock', async () => {
  const { caller } = await createTestBusiness(database)
  const clock = makeClock()
  const moves: { now: Temporal.Instant; offset: number | undefined }[] = []
  clock.onMoved(async (tx) => {
    moves.push({ now: tx.now, offset: tx.clockOffsetMs })
  })
  await hang(caller, 'a soon', 24 * 7)
  const now = await clock.advance(caller, { by: 'P7D' })
  expect(moves).toEqual([{ now, offset: expect.any(Number) }])
  await hang(caller, 'b later', 24 * 365)
  // Due half a second after the target, so a worker runs it on the moved clock.
  await db.transact(caller.businessId, (tx) =>
    tx.execute(sql`insert into bells (business_id, name, due_at)
                   values (${tx.businessId}, 'a sooner', ${toRfc3339(tx.now.add({ milliseconds: 500 }))})`),
  )
  await clock.advance(caller, { by: 'PT0.2S' })
  const runner = new JobRunner({ db, jobs: jobs, log, pollMs: 20 })
  runner.start()
  try {
    await expect.poll(async () => (await rings(caller)).map((each) => each.name)).toContain('a sooner')
  } finally {
    await runner.stop()
  }
})

test('a request repeated with the same Idempotency-Key moves the clock once', async () => {
  const { caller } = await createTestBusiness(database)
  const clock = makeClock()
  const keyed = withKey(caller, 'k')
  const advanced = await clock.advance(keyed, { by: 'P1D' })
  const replayed = await clock.advance(keyed, { by: 'P1D' }).catch((error: unknown) => error)
  expect(replayed).toBeInstanceOf(StoredReply)
  expect(JSON.parse((replayed as StoredReply).body)).toMatchObject({ code: 200, data: renderClock(advanced) })
  expect(secondsBetween(await clock.read(caller), realClock.now().add({ hours: 24 }))).toBeLessThan(
    SOON_SECONDS,
  )
})
