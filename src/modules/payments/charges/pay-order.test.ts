import { expect, test } from 'vitest'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { readPage } from '#platform/http/validation/list'
import { withKey } from '#platform/testing/requests'
import { check, createFixture, failure, newOrder, pay } from '../testing/fixture.ts'

const fixture = await createFixture()
const merchant = await fixture.newMerchant()

// Proves reference/payments#paying, reference/payments#payment-data, reference/payments#declines, reference/payments#reservations.

test('a payment completes the order and shows every member of a transaction', async () => {
  const order = await newOrder(fixture, merchant, { customer_uuid: merchant.customerUuid })
  const paid = await pay(fixture, merchant, order.number, { reference_id: 'my-payment' })
  expect(paid.order).toMatchObject({
    state: 'completed',
    correspondence_state: 'paid',
    paid_total: '100.00',
    unpaid_total: '0.00',
  })
  expect(paid.transaction).toMatchObject({
    type: 'Sales',
    currency: 'HKD',
    amount: 100,
    success: true,
    is_pending: false,
    captured: false,
    allow_void: true,
    allow_refund: true,
    void_is_pending: false,
    payment_method: 'payment_token',
    note: null,
    original_transaction_uuid: null,
    reference_id: 'my-payment',
    payment_data: {
      acquirer_name: 'simulator',
      acquirer_type: 'card',
      payment_method: 'payment_token',
      transaction_state: 'succeeded',
      token: merchant.token,
      merchant_id: 'M1',
      first_6_digits: '424242',
      last_4_digits: '4242',
      card_number_len: 16,
      exp_month: '07',
      exp_year: '2040',
      credit_card_type: 'visa',
      resp_code: 'approved',
    },
  })
  expect(paid.order.transactions).toEqual([paid.transaction])
  expect(await check(fixture, merchant, order.number)).toEqual(paid.order)
  expect(await fixture.events(merchant.businessId, order.number)).toEqual([
    'order.created',
    'transaction.succeeded',
    'order.paid',
  ])
})

test('50 concurrent requests to pay an order charge it once', async () => {
  const order = await newOrder(fixture, merchant)
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () => pay(fixture, merchant, order.number)),
  )
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
  const paid = await check(fixture, merchant, order.number)
  expect(paid.transactions).toHaveLength(1)
  const keys = new Set(paid.transactions.map((transaction) => transaction.uuid))
  expect((await fixture.books()).filter((line) => keys.has(line.key))).toHaveLength(1)
})

test('an order can be paid in parts, and the last part completes it', async () => {
  const order = await newOrder(fixture, merchant)
  const first = await pay(fixture, merchant, order.number, { amount: 30 })
  expect(first.order).toMatchObject({
    state: 'open',
    correspondence_state: 'partial_paid',
    unpaid_total: '70.00',
  })
  const rest = await pay(fixture, merchant, order.number)
  expect(rest.transaction.amount).toBe(70)
  expect(rest.order.state).toBe('completed')
  expect(await fixture.events(merchant.businessId, order.number)).toEqual([
    'order.created',
    'transaction.succeeded',
    'order.updated',
    'transaction.succeeded',
    'order.paid',
  ])
})

test('an amount of zero, of too many decimals or above the unpaid total is 422 and writes nothing', async () => {
  const order = await newOrder(fixture, merchant)
  for (const amount of [0, -1, 100.01]) {
    const refused = await failure(pay(fixture, merchant, order.number, { amount }))
    expect(refused).toMatchObject({ status: 422, detail: { param: 'transaction.amount' } })
  }
  expect((await check(fixture, merchant, order.number)).transactions).toEqual([])
})

test('an amount that fits the unpaid total but not the part that is free is 409 payment_in_progress', async () => {
  const order = await newOrder(fixture, merchant)
  await pay(fixture, merchant, order.number, { type: 'Authorization', amount: 60 })
  expect(await failure(pay(fixture, merchant, order.number, { amount: 50 }))).toMatchObject({
    status: 409,
    reason: 'payment_in_progress',
  })
  const rest = await pay(fixture, merchant, order.number, { type: 'Authorization' })
  expect(rest.transaction.amount).toBe(40)
  expect(await failure(pay(fixture, merchant, order.number))).toMatchObject({
    status: 409,
    reason: 'payment_in_progress',
  })
  expect(await failure(pay(fixture, merchant, order.number, { amount: 101 }))).toMatchObject({
    status: 422,
    detail: { param: 'transaction.amount', message: expect.stringContaining('at most 100.00') as string },
  })
})

test('a paid order is 409, whatever the amount', async () => {
  const order = await newOrder(fixture, merchant)
  await pay(fixture, merchant, order.number)
  for (const more of [{}, { amount: 1 }, { amount: 1000 }]) {
    expect(await failure(pay(fixture, merchant, order.number, more))).toMatchObject({
      status: 409,
      reason: 'order_not_payable',
    })
  }
})

test('a declined payment is 402 with the order and the failed transaction, and the order stays payable', async () => {
  const poor = await fixture.newMerchant('4000000000009995')
  const order = await newOrder(fixture, poor)
  const declined = await failure(pay(fixture, poor, order.number))
  expect(declined).toMatchObject({
    status: 402,
    detail: { declineCode: 'insufficient_funds' },
    data: {
      order: { state: 'open', paid_total: '0.00' },
      transaction: { success: false, payment_data: { transaction_state: 'failed' } },
    },
  })
  const good = await fixture.bind(poor, '5555555555554444')
  const paid = await pay(fixture, poor, order.number, { payment_token: good })
  expect(paid.order.state).toBe('completed')
  expect(await fixture.events(poor.businessId, order.number)).toEqual([
    'order.created',
    'transaction.failed',
    'transaction.succeeded',
    'order.paid',
  ])
})

