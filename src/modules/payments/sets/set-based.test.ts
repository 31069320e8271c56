import { expect, test } from 'vitest'
import { newId } from '#kernel/ids'
import { Money } from '#kernel/money'
import type { PaymentToken } from '#modules/customers'
import { counting } from '#platform/testing/database'
import type { Charge } from '../model/charge.ts'
import type { NewOrder, Order } from '../model/order.ts'
import { check, createFixture, failure, followUp, type Merchant, newOrder, pay } from '../testing/fixture.ts'

const fixture = await createFixture()
const { db, payments } = fixture
const merchant = await fixture.newMerchant()

function planOrder(at: Temporal.Instant, more: Partial<NewOrder> = {}): NewOrder {
  return {
    source: 'recurring',
    type: 'recurring',
    referenceNumber: newId('ref'),
    initialTotal: Money.ofDecimal('HKD', '12.50'),
    lineItems: [
      {
        purchasableType: 'Charge',
        purchaseId: null,
        price: Money.ofDecimal('HKD', '12.50'),
        quantity: 1,
        label: 'Plan',
      },
    ],
    at,
    ...more,
  }
}

async function tokenOf(who: Merchant): Promise<PaymentToken> {
  const found = await db.transact(who.businessId, (tx) => fixture.customers.findTokens(tx, [who.token]))
  const token = found.get(who.token)
  if (token === undefined) throw new Error('the token does not exist')
  return token
}

async function createPlanOrders(count: number, more: Partial<NewOrder> = {}): Promise<Order[]> {
  const orders = await db.transact(merchant.businessId, (tx) =>
    payments.createOrders(
      tx,
      Array.from({ length: count }, () => planOrder(tx.now, more)),
    ),
  )
  return orders.filter((order) => order !== undefined)
}

// Proves reference/payments#two-steps, reference/payments#reservations.

test('creating, charging and completing 250 orders takes at most 3, 6 and 8 statements, with all events', async () => {
  const token = await tokenOf(merchant)
  const { businessId } = merchant
  const created = await db.transact(businessId, async (inner) => {
    const tx = counting(inner)
    const orders = await payments.createOrders(
      tx,
      Array.from({ length: 250 }, () => planOrder(tx.now)),
    )
    return { orders: orders.filter((order) => order !== undefined), statements: tx.statements }
  })
  expect(created.orders).toHaveLength(250)
  expect(created.statements.length).toBeLessThanOrEqual(3)
  const initiated = await db.transact(businessId, async (inner) => {
    const tx = counting(inner)
    const charges = created.orders.map((order) => ({
      orderId: order.id,
      type: 'Sales' as const,
      token,
      payerPresent: false,
      at: tx.now,
    }))
    return { results: await payments.initiateCharges(tx, charges), statements: tx.statements }
  })
  expect(initiated.statements.length).toBeLessThanOrEqual(6)
  const charges = initiated.results.flatMap((result) => ('refused' in result ? [] : [result]))
  expect(charges).toHaveLength(250)
  const outcomes = await Promise.all(
    charges.map(async (charge) => ({ charge, outcome: await payments.performCharge(charge), at: charge.at })),
  )
  const recorded = await db.transact(businessId, async (inner) => {
    const tx = counting(inner)
    const done = await payments.recordOutcomes(tx, outcomes)
    return { done, statements: tx.statements }
  })
  expect(recorded.statements.length).toBeLessThanOrEqual(8)
  expect(new Set(recorded.done.map(({ order }) => order.state))).toEqual(new Set(['completed']))
  const receipts = new Set(recorded.done.map(({ transaction }) => transaction.receiptNumber))
  expect(receipts.size).toBe(250)
  expect(await fixture.events(businessId, charges[7]?.transaction.orderId ?? '')).toEqual([
    'order.created',
    'transaction.succeeded',
    'order.paid',
  ])
})

