import { expect, test, vi } from 'vitest'
import { startReceiver } from '#platform/testing/receiver'
import { startScenario } from './harness/scenario.ts'

const { client } = await startScenario({ env: { ALLOW_PRIVATE_WEBHOOKS: '1' } })

// Proves reference/events#payloads, reference/orders#creating.
test('every webhook names its object, a token its customer, and an order of a plan its plan', async () => {
  const { url, received } = await startReceiver()
  await client.ok('POST', '/svc/event/api/v1/openapi/endpoints', { endpoint: { url } })
  const customer = await client.createCustomer()
  const bound = await client.bindCard(customer.uuid, '4242424242424242')
  const failed = await client.bindCard(customer.uuid, '4000000000000002')
  const plan = await client.createPlan({
    customer_uuid: customer.uuid,
    recurring_cycles: [
      {
        billing_count: 1,
        recurring_billing_config: 'FREQ=MONTHLY',
        recurring_items: [{ recurring_item_id: await client.createItem(100), quantity: 1 }],
      },
    ],
  })
  const oneOff = await client.createOrder()
  const of = (type: string) => received.map(({ body }) => body).filter((body) => body.type === type)
  await vi.waitFor(
    () => {
      expect(of('order.paid')).toHaveLength(1)
      expect(of('order.created')).toHaveLength(2)
      expect(of('payment_token.failed')).toHaveLength(1)
    },
    { timeout: 60_000, interval: 50 },
  )
  expect(of('payment_token.active')).toMatchObject([
    { object_id: bound.token, data: { payment_token: { token: bound.token, customer_uuid: customer.uuid } } },
  ])
  expect(of('payment_token.failed')).toMatchObject([
    { object_id: failed.token, data: { payment_token: { customer_uuid: customer.uuid } } },
  ])
  const { order_number: number } = (await client.getPlan(plan.id)).current_order
  expect(of('order.paid')).toMatchObject([
    { object_id: number, data: { order: { number, plan_id: plan.id } } },
  ])
  expect(of('transaction.succeeded')).toMatchObject([
    { object_id: number, data: { order: { plan_id: plan.id } } },
  ])
  expect(of('plan.created')).toMatchObject([{ object_id: plan.id }])
  expect((await client.checkOrder(number)).plan_id).toBe(plan.id)
  expect(await client.checkOrder(oneOff.number)).not.toHaveProperty('plan_id')
  for (const { body } of received) expect(body.object_id).toMatch(/^[a-z]+_[0-9a-z]{26}$/)
})
