import type { Static } from 'typebox'
import { expect, test } from 'vitest'
import { newId } from '#kernel/ids'
import { readPage } from '#platform/http/validation/list'
import { type AsJson, asReply, createFixture, failure, type Merchant } from '../testing/fixture.ts'
import type { TransactionsData } from '../api/schemas.ts'

const fixture = await createFixture()
const merchant = await fixture.newMerchant()

type Listed = AsJson<Static<typeof TransactionsData>>

async function list(filter?: string, query: { limit?: number; cursor?: string } = {}): Promise<Listed> {
  const page = await fixture.payments.transactionsPage(
    merchant.caller,
    filter,
    readPage('transactions', query),
  )
  return JSON.parse(JSON.stringify(page)) as Listed
}

async function order(total: number): Promise<string> {
  const created = await fixture.payments.createOrder(
    merchant.caller,
    {
      reference_number: newId('ref'),
      currency: 'HKD',
      initial_total: total,
      customer_uuid: merchant.customerUuid,
    },
    false,
  )
  return asReply(created).order.number
}

async function pay(number: string, by: Merchant = merchant) {
  return asReply(
    await fixture.payments.payOrder(by.caller, {
      order: { number },
      transaction: { type: 'Sales', payment_token: by.token },
    }),
  )
}

const poor = { ...merchant, token: await fixture.bind(merchant, '4000000000009995') }
const first = await order(150.5)
const second = await order(20)
const sale = (await pay(first)).transaction.uuid
await failure(pay(second, poor))
const refund = asReply(
  await fixture.payments.refund(merchant.caller, { transaction: { uuid: sale }, amount: 50.25 }),
).transaction.uuid

// Proves reference/payments#listing.
test('the transactions of all orders are listed newest first, with their order, customer and reason', async () => {
  const { transactions, page } = await list()
  expect(page.has_more).toBe(false)
  expect(transactions).toHaveLength(3)
  expect(transactions.map(({ uuid }) => uuid)).toEqual([refund, expect.any(String), sale])
  expect(transactions[1]).toMatchObject({
    order_number: second,
    customer_uuid: merchant.customerUuid,
    decline_code: 'insufficient_funds',
    acquirer_account_id: 'simulator',
  })
  expect(transactions[0]).toMatchObject({ order_number: first, type: 'Refund', amount: -50.25 })
  expect(transactions[2]).toMatchObject({ allow_refund: true, amount: 150.5 })
  expect(transactions[2]).not.toHaveProperty('decline_code')
})

test('pages follow each other by cursor', async () => {
  const one = await list(undefined, { limit: 2 })
  const two = await list(undefined, { limit: 2, cursor: one.page.next_cursor ?? '' })
  expect([...one.transactions, ...two.transactions].map(({ uuid }) => uuid)).toEqual(
    (await list()).transactions.map(({ uuid }) => uuid),
  )
})

test.each([
  ['state = failed', 1],
  ['state = succeeded', 2],
  ['state = initiated', 0],
  ['state = voided', 0],
  ['NOT state = failed', 2],
  ['decline_code = insufficient_funds', 1],
  ['decline_code:*', 1],
  ['type = Refund', 1],
  ['type = Sales', 2],
  ['amount = 150.5', 1],
  ['amount = 150.50', 1],
  ['amount = -50.25', 1],
  ['amount = 50.25', 0],
  ['amount < 0', 1],
  ['amount = 99999999999999999999', 0],
  ['currency = HKD', 3],
  ['created_at > "2020-01-01"', 3],
  ['acquirer:*', 3],
  ['account_id = simulator', 3],
  ['account_id = other', 0],
  ['payment_method = payment_token', 3],
  ['last_4_digits = 4242', 2],
  ['reference_id = "x*"', 0],
])('%s finds %i', async (filter, count) => {
  expect((await list(filter)).transactions).toHaveLength(count)
})

test('the filters of ids find the transactions of one object', async () => {
  expect((await list(`order_number = ${first}`)).transactions).toHaveLength(2)
  expect((await list(`customer_uuid = ${merchant.customerUuid}`)).transactions).toHaveLength(3)
  expect((await list('customer_uuid = cus_other')).transactions).toEqual([])
  expect((await list(`uuid = ${sale}`)).transactions).toHaveLength(1)
  expect((await list(`uuid = "${sale.slice(0, 20)}*"`)).transactions.length).toBeGreaterThan(0)
})

test("another business's transactions are not listed", async () => {
  const other = await fixture.newMerchant()
  const page = await fixture.payments.transactionsPage(
    other.caller,
    `uuid = ${sale}`,
    readPage('transactions', {}),
  )
  expect(page).toMatchObject({ transactions: [] })
})
