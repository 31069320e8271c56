import { afterAll, expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { runClock, freezeClock } from '#platform/testing/clock'
import { Dispatcher } from './queue/dispatcher.ts'
import { deliveryJob } from './jobs.ts'
import { claimDeliveries, findDueReceivers, recordResults } from './storage/queue.repository.ts'
import { createFixture } from './testing/fixture.ts'

const fixture = await createFixture()
const { admin, db, publish, register } = fixture
const dispatcher = new Dispatcher(fixture.deps)
afterAll(() => dispatcher.stop())

// Proves reference/events#moved-clocks, reference/events#deliveries.

async function businessWithDueDelivery() {
  const { businessId, caller } = await fixture.business()
  await register(caller, 'https://shop.example.com/hook')
  await publish(businessId, ['ord_due'])
  return businessId
}

test('a retry is not due while a clock is being advanced', async () => {
  const businessId = await businessWithDueDelivery()
  const max = { perReceiver: 5, total: 10 }
  const counted = async () => {
    const { receivers } = await db.transact(businessId, (tx) =>
      findDueReceivers(tx, { afterReceiver: '', steps: 10, max }, realClock.now()),
    )
    return receivers.map(({ count }) => count)
  }
  await freezeClock(db, businessId, realClock.now().add({ hours: 24 }))
  expect(await counted()).toEqual([1])
  await admin.query('update deliveries set tries = 1 where business_id = $1', [businessId])
  expect(await counted()).toEqual([])
  await runClock(db, businessId)
  expect(await counted()).toEqual([1])
})

test('an expired lease does not bring the next run forward', async () => {
  const businessId = await businessWithDueDelivery()
  const nextRunAt = () => db.transact(businessId, (tx) => deliveryJob(dispatcher).nextRunAt(tx))
  const leaseUntil = (when: string) =>
    admin.query(
      `update deliveries set lease_id = 'lse_dead', leased_until = now() + $2::interval where business_id = $1`,
      [businessId, when],
    )
  const now = realClock.now()
  await leaseUntil('-1 second')
  expect((await nextRunAt())?.since(now).sign).toBe(1)
  await leaseUntil('1 minute')
  expect((await nextRunAt())?.since(now).total('seconds')).toBeLessThan(30)
})

test('only the process that holds the lease of a delivery records its result', async () => {
  const businessId = await businessWithDueDelivery()
  const { rows } = await admin.query<{ receiver: string }>(
    'select receiver from deliveries where business_id = $1',
    [businessId],
  )
  const receiver = rows[0]?.receiver ?? ''
  const now = realClock.now()
  const claim = (leaseId: string, until: typeof now) =>
    db.transact(businessId, (tx) =>
      claimDeliveries(tx, new Map([[receiver, 1]]), { id: leaseId, from: realClock.now(), until }),
    )
  const [claimed] = await claim('lse_slow', now)
  expect(await claim('lse_next', now.add({ seconds: 60 }))).toMatchObject([{ id: claimed?.id }])
  const record = async (leaseId: string) => {
    const result = { state: 'delivered', attempt: null, retryMs: null, inOrder: true, receiver } as const
    const { id = '', endpoint_id: endpointId = null } = claimed ?? {}
    const delivery = { id, leaseId, objectId: 'ord_due', endpointId }
    await db.transact(businessId, (tx) => recordResults(tx, [{ ...delivery, ...result }]))
    const stored = await admin.query('select state, lease_id from deliveries where business_id = $1', [
      businessId,
    ])
    return stored.rows
  }
  expect(await record('lse_slow')).toEqual([{ state: 'pending', lease_id: 'lse_next' }])
  expect(await record('lse_next')).toEqual([{ state: 'delivered', lease_id: null }])
})
