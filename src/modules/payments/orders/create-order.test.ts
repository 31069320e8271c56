import sql from 'sql-template-tag'
import { expect, onTestFinished, test } from 'vitest'
import { ExactNumber } from '#kernel/json'
import { newId } from '#kernel/ids'
import { readPage } from '#platform/http/validation/list'
import { adminOf, untilWaiting } from '#platform/testing/database'
import { check, createFixture, failure, newOrder, asReply } from '../testing/fixture.ts'

const fixture = await createFixture()
const merchant = await fixture.newMerchant()

function create(order: object, withPaymentLink = false) {
  const request = { reference_number: newId('ref'), currency: 'HKD', ...order }
  return fixture.payments.createOrder(merchant.caller, request, withPaymentLink)
}

// Proves reference/orders#creating, reference/orders#line-items, reference/orders#references, reference/orders#checking,
// reference/orders#payment-links, reference/orders#listing, reference/conventions#money, reference/conventions#filters.

test('totals are computed from the lines, and shown with every digit of the currency', async () => {
  const data = await create({
    line_items: [
      {
        purchasable_type: 'Charge',
        price: new ExactNumber('10.10'),
        quantity: 3,
        label: 'Tea',
        purchase_id: 7,
      },
      { purchasable_type: 'RearTips', price: 2, quantity: 1 },
    ],
  })
  expect(JSON.stringify(data)).toContain('"initial_total":32.30,"initial_tips":2.00,"subtotal":30.30')
  const { order } = asReply(data)
  expect(order.line_items).toMatchObject([
    { purchasable_type: 'Charge', purchase_id: 7, price: 10.1, quantity: 3, total: 30.3, label: 'Tea' },
    { purchasable_type: 'RearTips', total: 2 },
  ])
  expect(order).toMatchObject({
    source: 'api',
    type: 'one_off',
    state: 'open',
    correspondence_state: 'unpaid',
  })
  expect(await check(fixture, merchant, order.number)).toEqual(order)
})

test('an amount of 15 digits keeps all of them', async () => {
  const data = await create({ initial_total: new ExactNumber('999999999999999.99') })
  expect(JSON.stringify(data)).toContain('"initial_total":999999999999999.99')
  const checked = await fixture.payments.checkOrder(
    merchant.caller,
    { order: { number: data.order.number } },
    { withPaymentLink: false, withDownloadLink: false },
  )
  expect(JSON.stringify(checked)).toContain('"unpaid_total":"999999999999999.99"')
})

test.each([
  ['a negative total', { initial_total: -1 }, 'order.initial_total'],
  ['too many decimals', { initial_total: new ExactNumber('1.001') }, 'order.initial_total'],
  ['half a yen', { currency: 'JPY', initial_total: new ExactNumber('10.5') }, 'order.initial_total'],
  ['an unknown currency', { currency: 'XXQ', initial_total: 1 }, 'order.currency'],
  ['tips above the total', { initial_total: 1, initial_tips: 2 }, 'order.initial_tips'],
  [
    'a total that the lines do not sum to',
    { initial_total: 5, line_items: [{ purchasable_type: 'Charge', price: 4, quantity: 1 }] },
    'order.initial_total',
  ],
  [
    'tips that the RearTips lines do not sum to',
    { initial_tips: 1, line_items: [{ purchasable_type: 'RearTips', price: 2, quantity: 1 }] },
    'order.initial_tips',
  ],
  [
    'a line total with too many digits',
    {
      line_items: [
        { purchasable_type: 'Charge', price: 999_999_999_999_999, quantity: 2 },
        { purchasable_type: 'Charge', price: -999_999_999_999_999, quantity: 2 },
      ],
    },
    'order.line_items[0]',
  ],
  [
    'tips with too many digits',
    {
      line_items: [
        { purchasable_type: 'RearTips', price: 999_999_999_999_999, quantity: 1 },
        { purchasable_type: 'RearTips', price: 1, quantity: 1 },
        { purchasable_type: 'Charge', price: -1, quantity: 1 },
      ],
    },
    'order.line_items',
  ],
  ['a timer without length', { initial_total: 1, timeout: { timer: '0' } }, 'order.timeout.timer'],
  ['a local receiver', { initial_total: 1, notify_url: 'http://localhost/hook' }, 'order.notify_url'],
])('%s is 422 naming the member', async (_name, order, param) => {
  expect(await failure(create(order))).toMatchObject({ status: 422, detail: { param } })
})

test('10.00 is ten yen', async () => {
  const data = await create({ currency: 'JPY', initial_total: new ExactNumber('10.00') })
  expect(JSON.stringify(data)).toContain('"initial_total":10,')
})

test('an order of total 0 is completed at once', async () => {
  const { order } = asReply(await create({ initial_total: 0 }, true))
  expect(order).toMatchObject({ state: 'completed', correspondence_state: 'paid', paid_total: '0.00' })
  expect(await fixture.events(merchant.businessId, order.number)).toEqual(['order.created', 'order.paid'])
})

test('a taken reference number is 409 with the number of the existing order, also under concurrency', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () => create({ reference_number: 'same', initial_total: 1 })),
  )
  const created = results.flatMap((result) =>
    result.status === 'fulfilled' ? [asReply(result.value).order] : [],
  )
  expect(created).toHaveLength(1)
  const again = await failure(create({ reference_number: 'same', initial_total: 1 }))
  expect(again).toMatchObject({ status: 409, data: { order: { number: created[0]?.number } } })
})

