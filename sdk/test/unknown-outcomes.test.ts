import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { startScenario } from '../../scenarios/harness/scenario.ts'
import { AcquirerError, Quittance } from '../src/index.ts'

const { client } = await startScenario({ env: { ACQUIRER_TIMEOUT_MS: '1500' } })
const { api_key: apiKey, base_url: baseUrl } = client.sandbox
const quittance = new Quittance({ apiKey, baseUrl })

const BOOKS_NOTHING_AND_NEVER_ANSWERS = '4000000000000119'
const BOOKS_AND_NEVER_ANSWERS = '4000000000000127'

async function orderAndToken(number: string) {
  const { uuid } = await client.createCustomer()
  const { token } = await client.bindCard(uuid, number)
  const order = await client.createOrder({ customer_uuid: uuid })
  return {
    number: order.number as string,
    payment: { type: 'Sales', payment_token: token as string } as const,
  }
}

// Proves reference/payments#unknown-outcomes, reference/conventions#idempotency.
test('a payment whose outcome was not known gets its response under the same key, and happens once', async () => {
  const { number, payment } = await orderAndToken(BOOKS_AND_NEVER_ANSWERS)
  const unknown = await quittance.orders
    .pay(number, payment, { maxRetries: 0 })
    .catch((error: unknown) => error)
  expect(unknown).toBeInstanceOf(AcquirerError)
  const { outcomeUnknown, idempotencyKey = '', data } = unknown as AcquirerError
  expect({ outcomeUnknown, order: data.order?.number }).toEqual({ outcomeUnknown: true, order: number })

  const paid = await quittance.orders.pay(number, payment, { idempotencyKey, maxRetries: 10 })
  expect(paid.transaction).toMatchObject({ success: true, amount: '100.00' })
  const { order } = await quittance.orders.get(number)
  expect(order.transactions).toHaveLength(1)
})

test('a payment that was never booked fails at last, and the next one has a new key', async () => {
  const { number, payment } = await orderAndToken(BOOKS_NOTHING_AND_NEVER_ANSWERS)
  const idempotencyKey = randomUUID()
  const failed = await quittance.orders
    .pay(number, payment, { idempotencyKey, maxRetries: 10 })
    .catch((error: unknown) => error)
  expect(failed).toMatchObject({ status: 502, idempotencyKey, data: { transaction: { success: false } } })
})
