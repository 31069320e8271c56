import { expect, test } from 'vitest'
import { CARDS, createFixture, Shop } from '../testing/fixture.ts'

const fixture = await createFixture()
const { payments } = fixture
const START = '2031-01-31T02:00:00Z'
const PLANS = 5

/** Bills some plans. An error of `check` prevents the record of the outcomes. */
async function billing(check: (outcomes: Parameters<typeof payments.recordOutcomes>[1]) => void) {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.good)
  const plans = await Promise.all(Array.from({ length: PLANS }, () => shop.plan(customer)))
  const record = payments.recordOutcomes.bind(payments)
  payments.recordOutcomes = async (tx, outcomes) => {
    check(outcomes)
    return record(tx, outcomes)
  }
  const ended = await shop.advance(START).then(
    () => 'done',
    (error: unknown) => String(error),
  )
  payments.recordOutcomes = record
  const completed = async (): Promise<number> => {
    const orders = await Promise.all(plans.map(async ({ id }) => (await shop.orders(id))[0]))
    return orders.filter((order) => order?.state === 'completed').length
  }
  return { shop, ended, completed }
}

// Proves reference/recurring#attempts, reference/payments#unknown-outcomes.
test('outcomes are recorded after the database connection was lost, and the run succeeds', async () => {
  let tries = 0
  const { shop, ended, completed } = await billing(() => {
    if (++tries <= 2) throw new Error('Connection terminated unexpectedly')
  })
  expect([ended, tries]).toEqual(['done', 3])
  expect(await completed()).toBe(PLANS)
  expect(await shop.breaches()).toEqual([])
})

test('an outcome that cannot be recorded does not hold up the others, and the resolver records it later', async () => {
  let poison: string | undefined
  const { shop, ended, completed } = await billing((outcomes) => {
    poison ??= outcomes[0]?.charge.transaction.id
    if (outcomes.some(({ charge }) => charge.transaction.id === poison)) throw new Error('cannot record')
  })
  expect(ended).toBe('Error: cannot record')
  expect(await completed()).toBe(PLANS - 1)
  await fixture.endLeases()
  await shop.advance('2031-01-31T02:01:00Z')
  expect(await completed()).toBe(PLANS)
  expect(await shop.breaches()).toEqual([])
})