test('an order without total and lines is 400', async () => {
  expect(await failure(create({}))).toMatchObject({ status: 400, detail: { param: 'order.initial_total' } })
})

test('an unknown customer is 404 naming the member', async () => {
  expect(await failure(create({ initial_total: 1, customer_uuid: 'cus_none' }))).toMatchObject({
    status: 404,
    detail: { param: 'order.customer_uuid' },
  })
})

test('a check takes exactly one of order and transaction, and two identifiers must agree', async () => {
  const order = await newOrder(fixture, merchant)
  const options = { withPaymentLink: true, withDownloadLink: true }
  const checkWith = (request: object) => fixture.payments.checkOrder(merchant.caller, request, options)
  for (const request of [{}, { order: {} }]) {
    expect(await failure(checkWith(request))).toMatchObject({ status: 400 })
  }
  const two = { order: { number: order.number }, transaction: { uuid: 'txn_1' } }
  expect(await failure(checkWith(two))).toMatchObject({ status: 422 })
  const other = await newOrder(fixture, merchant)
  const disagreeing = { order: { number: order.number, reference_number: other.reference_number } }
  expect(await failure(checkWith(disagreeing))).toMatchObject({ status: 404 })
  expect(await failure(checkWith({ transaction: { uuid: 'txn_1' } }))).toMatchObject({ status: 404 })
  const both = { order: { number: order.number, reference_number: order.reference_number } }
  const reply = asReply(await checkWith(both))
  expect(reply).toMatchObject({
    order: { number: order.number },
    payment_link: `http://127.0.0.1/payment/${order.number}`,
    download_link: `http://127.0.0.1/download/${order.number}`,
  })
  const stranger = await fixture.newMerchant()
  expect(await failure(fixture.payments.checkOrder(stranger.caller, both, options))).toMatchObject({
    status: 404,
  })
})

test('without an acquirer a request for a payment link is 503, writes nothing, and plans leave their link out', async () => {
  const order = await newOrder(fixture, merchant)
  const options = { withPaymentLink: true, withDownloadLink: true }
  const checked = (request = order) =>
    fixture.payments.checkOrder(merchant.caller, { order: { number: request.number } }, options)
  const [stored] = (
    await fixture.db.transact(merchant.businessId, (tx) => fixture.payments.findOrders(tx, [order.number]))
  ).values()
  if (stored === undefined) throw new Error('the order was not stored')
  const linkInPlan = () =>
    fixture.payments.paymentLink(merchant.businessId, stored.order, stored.order.createdAt)
  expect(await linkInPlan()).toBe(`http://127.0.0.1/payment/${order.number}`)

  fixture.between.environment = 'live'
  onTestFinished(() => void (fixture.between.environment = 'test'))
  const reference_number = newId('ref')
  const refused = { status: 503, reason: 'acquirer_not_configured' }
  expect(await failure(create({ reference_number, initial_total: 1 }, true))).toMatchObject(refused)
  expect(await failure(checked())).toMatchObject(refused)
  expect(await linkInPlan()).toBeUndefined()
  const free = asReply(await create({ reference_number, initial_total: 0 }, true))
  expect(free.order).toMatchObject({ reference_number, state: 'completed' })
  expect(asReply(await checked(free.order))).toHaveProperty('download_link')
})

test('filtered lists delay no other read, and their statements are not kept as prepared statements', async () => {
  const { db, payments } = fixture
  const lister = await fixture.newMerchant()
  const node = await adminOf(fixture, lister.businessId)
  const page = { list: 'orders', offset: 0, limit: 20, after: undefined }
  await node.query('begin')
  await node.query('lock table orders in access exclusive mode')
  const lists = Array.from({ length: 5 }, () =>
    payments.ordersPage(lister.caller, 'reference_number : "nowhere"', page),
  )
  await untilWaiting(node, 2)
  expect(await db.read(lister.businessId, sql`select 1 as one`)).toEqual([{ one: 1 }])
  await node.query('commit')
  expect(await Promise.all(lists)).toMatchObject(Array.from({ length: 5 }, () => ({ orders: [] })))
  const prepared = sql`select statement from pg_prepared_statements where statement like ${'% ilike %'}`
  expect(await db.read(lister.businessId, prepared)).toEqual([])
  const together = Array.from({ length: 2 }, () => db.transact(lister.businessId, (tx) => tx.query(prepared)))
  expect(await Promise.all(together)).toEqual([[], []])
})

test('orders are listed newest first, and filters compare exact amounts', async () => {
  const lister = await fixture.newMerchant()
  const numbers: string[] = []
  for (const total of [10, 20, 30]) {
    numbers.push(
      (await newOrder(fixture, lister, { initial_total: total, reference_number: `list-${total}` })).number,
    )
  }
  await newOrder(fixture, lister, { currency: 'JPY', initial_total: 2000 })
  const list = (filter: string | undefined, limit = 20) =>
    fixture.payments.ordersPage(lister.caller, filter, readPage('orders', { limit }))
  const found = await list('initial_total >= 20 AND currency = "HKD" AND state = open')
  expect(found.orders.map((order) => order.number)).toEqual([numbers[2], numbers[1]])
  expect((await list('initial_total >= 1999.5')).orders).toHaveLength(1)
  expect((await list('correspondence_state = paid')).orders).toHaveLength(0)
  expect(await list(undefined, 2)).toMatchObject({ page: { has_more: true } })
  expect(await failure(list('nonsense = 1'))).toMatchObject({ status: 400 })
})
