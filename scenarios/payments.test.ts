import { expect, test } from 'vitest'
import { PAYMENTS } from './harness/client.ts'
import { startScenario } from './harness/scenario.ts'

// The timeout of an acquirer call is three seconds instead of ten.
const { client } = await startScenario({ env: { ACQUIRER_TIMEOUT_MS: '5000' } })

async function customerWithCard(number = '4242424242424242') {
  const customer = await client.createCustomer()
  const token = await client.bindCard(customer.uuid, number)
  return { customer, token: token.token as string }
}

// Proves reference/payments#paying, reference/payments#reservations, reference/payments#captures, reference/payments#refunds,
// reference/payments#unknown-outcomes, reference/orders#voiding, reference/orders#checking, reference/conventions#money,
// reference/conventions#idempotency.

test('two orders paid by 50 concurrent callers are charged once each', async () => {
  const { customer, token } = await customerWithCard()
  const orders = await Promise.all([1, 2].map(() => client.createOrder({ customer_uuid: customer.uuid })))
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, index) => client.pay(orders[index % 2].number, token)),
  )
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(2)
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 409]))
  for (const order of orders) {
    const checked = await client.checkOrder(order.number)
    expect(checked).toMatchObject({ state: 'completed', paid_total: '100.00', unpaid_total: '0.00' })
    expect(
      checked.transactions.filter((transaction: { success: boolean }) => transaction.success),
    ).toHaveLength(1)
  }
})

test('an order in yen refuses half a yen', async () => {
  const order = await client.createOrder({ currency: 'JPY', initial_total: 10 })
  expect(order).toMatchObject({ initial_total: 10, unpaid_total: '10' })
  const refused = await client.call('POST', `${PAYMENTS}/orders`, {
    order: { reference_number: 'yen-half', currency: 'JPY', initial_total: 10.5 },
  })
  expect(refused).toMatchObject({ status: 422, data: { error: { param: 'order.initial_total' } } })
})

test('a declined payment is recorded, shown with the order, and can be tried again with another card', async () => {
  const { customer, token } = await customerWithCard('4000000000009995')
  const order = await client.createOrder({ customer_uuid: customer.uuid })
  const declined = await client.pay(order.number, token)
  expect(declined).toMatchObject({ status: 402, data: { error: { decline_code: 'insufficient_funds' } } })
  expect(declined.data.order.transactions).toHaveLength(1)
  const good = await client.bindCard(customer.uuid, '5555555555554444')
  expect(await client.pay(order.number, good.token)).toMatchObject({ status: 200 })
})

test('authorize, capture in parts, and refund: paid_total is the plain sum', async () => {
  const { customer, token } = await customerWithCard()
  const order = await client.createOrder({ customer_uuid: customer.uuid, initial_total: 90.5 })
  const authorized = await client.pay(order.number, token, { type: 'Authorization' })
  expect(authorized.data.order).toMatchObject({ paid_total: '0.00', state: 'open' })
  const authorization = { transaction: { uuid: authorized.data.transaction.uuid } }
  await client.ok('POST', `${PAYMENTS}/transactions/capture`, { ...authorization, amount: 40.25 })
  const second = await client.ok('POST', `${PAYMENTS}/transactions/capture`, authorization)
  expect(second.order).toMatchObject({ paid_total: '90.50', state: 'completed' })
  expect(await client.call('POST', `${PAYMENTS}/transactions/capture`, authorization)).toMatchObject({
    status: 409,
  })
  const refunded = await client.ok('POST', `${PAYMENTS}/transactions/refund`, {
    transaction: { uuid: second.transaction.uuid },
    amount: 10,
  })
  expect(refunded.transaction).toMatchObject({ type: 'Refund', amount: -10, success: true })
  expect(refunded.order).toMatchObject({
    paid_total: '80.50',
    state: 'completed',
    correspondence_state: 'partial_paid',
  })
})