test('an outcome that is recorded twice, or after the resolver, changes nothing', async () => {
  const token = await tokenOf(merchant)
  const [order] = await createPlanOrders(1)
  if (order === undefined) throw new Error('the order was not created')
  const { businessId } = merchant
  const [initiated] = await db.transact(businessId, (tx) =>
    payments.initiateCharges(tx, [
      { orderId: order.id, type: 'Sales', token, payerPresent: false, at: tx.now },
    ]),
  )
  if (initiated === undefined || 'refused' in initiated) throw new Error('the charge was refused')
  const outcome = await payments.performCharge(initiated)
  const record = () =>
    db.transact(businessId, (tx) => payments.recordOutcomes(tx, [{ charge: initiated, outcome, at: tx.now }]))
  const [first] = await record()
  const [second] = await record()
  expect(second?.transaction).toEqual(first?.transaction)
  const late = { kind: 'refused', responseCode: 'key_closed', responseMessage: '' } as const
  const [third] = await db.transact(businessId, (tx) =>
    payments.recordOutcomes(tx, [{ charge: initiated, outcome: late, at: tx.now }]),
  )
  expect(third?.transaction.state).toBe('succeeded')
})

test('an initiated charge equals what the database stores', async () => {
  const token = await tokenOf(merchant)
  const [existing] = await createPlanOrders(1, { timeout: { timer: 'PT1H', seconds: 3_600, url: null } })
  if (existing === undefined) throw new Error('the order was not created')
  const initiated = await db.transact(merchant.businessId, async (tx) => {
    const [created] = await payments.createOrders(tx, [
      planOrder(tx.now, { customerUuid: token.customerUuid }),
    ])
    if (created === undefined) throw new Error('the order was not created')
    const charges = [existing, created].map(({ id }) => ({
      orderId: id,
      type: 'Sales' as const,
      token,
      payerPresent: false,
      at: tx.now,
    }))
    return payments.initiateCharges(tx, charges, [created])
  })
  const charges = initiated.flatMap((one) => ('refused' in one ? [] : [one]))
  expect(charges).toHaveLength(2)
  const stored = await db.transact(merchant.businessId, (tx) =>
    payments.findOrders(
      tx,
      charges.map(({ transaction }) => transaction.orderId),
    ),
  )
  for (const { transaction, order } of charges) {
    expect(stored.get(transaction.orderId)).toMatchObject({ order, transactions: [transaction] })
  }
})

test('the outcome of a charge keeps what happened to its order since it was initiated', async () => {
  const token = await tokenOf(merchant)
  const [order] = await createPlanOrders(1)
  if (order === undefined) throw new Error('the order was not created')
  const { businessId } = merchant
  const initiate = (amount: string) =>
    db.transact(businessId, async (tx) => {
      const [initiated] = await payments.initiateCharges(tx, [
        {
          orderId: order.id,
          type: 'Sales',
          amount: Money.ofDecimal('HKD', amount),
          token,
          payerPresent: false,
          at: tx.now,
        },
      ])
      if (initiated === undefined || 'refused' in initiated) throw new Error('the charge was refused')
      return initiated
    })
  const record = async (charge: Charge) => {
    const outcome = await payments.performCharge(charge)
    const [recorded] = await db.transact(businessId, (tx) =>
      payments.recordOutcomes(tx, [{ charge, outcome, at: tx.now }]),
    )
    return recorded?.order
  }
  const [first, second] = [await initiate('5.00'), await initiate('7.50')]
  expect(await record(second)).toMatchObject({
    state: 'open',
    paidTotal: Money.ofDecimal('HKD', '7.50'),
    reservedTotal: Money.ofDecimal('HKD', '5.00'),
  })
  expect(await record(first)).toMatchObject({ state: 'completed', reservedTotal: Money.zero('HKD') })
  expect(await check(fixture, merchant, order.id)).toMatchObject({ paid_total: '12.50' })
})

