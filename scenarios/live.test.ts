import { expect, test } from 'vitest'
import { monthly, PAYMENTS } from './harness/client.ts'
import { liveClient } from './harness/command-line.ts'
import { startScenario } from './harness/scenario.ts'

const { service } = await startScenario()
const live = await liveClient(service)

// Proves reference/access#live-environments, reference/orders#payment-links.
test('a live environment without an acquirer refuses payments and bindings, but accepts and voids orders', async () => {
  const customer = await live.createCustomer()
  const order = await live.createOrder({ customer_uuid: customer.uuid })
  await expect(live.bindCard(customer.uuid, '4242424242424242')).rejects.toThrow('acquirer_not_configured')
  expect(await live.pay(order.number, 'pmt_none')).toMatchObject({
    status: 503,
    data: { error: { reason: 'acquirer_not_configured' } },
  })
  const order_with_link = { reference_number: 'linked', currency: 'HKD', initial_total: 1 }
  for (const [path, body] of [
    [`${PAYMENTS}/orders?with_payment_link=true`, { order: order_with_link }],
    [`${PAYMENTS}/orders/check?with_payment_link=true`, { order: { number: order.number } }],
  ] as const) {
    expect(await live.call('POST', path, body)).toMatchObject({
      status: 503,
      data: { error: { reason: 'acquirer_not_configured' } },
    })
  }
  expect(await live.orders('reference_number = "linked"')).toEqual([])
  const voided = await live.ok('POST', `${PAYMENTS}/orders/void`, { order: { number: order.number } })
  expect(voided.order).toMatchObject({ state: 'voided', transactions: [] })
})

// Proves reference/access#live-environments, reference/recurring#attempts.
test('without an acquirer a live plan still creates its order, and the attempt fails because there is no payment token', async () => {
  const customer = await live.createCustomer()
  const plan = await live.createPlan({
    customer_uuid: customer.uuid,
    recurring_cycles: monthly(await live.createItem(100)),
  })
  await expect.poll(async () => (await live.getPlan(plan.id)).state).toBe('past_due')
  const { current_order } = await live.getPlan(plan.id)
  const { transactions } = await live.checkOrder(current_order.order_number)
  expect(transactions).toMatchObject([
    { success: false, payment_data: { acquirer_name: '', resp_code: 'no_payment_token' } },
  ])
})
