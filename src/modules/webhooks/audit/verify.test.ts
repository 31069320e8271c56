import { expect, test } from 'vitest'
import { createFixture } from '../testing/fixture.ts'
import { RULES, verifyWebhooks } from './verify.ts'

const fixture = await createFixture()
const { admin, deliveries, publish, register } = fixture

// Proves reference/operations#verify.

/** Nothing is sent. */
async function businessWithPendingDeliveries() {
  const { businessId, caller } = await fixture.business()
  await register(caller, 'https://shop.example.com/hook')
  await register(caller, 'https://books.example.com/hook')
  await publish(businessId, ['ord_1', 'ord_2', 'ord_1'])
  return {
    businessId,
    caller,
    breaches: () => Array.fromAsync(verifyWebhooks(fixture.db)(businessId)),
  }
}

test('pending deliveries break no rule', async () => {
  const { breaches } = await businessWithPendingDeliveries()
  expect(await breaches()).toEqual([])
})

test('every rule has a test that breaks it', () => {
  expect(Object.keys(RULES)).toEqual(['delivery_queue_has_a_head', 'due_work_has_a_head'])
})

test('a queue without a due delivery is reported with its first delivery', async () => {
  const { businessId, caller, breaches } = await businessWithPendingDeliveries()
  const [first] = await deliveries(caller)
  await admin.query('update deliveries set due_at = null where business_id = $1 and id = $2', [
    businessId,
    first?.id,
  ])
  expect(await breaches()).toMatchObject([{ rule: 'delivery_queue_has_a_head', object: first?.id }])
})

test('due deliveries without a scheduled job are reported', async () => {
  const { businessId, caller, breaches } = await businessWithPendingDeliveries()
  await admin.query('delete from next_runs where business_id = $1', [businessId])
  const due = (await deliveries(caller)).filter((delivery) => delivery.next_attempt_at !== null)
  expect(due).toHaveLength(4)
  const reported = (await breaches()).map(({ rule, object }) => [rule, object])
  expect(reported).toEqual(due.map(({ id }) => ['due_work_has_a_head', id]))
})
