import { expect, test } from 'vitest'
import { rebuildHeads } from '#platform/due-work'
import { CARDS, createFixture, Shop } from './testing/fixture.ts'

const fixture = await createFixture()

/** A plan whose first order was paid, in a shop whose clock runs. */
async function livingPlan() {
  const shop = await Shop.open(fixture, '2031-01-10T04:00:00Z')
  const { businessId } = shop.caller
  const plan = await shop.plan(await shop.customer(CARDS.good))
  await shop.advance('2031-01-10T04:00:00Z')
  await fixture.admin.query(
    `update business_clocks
        set offset_ms = extract(epoch from frozen_at - now())::bigint * 1000, frozen_at = null, advance_to = null
      where business_id = $1`,
    [businessId],
  )
  await fixture.db.transact(businessId, (tx) => rebuildHeads(tx, fixture.works))
  const orderId = plan.current_order?.order_number ?? (await shop.get(plan.id)).current_order?.order_number
  return { shop, businessId, planId: plan.id, orderId }
}

test('a plan that is due for hours breaks no rule while it has a head: no service may run', async () => {
  const { shop, businessId, planId } = await livingPlan()
  await fixture.admin.query(
    `update recurring_plans set due_at = due_at - interval '1 month' - interval '3 hours' where id = $1`,
    [planId],
  )
  await fixture.admin.query('update due_heads set due_at = now() where business_id = $1', [businessId])
  expect(await shop.breaches()).toEqual([])
})

test.each([
  [
    'due_work_has_a_head',
    `delete from due_heads where business_id = (select business_id from recurring_plans where id = $1)`,
    'plan',
  ],
  [
    'what_an_order_waits_for_is_under_way',
    `update recurring_orders set state = 'open', waiting = true where order_id = $1`,
    'order',
  ],
  [
    'what_an_order_waits_for_is_under_way',
    `update recurring_orders set state = 'open', attempt_transaction = (select id from transactions where order_id = $1)
      where order_id = $1`,
    'order',
  ],
  [
    'credit_used_is_a_line_of_the_order',
    'update recurring_orders set credit_minor = credit_minor + 1 where order_id = $1',
    'order',
  ],
] as const)('%s is found when it is broken', async (rule, statement, what) => {
  const { shop, planId, orderId } = await livingPlan()
  expect(await shop.breaches()).toEqual([])
  const object = { plan: planId, order: orderId }[what]
  await fixture.admin.query(statement, [object])
  const found = (await shop.breaches()).map((breach) => [breach.rule, breach.object])
  expect(found).toContainEqual([rule, object])
})
