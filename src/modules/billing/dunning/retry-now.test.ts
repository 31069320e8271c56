import { expect, test } from 'vitest'
import { reasonOf } from '#platform/testing/requests'
import { CARDS, createFixture, Shop } from '../testing/fixture.ts'

const fixture = await createFixture()
const { recurring } = fixture
const START = '2031-01-31T02:00:00Z'

// Proves reference/recurring#retry-now.
test('a retry is the next attempt, made at once, and later attempts are counted from it', async () => {
  const shop = await Shop.open(fixture, START)
  const plan = await shop.plan(await shop.customer(CARDS.declining))
  await shop.advance('2031-02-01T00:00:00Z')
  await recurring.retry(shop.caller, plan.id, null)
  expect((await shop.get(plan.id)).next_execute_time).toBe('2031-02-01T00:00:00.000Z')
  await shop.advance('2031-02-28T00:00:00Z')
  const [order] = await shop.orders(plan.id)
  expect(order?.transactions.map(({ created_at: at }) => at)).toEqual([
    '2031-01-31T02:00:00.000Z',
    '2031-02-01T00:00:00.000Z',
    '2031-02-03T00:00:00.000Z',
  ])
  expect((await shop.get(plan.id)).state).toBe('uncollectible')
  expect(await reasonOf(recurring.retry(shop.caller, plan.id, null))).toBe('nothing_to_retry')
  expect(await shop.breaches()).toEqual([])
})

test('a retry charges the default card of that moment and makes the plan active', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.declining)
  const plan = await shop.plan(customer)
  await shop.advance('2031-02-01T00:00:00Z')
  await shop.bind(customer, CARDS.good)
  const [open] = await shop.orders(plan.id)
  await recurring.retry(shop.caller, plan.id, open?.number ?? '')
  await shop.advance('2031-02-01T00:00:01Z')
  expect((await shop.orders(plan.id))[0]?.state).toBe('completed')
  expect((await shop.get(plan.id)).state).toBe('active')
  expect((await shop.events(plan.id)).map(({ type }) => type)).toContain('plan.updated')
  expect(await shop.breaches()).toEqual([])
})

test('the refusal to retry a written-off or canceled plan says that it can be reactivated, which lets it go on', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.declining)
  const uncollectible = await shop.plan(customer, { payment_retry_count: 1, grace_period: 1 })
  const canceled = await shop.plan(customer)
  await recurring.cancel(shop.caller, canceled.id, false)
  await shop.advance('2031-02-10T00:00:00Z')
  for (const { id } of [uncollectible, canceled]) {
    await expect(recurring.retry(shop.caller, id, null)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('Reactivate'),
    })
    await recurring.reactivate(shop.caller, id, 'now')
    expect((await shop.get(id)).state).toBe('active')
  }
})

test('nothing is retried of a plan that is paused, paid, ended or waiting for an attempt, nor of another order', async () => {
  const shop = await Shop.open(fixture, START)
  const retry = (id: string, order: string | null = null) => reasonOf(recurring.retry(shop.caller, id, order))
  const paid = await shop.plan(await shop.customer(CARDS.good))
  const failing = await shop.plan(await shop.customer(CARDS.declining))
  const waiting = await shop.plan(await shop.customer(CARDS.silentUnbooked))
  await shop.advance(START)
  expect(await retry(paid.id)).toBe('nothing_to_retry')
  expect(await retry(waiting.id)).toBe('nothing_to_retry')
  expect(await retry(failing.id, (await shop.orders(paid.id))[0]?.number)).toBe('nothing_to_retry')
  await recurring.pause(shop.caller, failing.id)
  expect(await retry(failing.id)).toBe('nothing_to_retry')
  await recurring.cancel(shop.caller, failing.id, false)
  expect(await retry(failing.id)).toBe('plan_ended')
  expect(await retry('pln_0')).toBe('plan_not_found')
})