test('two charges of one order in one batch never take more than is left', async () => {
  const token = await tokenOf(merchant)
  const [order] = await createPlanOrders(1)
  const charge = { orderId: order?.id ?? '', type: 'Sales' as const, token, payerPresent: false }
  const initiated = await db.transact(merchant.businessId, (tx) =>
    payments.initiateCharges(tx, [
      { ...charge, at: tx.now },
      { ...charge, at: tx.now },
      { ...charge, orderId: 'ord_none', at: tx.now },
    ]),
  )
  expect(initiated.map((one) => ('refused' in one ? one.refused : 'initiated'))).toEqual([
    'initiated',
    'payment_in_progress',
    'order_not_found',
  ])
})

test('the reservation of a new order is taken once by its charge, and a smaller charge frees the rest', async () => {
  const token = await tokenOf(merchant)
  for (const share of [1n, 2n]) {
    const { order, statements } = await db.transact(merchant.businessId, async (real) => {
      const tx = counting(real)
      const requested = planOrder(tx.now)
      const [created] = await payments.createOrders(tx, [{ ...requested, reserved: requested.initialTotal }])
      if (created === undefined) throw new Error('the reference is taken')
      const amount = created.initialTotal.prorate(1n, share)
      const charge = {
        orderId: created.id,
        type: 'Sales',
        amount,
        token,
        payerPresent: false,
        at: tx.now,
      } as const
      const [initiated] = await payments.initiateCharges(tx, [charge], [created])
      if (initiated === undefined || 'refused' in initiated) throw new Error('the charge was refused')
      return { order: initiated.order, statements: tx.statements }
    })
    expect(statements.filter((text) => text === 'update orders o')).toHaveLength(share === 1n ? 0 : 1)
    const stored = await db.transact(merchant.businessId, (tx) => payments.findOrders(tx, [order.id]))
    expect(stored.get(order.id)?.order.reservedTotal).toEqual(order.initialTotal.prorate(1n, share))
  }
})

test('an order whose reference number is taken comes back undefined, and the others are created', async () => {
  const [first] = await createPlanOrders(1)
  const created = await db.transact(merchant.businessId, (tx) =>
    payments.createOrders(tx, [
      planOrder(tx.now),
      planOrder(tx.now, { referenceNumber: first?.referenceNumber ?? '' }),
    ]),
  )
  expect(created.map((order) => order?.state)).toEqual(['open', undefined])
})

test('a charge that fails without a call is stored with its resp_code, and handlers learn of it', async () => {
  const [order] = await createPlanOrders(1)
  fixture.changes.length = 0
  const at = Temporal.Instant.from('2030-01-01T00:00:00Z')
  const [recorded] = await db.transact(merchant.businessId, (tx) =>
    payments.recordFailedCharges(tx, [
      { orderId: order?.id ?? '', responseCode: 'no_payment_token', message: 'No token.', at },
    ]),
  )
  expect(recorded).toMatchObject({
    transaction: { state: 'failed', answer: { responseCode: 'no_payment_token' } },
  })
  expect(fixture.changes).toMatchObject([
    { transactions: [{ before: null, transaction: { state: 'failed' } }] },
  ])
  const shown = await check(fixture, merchant, order?.id ?? '')
  expect(shown.transactions[0]?.payment_data).toMatchObject({
    payment_method: 'payment_token',
    token: '',
    resp_code: 'no_payment_token',
  })
})

const voidAllNow = (businessId: string, numbers: readonly string[], at: Temporal.Instant) =>
  payments.voidOrdersNow(
    businessId,
    numbers.map((orderId) => ({ orderId, at })),
    async () => new Set(numbers),
  )

// Proves reference/recurring#grace.

