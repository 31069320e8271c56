import sql from 'sql-template-tag'
import { beforeEach, expect, test } from 'vitest'
import { platformErrors } from '#platform/errors'
import { Batches, type BatchOptions, type Outcome } from '#platform/batches/batches'
import type { Tx } from '#platform/postgres/database'
import { currentRequestId, inRequest } from '#platform/request-scope'
import { createTestBusiness, createTestDatabase } from '#platform/testing/database'
import { refusalOf } from '#platform/testing/requests'
import { until } from '#platform/testing/until'

// Proves reference/access#overload.
const database = await createTestDatabase({ isPlain: true })
const { db } = database
let businessId = ''
let sets: string[][] = []

beforeEach(async () => {
  ;({ businessId } = await createTestBusiness(database))
  sets = []
})

const insert = (tx: Tx, name: string) =>
  tx.execute(
    sql`insert into next_runs (business_id, job, due_at) values (${businessId}, ${name}, 'infinity')`,
  )
const written = async () => {
  const statement = sql`select job from next_runs where business_id = ${businessId} and due_at = 'infinity' order by job`
  return (await db.read<{ job: string }>(businessId, statement)).map(({ job }) => job)
}

/** Sets write their members' names. A member is refused, sent away or fails as its name says. */
async function run(tx: Tx, names: readonly string[]): Promise<Outcome<string>[]> {
  sets.push([...names])
  const outcomes: Outcome<string>[] = []
  for (const name of names) {
    if (name.startsWith('bad')) throw new Error(name)
    if (name.startsWith('refused'))
      outcomes.push({ kind: 'refused', error: platformErrors.idempotency_key_in_use({ param: name }) })
    else if (name.startsWith('shy') && names.length > 1) outcomes.push({ kind: 'alone' })
    else {
      await insert(tx, name)
      outcomes.push({ kind: 'done', value: name })
    }
  }
  return outcomes
}

const submitAll = (batches: Batches<string, string>, names: readonly string[]) =>
  Promise.all(names.map((name) => refusalOf(batches.submit(businessId, name))))

function gate<Request>(work: BatchOptions<Request, string>['run']) {
  const started: Request[][] = []
  const opens: (() => void)[] = []
  const gated: BatchOptions<Request, string>['run'] = async (tx, requests) => {
    started.push([...requests])
    await new Promise<void>((resolve) => opens.push(resolve))
    return work(tx, requests)
  }
  return { gated, started, open: (index: number) => opens[index]?.() }
}

const done = async (_tx: Tx, requests: readonly string[]): Promise<Outcome<string>[]> =>
  requests.map((value) => ({ kind: 'done', value }))

test('one caller starts at once, and those who come meanwhile run together', async () => {
  const { gated, started, open } = gate(done)
  const batches = new Batches(db, { run: gated })
  const first = batches.submit(businessId, 'first')
  await until(() => started.length === 1)
  const others = ['a', 'b', 'c'].map((name) => batches.submit(businessId, name))
  open(0)
  expect(await first).toBe('first')
  await until(() => started.length === 2)
  open(1)
  expect(await Promise.all(others)).toEqual(['a', 'b', 'c'])
  expect(started).toEqual([['first'], ['a', 'b', 'c']])
})

test('a second set starts when 16 members wait or after 20 ms, and a third when the others take longer than 500 ms', async () => {
  const { gated, started, open } = gate(done)
  const batches = new Batches(db, { run: gated })
  const submit = (count: number) =>
    Array.from({ length: count }, (_, index) => batches.submit(businessId, `${count}-${index}`))
  const all = submit(1)
  await until(() => started.length === 1)
  all.push(...submit(16))
  await until(() => started.length === 2)
  expect(started[1]).toHaveLength(16)
  all.push(...submit(2))
  await until(() => started.length === 3)
  expect(started[2]).toHaveLength(2)
  for (const index of [0, 1, 2]) open(index)
  await Promise.all(all)
})

test('busy subjects that overfill the sets do not starve another one, and are in one set at a time', async () => {
  const running = new Set<string>()
  const batches = new Batches<string, string>(db, {
    subjectOf: (subject) => subject,
    run: async (tx, subjects) => {
      const own = [...new Set(subjects)]
      expect(own.filter((subject) => running.has(subject))).toEqual([])
      for (const subject of own) running.add(subject)
      sets.push(own)
      await tx.query(sql`select pg_sleep(0.002)`)
      for (const subject of own) running.delete(subject)
      return subjects.map((value) => ({ kind: 'done', value }))
    },
  })
  const subjects = Array.from({ length: 600 }, (_, index) => (index % 2 ? 'hot' : 'hotter'))
  await submitAll(batches, [...subjects, 'other'])
  expect(sets.length).toBeLessThan(15)
  expect(sets.findIndex((own) => own.includes('other'))).toBeLessThan(3)
})

