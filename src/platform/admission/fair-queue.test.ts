import { expect, test } from 'vitest'
import { FairQueue } from '#platform/admission/fair-queue'
import type { Priority, RequestScope } from '#platform/request-scope'

// Proves reference/access#overload.

function scopeOf(priority: Priority): RequestScope {
  return { requestId: 'req', actorId: null, priority, bytes: 0, isUnderWay: false, held: 0 }
}

/** A queue whose clock the test moves, and what was served or refused, in order. */
function queueOf(slots: number, perTenant = slots, besideOthers = perTenant) {
  let now = 0
  const log: string[] = []
  const refused: Priority[] = []
  const queue = new FairQueue({
    slots,
    perTenant,
    besideOthers,
    now: () => now,
    observer: { waited: () => {}, refused: (priority) => refused.push(priority) },
  })
  const leave: (() => void)[] = []
  const enter = (
    name: string,
    tenant = 'a',
    scope: RequestScope | undefined = scopeOf('standard'),
    waitedMs = 0,
  ) => {
    const served = () => {
      log.push(name)
      leave.push(() => queue.release(tenant, scope))
    }
    const entered = queue.enter(tenant, scope, now - waitedMs)
    if (entered === undefined) served()
    else entered.then(served, (error: { reason: string }) => log.push(`${name}: ${error.reason}`))
  }
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    log,
    refused,
    enter,
    waitMs: async (ms: number) => {
      for (let rest = ms; rest > 0; rest -= 10) {
        now += 10
        queue.sweep()
      }
      await settle()
    },
    leaveNext: async () => {
      leave.shift()?.()
      await settle()
    },
    leaveAll: async () => {
      for (let next = leave.shift(); next !== undefined; next = leave.shift()) {
        next()
        await settle()
      }
    },
  }
}

test('payments are served before other requests, these before lists, and jobs last', async () => {
  const { enter, leaveAll, log } = queueOf(1)
  enter('first')
  enter('job', 'a', scopeOf('background'))
  for (const priority of ['low', 'standard', 'critical'] as const) enter(priority, 'a', scopeOf(priority))
  await leaveAll()
  expect(log).toEqual(['first', 'critical', 'standard', 'low', 'job'])
})

test('a request that has written something is served first and never refused', async () => {
  const { enter, leaveAll, log, waitMs } = queueOf(1)
  enter('first')
  enter('payment', 'a', scopeOf('critical'))
  enter('second half', 'a', { ...scopeOf('standard'), isUnderWay: true })
  await waitMs(60_000)
  await leaveAll()
  expect(log).toEqual(['first', 'payment: overloaded', 'second half'])
})

test('who has waited elsewhere goes before those who came later, and is refused by the whole wait', async () => {
  const { enter, leaveNext, log, waitMs } = queueOf(1)
  enter('first')
  enter('early')
  await waitMs(500)
  enter('late')
  enter('set', 'a', scopeOf('standard'), 400)
  await leaveNext()
  await leaveNext()
  expect(log).toEqual(['first', 'early', 'set'])
  enter('old set', 'a', scopeOf('standard'), 2_000)
  await waitMs(600)
  expect(log).toEqual(['first', 'early', 'set', 'old set: overloaded'])
  await leaveNext()
  expect(log.at(-1)).toBe('late')
})

test('a request of which another part was served meanwhile is not refused', async () => {
  const { enter, leaveAll, log, waitMs } = queueOf(1)
  enter('first')
  const scope = scopeOf('standard')
  enter('other part', 'a', scope)
  scope.isUnderWay = true
  await waitMs(60_000)
  await leaveAll()
  expect(log).toEqual(['first', 'other part'])
})

test('a tenant with one request waits for one of another tenant that has hundreds', async () => {
  const { enter, leaveNext, log } = queueOf(1)
  enter('first')
  for (let nth = 0; nth < 300; nth++) enter(`loud ${nth}`, 'loud')
  enter('quiet', 'quiet')
  await leaveNext()
  await leaveNext()
  expect(log).toEqual(['first', 'loud 0', 'quiet'])
})

