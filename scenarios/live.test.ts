import { expect, test } from 'vitest'
import { PAYMENTS } from './harness/client.ts'
import { liveClient } from './harness/command-line.ts'
import { startScenario } from './harness/scenario.ts'

const { service } = await startScenario()
const live = await liveClient(service)

// Proves reference/access#live-environments.
test('a live environment without an acquirer refuses payments and bindings, but accepts and voids orders', async () => {
  const customer = await live.createCustomer()
  const order = await live.createOrder({ customer_uuid: customer.uuid })
  await expect(live.bindCard(customer.uuid, '4242424242424242')).rejects.toThrow('acquirer_not_configured')
  expect(await live.pay(order.number, 'pmt_none')).toMatchObject({
    status: 503,
    data: { error: { reason: 'acquirer_not_configured' } },
  })
  const voided = await live.ok('POST', `${PAYMENTS}/orders/void`, { order: { number: order.number } })
  expect(voided.order).toMatchObject({ state: 'voided', transactions: [] })
})

// Proves reference/access#live-environments, reference/recurring#attempts.
test('without an acquirer a live plan still creates its order, and the attempt fails because there is no payment token', async () => {
  const customer = await live.createCustomer()
  const plan = await live.createPlan({
    customer_uuid: customer.uuid,
    recurring_cycles: [
      {
        billing_count: null,
        recurring_billing_config: 'FREQ=MONTHLY',
        recurring_items: [{ recurring_item_id: await live.createItem(100), quantity: 1 }],
      },
    ],
  })
  await expect.poll(async () => (await live.getPlan(plan.id)).state, { timeout: 5_000 }).toBe('past_due')
  const { current_order } = await live.getPlan(plan.id)
  const { transactions } = await live.checkOrder(current_order.order_number)
  expect(transactions).toMatchObject([
    { success: false, payment_data: { acquirer_name: '', resp_code: 'no_payment_token' } },
  ])
})
