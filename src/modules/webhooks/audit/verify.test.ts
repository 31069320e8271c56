import { expect, test } from 'vitest'
import { createFixture } from '../testing/fixture.ts'
import { RULES, verifyWebhooks } from './verify.ts'

const fixture = await createFixture()
const { admin, deliveries, happen, register } = fixture

/** Events of two objects for two receivers; nothing is sent. */
async function waitingBusiness() {
  const { businessId, caller } = await fixture.business()
  await register(caller, 'https://shop.example.com/hook')
  await register(caller, 'https://books.example.com/hook')
  await happen(businessId, ['ord_1', 'ord_2', 'ord_1'])
  return {
    businessId,
    caller,
    breaches: () => Array.fromAsync(verifyWebhooks(fixture.db)(businessId)),
  }
}

test('what waits for receivers breaks no rule', async () => {
  const { breaches } = await waitingBusiness()
  expect(await breaches()).toEqual([])
})

test('each rule is broken below', () => {
  expect(Object.keys(RULES)).toEqual(['delivery_queue_has_a_head', 'due_work_has_a_head'])
})

test('a queue of which nothing is due is named by its first delivery', async () => {
  const { businessId, caller, breaches } = await waitingBusiness()
  const [first] = await deliveries(caller)
  await admin.query('update deliveries set due_at = null where business_id = $1 and id = $2', [
    businessId,
    first?.id,
  ])
  expect(await breaches()).toMatchObject([{ rule: 'delivery_queue_has_a_head', object: first?.id }])
})

test('deliveries that nobody would ever look for are named', async () => {
  const { businessId, caller, breaches } = await waitingBusiness()
  await admin.query('delete from next_runs where business_id = $1', [businessId])
  const due = (await deliveries(caller)).filter((delivery) => delivery.next_attempt_at !== null)
  expect(due).toHaveLength(4)
  const named = (await breaches()).map(({ rule, object }) => [rule, object])
  expect(named).toEqual(due.map(({ id }) => ['due_work_has_a_head', id]))
})
