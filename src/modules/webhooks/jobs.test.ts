import { afterAll, expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { letRun, standAt } from '#platform/testing/clock'
import { Dispatcher } from './queue/dispatcher.ts'
import { deliveryWork } from './jobs.ts'
import { claimDeliveries, dueLanes, recordOutcomes } from './storage/queue.repository.ts'
import { createFixture } from './testing/fixture.ts'

const fixture = await createFixture()
const { admin, db, happen, register } = fixture
const dispatcher = new Dispatcher(fixture.deps)
afterAll(() => dispatcher.stop())

/** A business with one delivery that is due. */
async function withOneDue() {
  const { businessId, caller } = await fixture.business()
  await register(caller, 'https://shop.example.com/hook')
  await happen(businessId, ['ord_due'])
  return businessId
}

test('a retry does not count as due while a clock is being advanced', async () => {
  const businessId = await withOneDue()
  const most = { ofEach: 5, ofAll: 10 }
  const counted = async () => {
    const { lanes } = await db.transact(businessId, (tx) =>
      dueLanes(tx, { afterLane: '', steps: 10, most }, realClock.now()),
    )
    return lanes.map(({ count }) => count)
  }
  await standAt(db, businessId, realClock.now().add({ hours: 24 }))
  expect(await counted()).toEqual([1])
  await admin.query('update deliveries set tries = 1 where business_id = $1', [businessId])
  expect(await counted()).toEqual([])
  await letRun(db, businessId)
  expect(await counted()).toEqual([1])
})

test('a lease that is over is no time to look: what it held is looked at like all that is due', async () => {
  const businessId = await withOneDue()
  const nextLook = () => db.transact(businessId, (tx) => deliveryWork(dispatcher).nextRunAt(tx))
  const leaseUntil = (when: string) =>
    admin.query(
      `update deliveries set lease_id = 'lse_dead', leased_until = now() + $2::interval where business_id = $1`,
      [businessId, when],
    )
  const now = realClock.now()
  await leaseUntil('-1 second')
  expect((await nextLook())?.since(now).sign).toBe(1)
  await leaseUntil('1 minute')
  expect((await nextLook())?.since(now).total('seconds')).toBeLessThan(2)
})

test('what comes of a delivery is recorded by who holds its lease, not by who held one before', async () => {
  const businessId = await withOneDue()
  const { rows } = await admin.query<{ lane: string }>('select lane from deliveries where business_id = $1', [
    businessId,
  ])
  const lane = rows[0]?.lane ?? ''
  const now = realClock.now()
  const claim = (leaseId: string, until: typeof now) =>
    db.transact(businessId, (tx) =>
      claimDeliveries(tx, new Map([[lane, 1]]), { id: leaseId, until }, realClock.now()),
    )
  const [claimed] = await claim('lse_slow', now)
  expect(await claim('lse_next', now.add({ seconds: 60 }))).toMatchObject([{ id: claimed?.id }])
  const record = async (leaseId: string) => {
    const outcome = { state: 'delivered', attempt: null, retryMs: null, inOrder: true, lane } as const
    const delivery = { id: claimed?.id ?? '', leaseId, objectId: 'ord_due' }
    await db.transact(businessId, (tx) => recordOutcomes(tx, [{ ...delivery, ...outcome }]))
    const stored = await admin.query('select state, lease_id from deliveries where business_id = $1', [
      businessId,
    ])
    return stored.rows
  }
  expect(await record('lse_slow')).toEqual([{ state: 'pending', lease_id: 'lse_next' }])
  expect(await record('lse_next')).toEqual([{ state: 'delivered', lease_id: null }])
})