test('an order with a customer takes only active tokens of that customer; an order without one takes any', async () => {
  const { customer } = await fixture.customers.create(merchant.caller, {
    reference_number: 'another',
    name: 'Bea',
    phone: '1',
  })
  const order = await newOrder(fixture, merchant, { customer_uuid: customer.uuid })
  expect(await failure(pay(fixture, merchant, order.number))).toMatchObject({
    status: 422,
    reason: 'payment_token_of_another_customer',
  })
  const open = await newOrder(fixture, merchant)
  const token = await fixture.bind(merchant, '5555555555554444')
  await fixture.customers.deleteToken(merchant.caller, merchant.customerUuid, token)
  expect(await failure(pay(fixture, merchant, open.number, { payment_token: token }))).toMatchObject({
    status: 422,
  })
  const unknown = await failure(pay(fixture, merchant, open.number, { payment_token: 'pt_none' }))
  expect(unknown).toMatchObject({ status: 404, detail: { param: 'transaction.payment_token' } })
  expect((await pay(fixture, merchant, open.number)).order.state).toBe('completed')
})

test('a repeated reference_id is 409 with the uuid of the first transaction, even for concurrent requests', async () => {
  const [one, two] = [await newOrder(fixture, merchant), await newOrder(fixture, merchant)]
  const results = await Promise.allSettled([
    pay(fixture, merchant, one.number, { reference_id: 'twice' }),
    pay(fixture, merchant, two.number, { reference_id: 'twice' }),
  ])
  const paid = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  expect(paid).toHaveLength(1)
  const uuid = paid[0]?.transaction.uuid
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as object] : []))
  const detail = { param: 'transaction.reference_id', data: { transaction: { uuid } } }
  expect(refused).toMatchObject([{ status: 409, detail }])
  const again = await failure(pay(fixture, merchant, two.number, { reference_id: 'twice' }))
  expect(again).toMatchObject({ status: 409, reason: 'reference_id_taken', data: { transaction: { uuid } } })
})

test('a card that cannot be decrypted is refused, and the log names the transaction and the reason', async () => {
  const order = await newOrder(fixture, merchant)
  fixture.between.hasKey = false
  const refused = await failure(pay(fixture, merchant, order.number))
  fixture.between.hasKey = true
  expect(refused).toMatchObject({
    status: 502,
    data: { transaction: { payment_data: { resp_code: 'instrument_unavailable' } } },
  })
  const { uuid } = refused.data.transaction
  expect(fixture.logged.filter((line) => line.includes(uuid))).toEqual([
    expect.stringContaining('its key is lost'),
  ])
})

test('a repeated Idempotency-Key replays the reply, also of a declined payment', async () => {
  const caller = withKey(merchant.caller, 'pay-once')
  const order = await newOrder(fixture, merchant)
  const first = await pay(fixture, { ...merchant, caller }, order.number)
  const replayed = await pay(fixture, { ...merchant, caller }, order.number).catch((error: unknown) => error)
  expect(replayed).toBeInstanceOf(StoredReply)
  expect(JSON.parse((replayed as StoredReply).body)).toMatchObject({
    code: 200,
    data: { transaction: { uuid: first.transaction.uuid } },
  })
  const bad = await fixture.bind(merchant, '4000000000000341')
  const other = await newOrder(fixture, merchant)
  const declining = { ...merchant, caller: withKey(merchant.caller, 'decline-once'), token: bad }
  expect(await failure(pay(fixture, declining, other.number))).toMatchObject({ status: 402 })
  const again = await pay(fixture, declining, other.number).catch((error: unknown) => error)
  expect(again).toMatchObject({ status: 402 })
})

test('a decline has one decline_code: in the 402, its replay and the list, whatever the acquirer says', async () => {
  const said = {
    kind: 'declined',
    hard: false,
    gatewayTransactionId: 'gw',
    rrn: '',
    authCode: '',
    batchNumber: '',
    responseMessage: 'No.',
  } as const
  for (const [answer, expected] of [
    [{ ...said, responseCode: '51', reason: 'insufficient_funds' }, 'insufficient_funds'],
    [{ ...said, responseCode: '51' }, '51'],
    [{ ...said, responseCode: '' }, 'declined'],
  ] as const) {
    fixture.between.acquirer = { ...fixture.real, sale: async () => answer }
    const caller = withKey(merchant.caller, `decline of ${expected}`)
    const { number } = await newOrder(fixture, merchant)
    const declined = await failure(pay(fixture, { ...merchant, caller }, number))
    const replayed = await pay(fixture, { ...merchant, caller }, number).catch((error: unknown) => error)
    const { data } = JSON.parse((replayed as StoredReply).body) as {
      data: { error: { decline_code: string } }
    }
    const page = await fixture.payments.transactionsPage(
      merchant.caller,
      `order_number = "${number}"`,
      readPage('transactions', {}),
    )
    expect([
      declined.detail.declineCode,
      data.error.decline_code,
      page.transactions[0]?.decline_code,
    ]).toEqual([expected, expected, expected])
  }
  fixture.between.acquirer = fixture.real
})
