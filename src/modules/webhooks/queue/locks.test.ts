import { expect, test } from 'vitest'
import { realClock } from '#kernel/clock'
import { until } from '#platform/testing/until'
import { createFixture } from '../testing/fixture.ts'

const fixture = await createFixture()
const { admin, happen, register, webhooks } = fixture

async function withOneDelivery() {
  const { businessId, caller } = await fixture.business()
  const endpoint = await register(caller, 'https://shop.example.com/hook')
  await happen(businessId, ['ord_locked'])
  return { businessId, caller, endpoint }
}

/** Whether somebody waits for what `admin` has locked. */
async function isWaitedFor(): Promise<boolean> {
  const { rowCount } = await admin.query(
    'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))',
  )
  return rowCount !== 0
}

test('a delivery that is asked for again while the purge waits for it is not forgotten', async () => {
  const { businessId, caller } = await withOneDelivery()
  await admin.query(
    `update deliveries set state = 'delivered', due_at = null, made_at = made_at - interval '31 days'
      where business_id = $1`,
    [businessId],
  )
  await admin.query('begin')
  await admin.query(`update deliveries set state = 'pending', due_at = now() where business_id = $1`, [
    businessId,
  ])
  const [purge] = webhooks.jobs
  const purged = purge?.run({ businessId, until: realClock.now(), timeOf: () => realClock.now() })
  await until(isWaitedFor)
  await admin.query('commit')
  expect(await purged).toBe(0)
  expect(await fixture.deliveries(caller)).toMatchObject([{ state: 'pending' }])
})

test('deleting an endpoint waits for its deliveries before it locks the endpoint, as recording a 410 does', async () => {
  const { businessId, caller, endpoint } = await withOneDelivery()
  await admin.query('begin')
  await admin.query('select from deliveries where business_id = $1 for update', [businessId])
  const deleted = webhooks.deleteEndpoint(caller, endpoint.id)
  await until(isWaitedFor)
  // Recording a 410 has the deliveries, and would wait for the endpoint.
  await admin.query('select from webhook_endpoints where id = $1 for update nowait', [endpoint.id])
  await admin.query('commit')
  expect(await deleted).toMatchObject({ endpoint: { state: 'deleted' } })
})
