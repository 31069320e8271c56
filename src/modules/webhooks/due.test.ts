import { afterAll, expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { letRun, standAt } from '#platform/testing/clock'
import { Dispatcher } from './dispatcher.ts'
import { deliveryWork } from './due.ts'
import { dueLanes } from './queue.repository.ts'
import { createFixture } from './testing/fixture.ts'

const fixture = await createFixture()
const { admin, db, happen, register } = fixture
const dispatcher = new Dispatcher(fixture.needs)
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
  const nextLook = () => db.transact(businessId, (tx) => deliveryWork(dispatcher).nextDueAt(tx))
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