test('at the end of grace unsettled payments are voided, settled ones refunded, and paid orders stay', async () => {
  const other = await fixture.newMerchant()
  const { businessId } = other
  const unpaid = await newOrder(fixture, other)
  const settled = await newOrder(fixture, other)
  await pay(fixture, other, settled.number, { amount: 30 })
  await fixture.advance(businessId, { days: 1 })
  await pay(fixture, other, settled.number, { amount: 20 })
  const paid = await newOrder(fixture, other)
  await pay(fixture, other, paid.number)
  const at = await db.transact(businessId, async (tx) => tx.now)
  const ends = await voidAllNow(
    businessId,
    [unpaid, settled, paid].map(({ number }) => number),
    at,
  )
  expect(Object.fromEntries(ends)).toEqual({
    [unpaid.number]: 'voided',
    [settled.number]: 'waiting',
    [paid.number]: 'paid',
  })
  await fixture.advance(businessId, { seconds: 1 })
  const reversed = await check(fixture, other, settled.number)
  expect(reversed).toMatchObject({ state: 'voided', paid_total: '0.00' })
  expect(reversed.transactions.map((one) => [one.type, one.payment_data.transaction_state])).toEqual([
    ['Sales', 'succeeded'],
    ['Sales', 'voided'],
    ['Refund', 'succeeded'],
  ])
})

test('at the end of grace the rest of a partly refunded payment is refunded, again after an hour when refused', async () => {
  const other = await fixture.newMerchant()
  const { number } = await newOrder(fixture, other)
  const { transaction } = await pay(fixture, other, number, { amount: 40 })
  await followUp(fixture, other, 'refund', transaction.uuid, { amount: 10 })
  fixture.between.acquirer = {
    ...fixture.real,
    refund: async () => ({ kind: 'refused', responseCode: 'not_today', responseMessage: 'No.' }),
  }
  const at = await db.transact(other.businessId, async (tx) => tx.now)
  expect((await voidAllNow(other.businessId, [number], at)).get(number)).toBe('waiting')
  await fixture.advance(other.businessId, { seconds: 1 })
  fixture.between.acquirer = fixture.real
  await fixture.advance(other.businessId, { minutes: 58 })
  expect(await check(fixture, other, number)).toMatchObject({ state: 'open', paid_total: '30.00' })
  await fixture.advance(other.businessId, { minutes: 2 })
  expect(await check(fixture, other, number)).toMatchObject({ state: 'voided', paid_total: '0.00' })
})

test('from the end of grace an order takes no payment, and ending it does not wait for the acquirer', async () => {
  const other = await fixture.newMerchant()
  const { number } = await newOrder(fixture, other)
  await pay(fixture, other, number, { amount: 10 })
  const acquirerAnswers = Promise.withResolvers<void>()
  fixture.between.acquirer = {
    ...fixture.real,
    void: async (request) => {
      await acquirerAnswers.promise
      return fixture.real.void(request)
    },
  }
  const at = await db.transact(other.businessId, async (tx) => tx.now)
  expect((await voidAllNow(other.businessId, [number], at)).get(number)).toBe('waiting')
  expect(await failure(pay(fixture, other, number))).toMatchObject({ reason: 'order_not_payable' })
  acquirerAnswers.resolve()
  await fixture.advance(other.businessId, { seconds: 1 })
  fixture.between.acquirer = fixture.real
  expect(await check(fixture, other, number)).toMatchObject({ state: 'voided', paid_total: '0.00' })
})

test('at the end of grace an unknown payment is awaited, and reversed when it was booked', async () => {
  const other = await fixture.newMerchant()
  const order = await newOrder(fixture, other)
  await fixture.setFaults({ lose_answer: 1 })
  await pay(fixture, other, order.number).catch(() => {})
  await fixture.setFaults({})
  const at = await db.transact(other.businessId, async (tx) => tx.now)
  const ends = await voidAllNow(other.businessId, [order.number], at)
  expect(ends.get(order.number)).toBe('waiting')
  await fixture.advance(other.businessId, { minutes: 1 })
  expect(await check(fixture, other, order.number)).toMatchObject({ state: 'voided', paid_total: '0.00' })
})
