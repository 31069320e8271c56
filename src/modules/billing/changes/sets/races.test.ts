import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { RequestError } from '#kernel/errors'
import { reasonOf } from '#platform/testing/requests'
import { CARDS, createFixture, Shop } from '../../testing/fixture.ts'

// Proves reference/billing-changes#at-once.
const fixture = await createFixture()
const { db, recurring } = fixture

const PLANS = 12

/** Plans that are billed 30 a unit and month from 1 April, seen in the middle of April. */
async function openShop(card: string = CARDS.good) {
  const shop = await Shop.open(fixture, '2027-04-01T02:00:00Z')
  const unit = await shop.item(30)
  const items = (quantity: number) => [{ quantity, recurring_item_id: unit }]
  const recurring_cycles = [await shop.cycle({ recurring_items: items(1) })]
  const customer = await shop.customer(card)
  const ids: string[] = []
  while (ids.length < PLANS) {
    ids.push((await shop.plan(customer, { payment_retry_count: 10, recurring_cycles })).id)
  }
  // Charges that were slow have their outcome an hour later.
  await shop.advance('2027-04-01T03:00:00Z')
  await shop.jump('2027-04-16T02:00:00Z')
  const change = (id: string, quantity = 2) =>
    reasonOf(recurring.change(shop.caller, id, { recurring_items: items(quantity) }))
  const changeAll = (quantity = 2) =>
    recurring.withTaxEngine(shop.caller.businessId, (answers) =>
      db.transact(shop.caller.businessId, (tx) =>
        recurring.changePlans(tx, ids, { recurring_items: items(quantity) }, { dryRun: false, answers }),
      ),
    )
  const billed = async (id: string) => {
    const orders = await shop.orders(id)
    return orders.reduce(
      (sum, order) => sum + Number(order.initial_total) - Number(order.billing?.credited_total ?? 0),
      0,
    )
  }
  const quantityOf = async (id: string) =>
    (await shop.get(id)).recurring_cycles[0]?.recurring_items[0]?.quantity ?? 0
  return { shop, ids, customer, change, changeAll, billed, quantityOf }
}

/** What a plan is billed by the end of 1 May, for each outcome of its change. */
const BILLED = { before: 30 + 15 + 60, after: 30 + 30 + 30, refused: 30 + 30 }

test('a change and the billing of the next period come one after the other', async () => {
  const { shop, ids, change, billed, quantityOf } = await openShop()
  const changes = ids.map(async (id, index) => {
    await sleep(index * 15)
    return change(id)
  })
  const [results] = await Promise.all([Promise.all(changes), shop.advance('2027-05-01T02:00:00Z')])
  await shop.advance('2027-05-01T03:00:00Z')
  for (const [index, id] of ids.entries()) {
    const result = results[index]
    expect(['done', 'payment_in_progress']).toContain(result)
    expect(await quantityOf(id)).toBe(result === 'done' ? 2 : 1)
    expect(result === 'done' ? [BILLED.before, BILLED.after] : [BILLED.refused]).toContain(await billed(id))
  }
  expect(await shop.breaches()).toEqual([])
})

test('a change of many plans and the billing of their next period come one after the other', async () => {
  const { shop, ids, changeAll, billed, quantityOf } = await openShop()
  const [changed] = await Promise.all([
    sleep(50).then(() => changeAll()),
    shop.advance('2027-05-01T02:00:00Z'),
  ])
  await shop.advance('2027-05-01T03:00:00Z')
  for (const id of ids) {
    const result = changed.get(id)
    const isDone = result !== undefined && !(result instanceof RequestError)
    if (result instanceof RequestError) expect(result.reason).toBe('payment_in_progress')
    expect(await quantityOf(id)).toBe(isDone ? 2 : 1)
    expect(isDone ? [BILLED.before, BILLED.after] : [BILLED.refused]).toContain(await billed(id))
  }
  expect(await shop.breaches()).toEqual([])
})

test('of a change of many plans and changes of each at once, every plan is priced after the one before', async () => {
  const { shop, ids, change, changeAll, billed, quantityOf } = await openShop()
  const all = [changeAll(4), ...ids.map((id, index) => change(id, (index % 2) + 2)), changeAll(5)]
  const results = await Promise.all(all)
  for (const result of results) {
    if (typeof result === 'string') expect(['done', 'payment_in_progress']).toContain(result)
    else expect(result.size).toBeGreaterThan(0)
  }
  await shop.advance('2027-04-16T03:00:00Z')
  for (const id of ids) {
    const quantity = await quantityOf(id)
    expect(quantity).toBeGreaterThan(1)
    expect(await billed(id)).toBeCloseTo(30 + (quantity - 1) * 15)
  }
  expect(await shop.breaches()).toEqual([])
})

test('a change and a payment of the order that it credits leave nothing paid twice or billed twice', async () => {
  const { shop, ids, customer, change, billed, quantityOf } = await openShop(CARDS.declining)
  const token = await shop.bind(customer, CARDS.good)
  const unpaid = await Promise.all(ids.map(async (id) => (await shop.orders(id))[0]?.number ?? ''))
  const results = await Promise.all(
    ids.map(async (id, index) => {
      const pay = reasonOf(shop.pay(unpaid[index] ?? '', token))
      const changed = sleep(index * 5).then(() => change(id))
      return Promise.all([changed, pay])
    }),
  )
  await shop.advance('2027-04-20T03:00:00Z')
  for (const [index, id] of ids.entries()) {
    const [changed, paid] = results[index] ?? []
    expect(['done', 'payment_in_progress']).toContain(changed)
    expect(['done', 'outcome_unknown']).toContain(paid)
    const quantity = await quantityOf(id)
    expect(quantity).toBe(changed === 'done' ? 2 : 1)
    expect(await billed(id)).toBeCloseTo(30 + (quantity - 1) * 15)
    const [order] = await shop.orders(id)
    const credited = Number(order?.billing?.credited_total ?? 0)
    expect(order?.state).toBe('completed')
    expect(Number(order?.paid_total) + credited).toBe(30)
  }
  expect(await shop.breaches()).toEqual([])
})
