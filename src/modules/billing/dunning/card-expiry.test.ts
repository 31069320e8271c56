import { expect, test } from 'vitest'
import { bindCard } from '../../customers/testing/fixture.ts'
import { CARDS, createFixture, Shop } from '../testing/fixture.ts'

// Proves reference/customers#expiring-cards.
const fixture = await createFixture()
const START = '2031-05-10T02:00:00Z'

async function card(shop: Shop, customer: string, isDefault = true): Promise<string> {
  const credit_card = {
    number: CARDS.good,
    exp_month: '07',
    exp_year: '2031',
    cvc: '123',
    holder_name: 'Ada Lovelace',
    billing_currency: 'HKD',
  }
  const more = { credit_card, default: isDefault }
  const { token } = await bindCard(fixture, shop.caller, customer, CARDS.good, more)
  return token
}

async function notices(shop: Shop, token: string): Promise<string[]> {
  const events = await shop.events(token)
  return events.flatMap(({ type, at }) => (type === 'payment_token.expiring' ? [at] : []))
}

test('the default card of a plan that bills is notified 30 and 7 days before the end of its last month, once each', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer()
  const token = await card(shop, customer)
  await shop.plan(customer)
  await shop.plan(customer)
  await shop.advance('2031-09-01T00:00:00Z')
  // Midnight of 2 and 25 July in Hong Kong.
  expect(await notices(shop, token)).toEqual(['2031-07-01T16:00:00.000Z', '2031-07-24T16:00:00.000Z'])
})

test('a card that no plan bills, that is not the default or was deleted is not notified', async () => {
  const shop = await Shop.open(fixture, START)
  const [without, canceled, replaced, deleted] = [
    await shop.customer(),
    await shop.customer(),
    await shop.customer(),
    await shop.customer(),
  ]
  const tokens = await Promise.all([without, canceled, replaced, deleted].map((one) => card(shop, one)))
  for (const one of [replaced, deleted]) await shop.plan(one)
  const plan = await shop.plan(canceled)
  await shop.advance('2031-05-20T00:00:00Z')
  await fixture.recurring.cancel(shop.caller, plan.id, false)
  await shop.bind(replaced, CARDS.good)
  await fixture.customers.deleteToken(shop.caller, deleted, tokens[3] ?? '')
  await shop.advance('2031-09-01T00:00:00Z')
  expect(await Promise.all(tokens.map((token) => notices(shop, token)))).toEqual([[], [], [], []])
})

test('a card that is bound in its last month has the notices that are left', async () => {
  const shop = await Shop.open(fixture, '2031-07-10T02:00:00Z')
  const customer = await shop.customer()
  const token = await card(shop, customer)
  await shop.plan(customer)
  await shop.advance('2031-09-01T00:00:00Z')
  expect(await notices(shop, token)).toEqual(['2031-07-24T16:00:00.000Z'])
})
