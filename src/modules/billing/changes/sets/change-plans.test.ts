import { expect, test } from 'vitest'
import { RequestError } from '#kernel/errors'
import { counting } from '#platform/testing/database'
import { asJson, CARDS, createFixture, Shop } from '../../testing/fixture.ts'
import type { PlanChangeRequest } from '../change-request.ts'

// Proves reference/bulk-actions#plans.
const fixture = await createFixture()
const { db, recurring } = fixture

/** Plans that are billed 30 a month from 1 April, seen in the middle of April. */
async function openShop(count: number, card: string = CARDS.good) {
  const shop = await Shop.open(fixture, '2027-04-01T02:00:00Z')
  const { businessId } = shop.caller
  const [from, to] = [await shop.item(30), await shop.item(60)]
  const recurring_items = [{ quantity: 1, recurring_item_id: from }]
  const customer = await shop.customer(card)
  const recurring_cycles = [await shop.cycle({ recurring_items })]
  const newPlan = async () => (await shop.plan(customer, { payment_retry_count: 10, recurring_cycles })).id
  const ids: string[] = []
  while (ids.length < count) ids.push(await newPlan())
  // Charges that were slow have their outcome an hour later.
  await shop.advance('2027-04-01T03:00:00Z')
  await shop.jump('2027-04-16T02:00:00Z')
  const request: PlanChangeRequest = { replace: [{ from, to }] }
  const changeAll = async (planIds: readonly string[], dryRun = false, asked = request) => {
    const work = async () =>
      recurring.withTaxEngine(businessId, (answers) =>
        db.transact(businessId, async (inner) => {
          const tx = counting(inner)
          const changed = await recurring.changePlans(tx, planIds, asked, { dryRun, answers })
          return { changed, statements: tx.statements }
        }),
      )
    const { changed, statements } = await work()
    const results = planIds.map((id) => {
      const result = changed.get(id)
      return result instanceof RequestError ? result.reason : result?.toString()
    })
    return { results, statements }
  }
  const totals = async (planId: string) =>
    (await shop.orders(planId)).map(({ initial_total: total }) => total)
  return { shop, ids, request, changeAll, totals }
}

test('a change of 90 plans takes the statements of a change of 30, and bills each like a change of one', async () => {
  const { shop, ids, request, changeAll, totals } = await openShop(121)
  const [alone = '', ...others] = ids
  const single = asJson(await recurring.change(shop.caller, alone, request))
  expect(single.change).toMatchObject({ total: 15, remaining: 15, whole: 30 })
  const few = await changeAll(others.slice(0, 30))
  const many = await changeAll(others.slice(30))
  expect(many.results).toEqual(Array(90).fill('15.00'))
  expect(many.statements).toEqual(few.statements)
  const eventsOf = async (id: string) => (await shop.events(id)).map(({ type }) => type)
  const [first = '', last = ''] = [others[0], others.at(-1)]
  for (const id of [first, last]) {
    expect(await totals(id)).toEqual([30, 15])
    expect(await eventsOf(id)).toEqual(await eventsOf(alone))
    const [changed, plan] = [single.plan, await shop.get(id)]
    expect(plan.recurring_cycles[0]?.recurring_items).toEqual(changed.recurring_cycles[0]?.recurring_items)
  }
  await shop.advance('2027-05-01T02:00:00Z')
  expect(await totals(last)).toEqual([30, 15, 60])
  expect(await shop.breaches()).toEqual([])
})

test('a plan that refuses does so alone, with the reason of a change of one', async () => {
  const { shop, ids, changeAll, totals } = await openShop(5)
  const [good = '', canceled = '', paused = '', scheduled = '', last = ''] = ids
  await recurring.cancel(shop.caller, canceled, false)
  await recurring.pause(shop.caller, paused)
  const item = await shop.item(70)
  const recurring_items = [{ quantity: 1, recurring_item_id: item }]
  await recurring.change(shop.caller, scheduled, { recurring_items, at: 'period_end' })
  const { results } = await changeAll([good, canceled, paused, scheduled, 'pln_unknown', last])
  expect(results).toEqual([
    '15.00',
    'plan_not_changeable',
    'plan_not_changeable',
    'change_pending',
    'plan_not_found',
    '15.00',
  ])
  for (const id of [good, last]) expect(await totals(id)).toEqual([30, 15])
  for (const id of [canceled, paused, scheduled]) expect(await totals(id)).toEqual([30])
  expect((await changeAll([good, last])).results).toEqual(Array(2).fill('change_inconsistent'))
  expect(await shop.breaches()).toEqual([])
})

test('each unpaid order is lowered by the credit of its plan, and a dry run lowers none', async () => {
  const { shop, ids, changeAll } = await openShop(12, CARDS.declining)
  const due = async () => {
    const orders = await Promise.all(ids.map((id) => shop.orders(id)))
    return orders.map((ofPlan) => ofPlan.map(({ amount_due: amount }) => amount))
  }
  expect((await changeAll(ids, true)).results).toEqual(Array(12).fill('30.00'))
  expect(await due()).toEqual(ids.map(() => ['30.00']))
  expect((await changeAll(ids)).results).toEqual(Array(12).fill('30.00'))
  expect(await due()).toEqual(ids.map(() => ['15.00', '30.00']))
  expect(await shop.breaches()).toEqual([])
})

test('a rule that is new to the business is stored once for all plans that take it', async () => {
  const { shop, ids, changeAll } = await openShop(3)
  const { results } = await changeAll(ids, false, { recurring_billing_config: 'FREQ=MONTHLY;INTERVAL=5' })
  expect(results).toEqual(Array(3).fill('15.00'))
  const plans = await Promise.all(ids.map((id) => shop.get(id)))
  const configs = plans.map(({ recurring_cycles: cycles }) => cycles[1]?.recurring_billing_config)
  expect(configs[0]).toMatchObject({ billing_interval: 'month', interval_count: 5 })
  expect(configs).toEqual(Array(3).fill(configs[0]))
  expect(await shop.breaches()).toEqual([])
})
