import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { addOutcomeMetrics } from './outcome-metrics.ts'
import { check, createFixture, failure, newOrder, pay } from './testing/fixture.ts'

const fixture = await createFixture()

// Proves reference/operations#metrics, reference/payments#unknown-outcomes.

test('the metric counts the payments of all businesses whose outcome is unknown', async () => {
  const registry = new Registry()
  addOutcomeMetrics(registry, fixture.db)
  const unknown = () => registry.getSingleMetricAsString('payment_outcomes_unknown')
  const merchant = await fixture.newMerchant('4000000000000127')
  const order = await newOrder(fixture, merchant)
  await failure(pay(fixture, merchant, order.number))
  expect(await unknown()).toContain('\npayment_outcomes_unknown 1')
  await fixture.advance(merchant.businessId, { seconds: 1 })
  expect(await check(fixture, merchant, order.number)).toMatchObject({ state: 'completed' })
  expect(await unknown()).toContain('\npayment_outcomes_unknown 0')
})