test('a set waits for its connection as long as its oldest member has waited, and that member is the first', async () => {
  const { gated, started, open } = gate(done)
  const since: number[] = []
  const recording: ConstructorParameters<typeof Batches>[0] = {
    transact: (id, work, options) => {
      since.push(options?.waitingSinceMs ?? NaN)
      return db.transact(id, work, options)
    },
  }
  const batches = new Batches<string, string>(recording, {
    run: gated,
    subjectOf: ([subject = '']) => subject,
  })
  const all = [batches.submit(businessId, 'hot 1')]
  await until(() => started.length === 1)
  const afterFirstMs = performance.now()
  all.push(batches.submit(businessId, 'hot 2'))
  const afterHotMs = performance.now()
  // Within 20 ms nothing starts beside the first set.
  all.push(batches.submit(businessId, 'other'))
  await until(() => started.length === 2)
  open(0)
  await until(() => started.length === 3)
  for (const index of [1, 2]) open(index)
  await Promise.all(all)
  expect(started).toEqual([['hot 1'], ['other'], ['hot 2']])
  const [first = NaN, other = NaN, hot = NaN] = since
  expect(first).toBeLessThanOrEqual(afterFirstMs)
  expect(hot).toBeGreaterThanOrEqual(afterFirstMs)
  expect(hot).toBeLessThanOrEqual(afterHotMs)
  expect(other).toBeGreaterThanOrEqual(afterHotMs)
})

test('a set holds at most 128 members and about a megabyte of bodies', async () => {
  const { gated, started, open } = gate(done)
  const batches = new Batches(db, { run: gated })
  const submit = (name: string, bytes: number) =>
    inRequest(name, 'standard', () => batches.submit(businessId, name), bytes)
  const all = [submit('first', 0)]
  await until(() => started.length === 1)
  for (let index = 0; index < 200; index++) all.push(submit('small', 10))
  for (let index = 0; index < 3; index++) all.push(submit('large', 600_000))
  for (let set = 0; set < 4; set++) {
    open(set)
    await until(() => started.length > set + 1 || set === 3)
  }
  await Promise.all(all)
  expect(started.map(({ length }) => length)).toEqual([1, 128, 74, 1])
})

test('a refusal fails its member alone, and a set of refusals writes nothing', async () => {
  const { gated, open, started } = gate(run)
  const batches = new Batches(db, { run: gated })
  const all = submitAll(batches, ['a', 'refused', 'b', 'shy'])
  await until(() => started.length === 1)
  open(0)
  await until(() => started.length === 2)
  open(1)
  expect(await all).toEqual(['done', '409 idempotency_key_in_use refused', 'done', 'done'])
  expect(sets).toEqual([['a', 'refused', 'b', 'shy'], ['shy']])
  expect(await written()).toEqual(['a', 'b', 'shy'])
  const none = new Batches<string, string>(db, {
    run: async (tx, names) => {
      for (const name of names) await insert(tx, name)
      return names.map(() => ({ kind: 'refused', error: platformErrors.idempotency_key_in_use() }))
    },
  })
  await submitAll(none, ['c', 'd'])
  expect(await written()).toEqual(['a', 'b', 'shy'])
})

test('an error of the set, its commit included, runs its members again one by one', async () => {
  const batches = new Batches(db, { run })
  expect(await submitAll(batches, ['a', 'bad', 'b'])).toEqual(['done', 'failed', 'done'])
  expect(sets[0]).toEqual(['a', 'bad', 'b'])
  expect(sets.slice(1).map(String).toSorted()).toEqual(['a', 'b', 'bad'])
  const deferring = new Batches<string, string>(db, {
    run: async (tx, names) => {
      for (const name of names) tx.defer(insert(tx, name))
      return done(tx, names)
    },
  })
  expect((await submitAll(deferring, ['c', 'c', 'd'])).toSorted()).toEqual(['done', 'done', 'failed'])
  expect(await written()).toEqual(['a', 'b', 'c', 'd'])
})

test('after a lost connection nobody runs again, because the set may have committed', async () => {
  const batches = new Batches<string, string>(db, {
    run: async (tx, names) => {
      sets.push([...names])
      const [session] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await insert(tx, names.join())
      await database.admin.query('select pg_terminate_backend($1)', [session?.pid])
      return done(tx, names)
    },
  })
  expect(await submitAll(batches, ['a', 'b'])).toEqual(['failed', 'failed'])
  expect(sets).toEqual([['a', 'b']])
})

test('a set belongs to no request, and a set of one to its own', async () => {
  const ids: (string | null)[] = []
  const { gated, started, open } = gate<string>(async (tx, names) => {
    ids.push(currentRequestId())
    return done(tx, names)
  })
  const batches = new Batches(db, { run: gated })
  const submit = (id: string) =>
    inRequest(id, 'standard', async () => {
      await batches.submit(businessId, id)
      return currentRequestId()
    })
  const all = [submit('one')]
  await until(() => started.length === 1)
  all.push(submit('two'), submit('three'))
  open(0)
  await until(() => started.length === 2)
  open(1)
  expect(await Promise.all(all)).toEqual(['one', 'two', 'three'])
  expect(ids).toEqual(['one', null])
})

test('a member that waits longer than its priority allows is refused before anything is done', async () => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  const holders = Array.from({ length: 8 }, () => db.transact(businessId, () => isReleased))
  const batches = new Batches(db, { run: done })
  const submit = (name: string) => inRequest(name, 'low', () => refusalOf(batches.submit(businessId, name)))
  expect(await Promise.all([submit('a'), submit('b')])).toEqual(['503 overloaded', '503 overloaded'])
  release()
  await Promise.all(holders)
  expect(await submit('c')).toBe('done')
})
