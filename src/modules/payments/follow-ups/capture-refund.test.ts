import { expect, test } from 'vitest'
import { RequestError } from '#kernel/errors'
import { check, createFixture, failure, followUp, newOrder, pay } from '../testing/fixture.ts'

const fixture = await createFixture()
const merchant = await fixture.newMerchant()

// Proves reference/payments#captures, reference/payments#refunds, reference/payments#two-steps, reference/payments#flags.

async function authorized(amount = 100) {
  const order = await newOrder(fixture, merchant, { initial_total: amount })
  const { transaction } = await pay(fixture, merchant, order.number, {
    type: 'Authorization',
    reference_id: order.number,
  })
  return { number: order.number, uuid: transaction.uuid }
}

/** We refuse before calling the acquirer: its own refusal would be a 502. */
function expectRefusedByUs(results: readonly PromiseSettledResult<unknown>[]): void {
  const refused = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  )
  expect(refused.length).toBeGreaterThan(0)
  for (const error of refused) {
    expect(error).toBeInstanceOf(RequestError)
    expect([409, 422]).toContain((error as RequestError).status)
  }
}

test('an authorization moves no money; captures take it in parts, up to its amount', async () => {
  const { number, uuid } = await authorized()
  expect(await check(fixture, merchant, number)).toMatchObject({
    state: 'open',
    paid_total: '0.00',
    transactions: [{ type: 'Authorization', success: true, captured: false, allow_refund: false }],
  })
  const first = await followUp(fixture, merchant, 'capture', uuid, { amount: 40, note: 'part' })
  expect(first.transaction).toMatchObject({
    type: 'Capture',
    amount: 40,
    note: 'part',
    original_transaction_uuid: uuid,
    original_transaction_reference_id: number,
  })
  expect(first.order.transactions[0]).toMatchObject({ captured: true })
  expect(
    await failure(followUp(fixture, merchant, 'capture', uuid, { amount: 60.01 as number })),
  ).toMatchObject({
    status: 422,
    detail: { param: 'amount', message: 'The amount must be at most 60.00, which is what is left.' },
  })
  const rest = await followUp(fixture, merchant, 'capture', uuid)
  expect(rest).toMatchObject({
    transaction: { amount: 60 },
    order: { state: 'completed', paid_total: '100.00' },
  })
  expect(await failure(followUp(fixture, merchant, 'capture', uuid))).toMatchObject({
    status: 409,
    reason: 'nothing_left_to_capture',
  })
})

test('concurrent captures never take more than was authorized', async () => {
  const { number, uuid } = await authorized()
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, () => followUp(fixture, merchant, 'capture', uuid, { amount: 30 })),
  )
  expectRefusedByUs(results)
  const order = await check(fixture, merchant, number)
  expect(order.paid_total).toBe('90.00')
})

test('an authorization expires after 7 days, frees its amount and cannot be captured', async () => {
  const other = { ...(await fixture.newMerchant()) }
  const order = await newOrder(fixture, other)
  const { transaction } = await pay(fixture, other, order.number, { type: 'Authorization' })
  await followUp(fixture, other, 'capture', transaction.uuid, { amount: 10 })
  await fixture.advance(other.businessId, { days: 7 })
  expect(await failure(followUp(fixture, other, 'capture', transaction.uuid))).toMatchObject({
    status: 409,
    reason: 'transaction_not_capturable',
  })
  const lapsed = await check(fixture, other, order.number)
  expect(lapsed).toMatchObject({
    paid_total: '10.00',
    transactions: [{ payment_data: { transaction_state: 'expired' }, success: false }, { type: 'Capture' }],
  })
  expect((await pay(fixture, other, order.number)).order.state).toBe('completed')
})

