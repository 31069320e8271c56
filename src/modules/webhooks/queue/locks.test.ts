import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { until } from '#platform/testing/until'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { admin, publish, register, webhooks } = fixture

// Proves reference/events#redelivery, reference/events#endpoints.

async function businessWithDelivery() {
  const { businessId, caller } = await fixture.business()
  const endpoint = await register(caller, 'https://shop.example.com/hook')
  await publish(businessId, ['ord_locked'])
  return { businessId, caller, endpoint }
}

async function isLockAwaited(): Promise<boolean> {
  const { rowCount } = await admin.query(
    'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))',
  )
  return rowCount !== 0
}

test('the purge spares a delivery that is redelivered while the purge waits for its lock', async () => {
  const { businessId, caller } = await businessWithDelivery()
  await admin.query(
    `update deliveries set state = 'delivered', due_at = null, created_at = created_at - interval '63 days'
      where business_id = $1`,
    [businessId],
  )
  await admin.query('begin')
  await admin.query(`update deliveries set state = 'pending', due_at = now() where business_id = $1`, [
    businessId,
  ])
  const [purge] = webhooks.jobs
  const purged = purge?.run({ businessId, until: realClock.now(), timeOf: () => realClock.now() })
  await until(isLockAwaited)
  await admin.query('commit')
  expect(await purged).toBe(0)
  expect(await fixture.deliveries(caller)).toMatchObject([{ state: 'pending' }])
})

test('deleting an endpoint locks its deliveries before the endpoint, as recording a 410 does', async () => {
  const { businessId, caller, endpoint } = await businessWithDelivery()
  await admin.query('begin')
  await admin.query('select from deliveries where business_id = $1 for update', [businessId])
  const deleted = webhooks.deleteEndpoint(caller, endpoint.id)
  await until(isLockAwaited)
  // Recording a 410 holds the deliveries and locks the endpoint next. A lock held by the deletion would be a deadlock.
  await admin.query('select from webhook_endpoints where id = $1 for update nowait', [endpoint.id])
  await admin.query('commit')
  expect(await deleted).toMatchObject({ endpoint: { state: 'deleted' } })
})
