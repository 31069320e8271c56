import type pg from 'pg'
import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { until } from '#platform/testing/until'
import { adminOf } from '#platform/testing/database'
import { purgeJob } from '../jobs.ts'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { publish, register, webhooks } = fixture

// Proves reference/events#redelivery, reference/events#endpoints.

async function businessWithDelivery() {
  const { businessId, caller } = await fixture.business()
  const endpoint = await register(caller, 'https://shop.example.com/hook')
  await publish(businessId, ['ord_locked'])
  return { businessId, caller, endpoint, node: await adminOf(fixture, businessId) }
}

async function isLockAwaited(node: pg.Client): Promise<boolean> {
  const { rowCount } = await node.query(
    'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))',
  )
  return rowCount !== 0
}

test('the purge spares a delivery that is redelivered while the purge waits for its lock', async () => {
  const { businessId, caller, node } = await businessWithDelivery()
  await node.query(
    `update deliveries set state = 'delivered', due_at = null, created_at = created_at - interval '63 days'
      where business_id = $1`,
    [businessId],
  )
  await node.query('begin')
  await node.query(`update deliveries set state = 'pending', due_at = now() where business_id = $1`, [
    businessId,
  ])
  const purge = purgeJob(fixture.db)
  const purged = purge.run({ businessId, until: realClock.now(), timeOf: () => realClock.now() })
  await until(() => isLockAwaited(node))
  await node.query('commit')
  expect(await purged).toBe(0)
  expect(await fixture.deliveries(caller)).toMatchObject([{ state: 'pending' }])
})

test('deleting an endpoint locks its deliveries before the endpoint, as recording a 410 does', async () => {
  const { businessId, caller, endpoint, node } = await businessWithDelivery()
  await node.query('begin')
  await node.query('select from deliveries where business_id = $1 for update', [businessId])
  const deleted = webhooks.deleteEndpoint(caller, endpoint.id)
  await until(() => isLockAwaited(node))
  // Recording a 410 holds the deliveries and locks the endpoint next. A lock that the deletion holds would cause a
  // deadlock.
  await node.query('select from webhook_endpoints where id = $1 for update nowait', [endpoint.id])
  await node.query('commit')
  expect(await deleted).toMatchObject({ endpoint: { state: 'deleted' } })
})