test.each([
  ['capture', { amount: 10 }, 'transaction_not_capturable'],
  ['voidTransaction', {}, 'payment_in_progress'],
] as const)(
  'an authorization with an open %s after 7 days cannot be captured, and expires when that operation has failed',
  async (operation, more, reason) => {
    const other = await fixture.newMerchant()
    const { businessId } = other
    const order = await newOrder(fixture, other)
    const { uuid } = (await pay(fixture, other, order.number, { type: 'Authorization' })).transaction
    await fixture.advance(businessId, { days: 6, hours: 23, minutes: 50 })
    const lost = async () => ({ kind: 'unknown', responseMessage: 'nobody there' }) as const
    fixture.between.acquirer = { ...fixture.real, capture: lost, void: lost, inquire: lost }
    expect(await failure(followUp(fixture, other, operation, uuid, more))).toMatchObject({ status: 504 })
    // Inquiries after 1 s, 10 s and 1 min stayed without an answer; the next one is a minute after the 7 days.
    await fixture.advance(businessId, { minutes: 10, seconds: 30 })
    expect((await check(fixture, other, order.number)).transactions[0]).toMatchObject({
      payment_data: { transaction_state: 'authorized' },
    })
    fixture.between.acquirer = fixture.real
    expect(await failure(followUp(fixture, other, 'capture', uuid, { amount: 20 }))).toMatchObject({ reason })
    await fixture.advance(businessId, { minutes: 1 })
    expect((await check(fixture, other, order.number)).transactions[0]).toMatchObject({
      payment_data: { transaction_state: 'expired' },
    })
    expect((await pay(fixture, other, order.number)).order.state).toBe('completed')
  },
)

test('refunds have negative amounts; a partial refund leaves the order completed, the last one makes it refunded', async () => {
  const order = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, order.number, { reference_id: `sale-${order.number}` })
  const part = await followUp(fixture, merchant, 'refund', transaction.uuid, {
    amount: 30,
    reference_id: `r-${order.number}`,
  })
  expect(part.transaction).toMatchObject({
    type: 'Refund',
    amount: -30,
    success: true,
    allow_void: false,
    allow_refund: false,
    reference_id: `r-${order.number}`,
    original_transaction_reference_id: `sale-${order.number}`,
  })
  expect(part.order).toMatchObject({
    state: 'completed',
    correspondence_state: 'partial_paid',
    paid_total: '70.00',
  })
  expect(part.order.transactions[0]).toMatchObject({ allow_void: false, allow_refund: true })
  expect(await failure(pay(fixture, merchant, order.number, { amount: 30 }))).toMatchObject({ status: 409 })
  expect(
    await failure(followUp(fixture, merchant, 'refund', transaction.uuid, { amount: 71 })),
  ).toMatchObject({
    status: 422,
  })
  const rest = await followUp(fixture, merchant, 'refund', transaction.uuid)
  expect(rest.order).toMatchObject({ state: 'refunded', correspondence_state: 'unpaid', paid_total: '0.00' })
  expect(await failure(followUp(fixture, merchant, 'refund', transaction.uuid))).toMatchObject({
    status: 409,
    reason: 'nothing_left_to_refund',
  })
  expect(await fixture.events(merchant.businessId, order.number)).toEqual([
    'order.created',
    'transaction.succeeded',
    'order.paid',
    'transaction.succeeded',
    'order.updated',
    'transaction.succeeded',
    'order.refunded',
  ])
})

test('concurrent refunds never give back more than was paid', async () => {
  const order = await newOrder(fixture, merchant)
  const { transaction } = await pay(fixture, merchant, order.number)
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, () => followUp(fixture, merchant, 'refund', transaction.uuid, { amount: 40 })),
  )
  expectRefusedByUs(results)
  expect((await check(fixture, merchant, order.number)).paid_total).toBe('20.00')
})

test('a transaction can be named by the caller’s own reference_id', async () => {
  const order = await newOrder(fixture, merchant)
  await pay(fixture, merchant, order.number, { reference_id: 'own-id' })
  const data = await fixture.payments.refund(merchant.caller, { transaction: { reference_id: 'own-id' } })
  expect(JSON.stringify(data)).toContain('"amount":-100.00')
  const wrong = { transaction: { uuid: 'txn_none', reference_id: 'own-id' } }
  expect(await failure(fixture.payments.refund(merchant.caller, wrong))).toMatchObject({ status: 404 })
})