test('a member that is null in responses can be null in requests', async () => {
  const { customer, token } = await customerWithCard()
  const order = await client.createOrder({ customer_uuid: customer.uuid, due_date: null, line_items: null })
  expect(order).toMatchObject({ due_date: null, line_items: null })
  const { transaction: sale } = (await client.pay(order.number, token)).data
  expect(sale.note).toBeNull()
  const refund = { transaction: { uuid: sale.uuid }, amount: 10, note: null }
  expect((await client.ok('POST', `${PAYMENTS}/transactions/refund`, refund)).transaction.note).toBeNull()
  const plan = await client.createPlan({
    customer_uuid: customer.uuid,
    description: null,
    recurring_cycles: [
      {
        billing_count: null,
        recurring_billing_config: 'FREQ=MONTHLY',
        recurring_items: [{ quantity: 1, recurring_item_id: await client.createItem(50) }],
        description: null,
      },
    ],
  })
  expect(plan).toMatchObject({ description: null, recurring_cycles: [{ description: null }] })
  const currentOrder = async () => (await client.getPlan(plan.id)).current_order?.order_number
  await expect.poll(currentOrder).toBeDefined()
  expect(await client.checkOrder(await currentOrder())).toMatchObject({ plan_id: plan.id })
  const lines = { reference_number: 'no-lines', currency: 'HKD', line_items: null }
  expect(await client.call('POST', `${PAYMENTS}/orders`, { order: lines })).toMatchObject({
    status: 400,
    data: { error: { reason: 'total_missing' } },
  })
})

test('a payment whose response was lost is 504, an inquiry finds it, and a replay shows the current state', async () => {
  const { customer, token } = await customerWithCard('4000000000000127')
  const order = await client.createOrder({ customer_uuid: customer.uuid })
  const body = { order: { number: order.number }, transaction: { type: 'Sales', payment_token: token } }
  const lost = await client.call('POST', `${PAYMENTS}/orders/pay`, body, { idempotencyKey: 'lost-response' })
  expect(lost.status).toBe(504)
  expect(lost.data.order.transactions).toMatchObject([{ payment_data: { transaction_state: 'unknown' } }])
  await client.advanceBy('PT2H')
  const replayed = await client.call('POST', `${PAYMENTS}/orders/pay`, body, {
    idempotencyKey: 'lost-response',
  })
  expect(replayed.headers.get('idempotent-replayed')).toBe('true')
  expect(replayed).toMatchObject({ status: 200, data: { order: { state: 'completed' } } })
})

test('an order is voided while nothing is settled, and not after the cut-off', async () => {
  const { customer, token } = await customerWithCard()
  const [early, late] = [
    await client.createOrder({ customer_uuid: customer.uuid }),
    await client.createOrder({ customer_uuid: customer.uuid }),
  ]
  for (const order of [early, late]) await client.pay(order.number, token)
  const voided = await client.ok('POST', `${PAYMENTS}/orders/void`, { order: { number: early.number } })
  expect(voided.order).toMatchObject({ state: 'voided', paid_total: '0.00' })
  expect(
    (await client.call('POST', `${PAYMENTS}/orders/void`, { order: { number: early.number } })).status,
  ).toBe(200)
  await client.advanceBy('P1D')
  expect(
    (await client.call('POST', `${PAYMENTS}/orders/void`, { order: { number: late.number } })).status,
  ).toBe(409)
  const checked = await client.checkOrder(late.number)
  expect(checked.transactions[0]).toMatchObject({ allow_void: false, allow_refund: true })
})

test('a check is 400 without an identifier, 422 with both order and transaction, and 404 with identifiers that disagree', async () => {
  const [order, other] = [await client.createOrder(), await client.createOrder()]
  const check = (body: object) => client.call('POST', `${PAYMENTS}/orders/check`, body)
  expect(await check({})).toMatchObject({ status: 400, data: { error: { param: 'order' } } })
  expect(await check({ order: {} })).toMatchObject({
    status: 400,
    data: { error: { param: 'order.number' } },
  })
  const both = { order: { number: order.number }, transaction: { uuid: 'txn_any' } }
  expect(await check(both)).toMatchObject({ status: 422, data: { error: { param: 'transaction' } } })
  const disagreeing = { number: order.number, reference_number: other.reference_number }
  expect(await check({ order: disagreeing })).toMatchObject({ status: 404 })
  const ownReference = await check({ order: { number: other.reference_number } })
  expect(ownReference.message).toContain('send your own identifier as reference_number')
  const unpriced = await client.call('POST', `${PAYMENTS}/orders`, {
    order: { reference_number: 'unpriced', currency: 'HKD' },
  })
  expect(unpriced).toMatchObject({ status: 400, data: { error: { param: 'order.initial_total' } } })
})