test('a tenant never holds more than its part, so that others find a free slot', async () => {
  const { enter, log, leaveNext, waitMs } = queueOf(4, 2)
  for (let nth = 0; nth < 5; nth++) enter(`loud ${nth}`, 'loud')
  enter('quiet', 'quiet')
  expect(log).toEqual(['loud 0', 'loud 1', 'quiet'])
  await waitMs(30)
  await leaveNext()
  expect(log).toEqual(['loud 0', 'loud 1', 'quiet', 'loud 2'])
})

test('a tenant holds less while another one works, and more again a second later', async () => {
  const { enter, log, waitMs } = queueOf(8, 4, 1)
  for (const nth of [1, 2]) enter(`loud ${nth}`, 'loud')
  enter('quiet', 'quiet')
  enter('loud 3', 'loud', scopeOf('background'))
  await waitMs(990)
  expect(log).toEqual(['loud 1', 'loud 2', 'quiet'])
  await waitMs(20)
  expect(log).toEqual(['loud 1', 'loud 2', 'quiet', 'loud 3'])
})

test('two tenants that have as much to do hold their parts, and a job of another takes nothing from them', async () => {
  const { enter, log, waitMs } = queueOf(8, 6, 3)
  enter('job', 'c', scopeOf('background'))
  for (const nth of [1, 2, 3, 4]) {
    enter(`a ${nth}`, 'a')
    enter(`b ${nth}`, 'b')
  }
  await waitMs(10)
  const heldBy = (tenant: string) => log.filter((name) => name.startsWith(tenant)).length
  expect(['a', 'b', 'job'].map(heldBy)).toEqual([3, 3, 1])
})

test('a request that holds a slot gets another beyond the part of its tenant, so that no tenant waits for itself', () => {
  const { enter, log } = queueOf(4, 1)
  const scope = scopeOf('standard')
  enter('outer', 'a', scope)
  enter('inner', 'a', scope)
  expect(log).toEqual(['outer', 'inner'])
})

test('requests of a tenant are served in their order', async () => {
  const { enter, leaveAll, log, waitMs } = queueOf(1)
  const names = ['first', 'second', 'third', 'fourth', 'fifth']
  for (const name of names) enter(name)
  await waitMs(480)
  await leaveAll()
  expect(log).toEqual(names)
})

test('callers who wait for their replies are not refused after a pause', async () => {
  const slots = 4
  const { enter, leaveNext, log, waitMs } = queueOf(slots)
  for (let caller = 0; caller < 32; caller++) enter(`caller ${caller}`)
  await waitMs(2_200)
  for (let served = 0; served < 400; served++) {
    await leaveNext()
    enter(log[served] ?? '')
    if (served % slots === 0) await waitMs(10)
  }
  expect(log.filter((entry) => entry.includes('overloaded'))).toEqual([])
})

test('what waits too long is refused by its age, lists first', async () => {
  const { enter, refused, waitMs } = queueOf(1)
  enter('first')
  for (const priority of ['critical', 'standard', 'low'] as const) {
    enter(`${priority} 1`, 'a', scopeOf(priority))
    enter(`${priority} 2`, 'b', scopeOf(priority))
  }
  await waitMs(1_010)
  expect(refused).toEqual(['low', 'low'])
  await waitMs(1_500)
  expect(refused).toEqual(['low', 'low', 'standard', 'standard'])
  await waitMs(2_500)
  expect(refused).toEqual(['low', 'low', 'standard', 'standard', 'critical', 'critical'])
})

test('jobs wait as long as it takes, and one grant in eight is theirs', async () => {
  const { enter, leaveNext, log, waitMs } = queueOf(1)
  enter('first')
  enter('job', 'a', scopeOf('background'))
  await waitMs(60_000)
  for (let nth = 1; nth <= 20; nth++) enter(`request ${nth}`)
  for (let nth = 1; nth <= 10; nth++) await leaveNext()
  expect(log.slice(0, 10)).toContain('job')
  expect(log.indexOf('job')).toBeGreaterThan(1)
})
