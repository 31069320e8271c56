import { expect, test } from 'vitest'
import { refusalOf } from '#platform/testing/requests'
import { asJson, CARDS, createFixture } from '../testing/fixture.ts'
import { statementsOf } from '../testing/statements.ts'
import { openTaxShop } from '../testing/taxes.ts'

// Proves reference/billing-tax#orders.

const fixture = await createFixture()
const { recurring } = fixture

/** The period from 15 June to 15 July has 30 days; 10 of them are left on 5 July. */
const START = '2031-06-15T02:00:00Z'
const CHANGE = '2031-07-05T02:00:00Z'
const END = '2031-07-15T02:00:00Z'
const TWO_RATES = [
  { percentage: 19, valid_until: '2031-06-30' },
  { percentage: 16, valid_from: '2031-07-01' },
]

test('tax lies on what discounts and coupons leave, and credit comes after it', async () => {
  const { shop, caller, price, plan, billed } = await openTaxShop(fixture, START)
  const coupon = async (members: object) =>
    asJson(await recurring.createCoupon(caller, { name: 'C', ...members })).coupon.id
  const coupons = [await coupon({ percent_off: 25 }), await coupon({ amount_off: 5, currency: 'EUR' })]
  const { id } = await plan([await price(20), await price(30)], { discount: 10, coupons })
  await recurring.credit(caller, id, { amount: 4.21 })
  await shop.advance(START)
  expect(await billed(id)).toEqual([
    {
      lines: [
        ['Gold', 20],
        ['Gold', 30],
        ['Discount', -5],
        ['C', -11.25],
        ['C', -5],
        ['VAT 19%', 5.46],
        ['Credit', -4.21],
      ],
      total: 30,
      tax: 5.46,
      treatments: ['taxed'],
    },
  ])
  const [order] = await shop.orders(id)
  expect(order?.billing?.tax).toEqual({
    behavior: 'exclusive',
    total: 5.46,
    groups: [{ name: 'VAT', percentage: 19, treatment: 'taxed', base: 28.75, amount: 5.46 }],
  })
  expect(await shop.breaches()).toEqual([])
})

test('the credit of a change keeps the rate of its charge, and its preview says the same', async () => {
  const { shop, caller, price, plan, billed } = await openTaxShop(fixture, START, { rates: TWO_RATES })
  const [cheap, dear] = [await price(100), await price(200)]
  const { id } = await plan([cheap])
  await shop.advance(CHANGE)
  const request = { replace: [{ from: cheap, to: dear }] }
  const preview = asJson(await recurring.previewChange(caller, id, request))
  const applied = asJson(await recurring.change(caller, id, request))
  expect(applied.change).toEqual(preview.change)
  expect(applied.change.total).toBe(37.68)
  await shop.advance(END)
  expect(await billed(id)).toEqual([
    {
      lines: [
        ['Gold', 100],
        ['VAT 19%', 19],
      ],
      total: 119,
      tax: 19,
      treatments: ['taxed'],
    },
    {
      lines: [
        ['Gold', -33.33],
        ['Gold', 66.67],
        ['VAT 19%', -6.33],
        ['VAT 16%', 10.67],
      ],
      total: 37.68,
      tax: 4.34,
      treatments: ['taxed', 'taxed'],
    },
    {
      lines: [
        ['Gold', 200],
        ['VAT 16%', 32],
      ],
      total: 232,
      tax: 32,
      treatments: ['taxed'],
    },
  ])
  expect(preview.orders[0]).toMatchObject({ amount: 232, tax: { total: 32 } })
  expect(await shop.breaches()).toEqual([])
})

test('lines that wait keep the rate of their charge until the next order', async () => {
  const { shop, caller, price, plan, billed } = await openTaxShop(fixture, START, { rates: TWO_RATES })
  const [cheap, dear] = [await price(100), await price(200)]
  const { id } = await plan([cheap])
  await shop.advance(CHANGE)
  await recurring.change(caller, id, { replace: [{ from: cheap, to: dear }], proration: 'next_order' })
  await shop.advance(END)
  expect((await billed(id))[1]).toEqual({
    lines: [
      ['Gold', 200],
      ['Gold', -33.33],
      ['Gold', 66.67],
      ['VAT 16%', 42.67],
      ['VAT 19%', -6.33],
    ],
    total: 269.68,
    tax: 36.34,
    treatments: ['taxed', 'taxed'],
  })
  expect(await shop.breaches()).toEqual([])
})

test('a credit lowers an unpaid order with its tax', async () => {
  const shopOf = await openTaxShop(fixture, START, { rates: TWO_RATES, card: CARDS.declining })
  const { shop, caller, price, plan } = shopOf
  const [cheap, dear] = [await price(100), await price(200)]
  const { id } = await plan([cheap], { payment_retry_day_period: 60 })
  await shop.advance(CHANGE)
  const { change } = asJson(await recurring.change(caller, id, { replace: [{ from: cheap, to: dear }] }))
  expect(change.credited.map(({ amount }) => amount)).toEqual([39.66])
  expect(change.total).toBe(77.34)
  const [first] = await shop.orders(id)
  expect(first).toMatchObject({ amount_due: '79.34', billing: { credited_total: 39.66 } })
  expect(await shop.breaches()).toEqual([])
})

test('what was paid in part gives its rest back as a credit line that is taxed as it was billed', async () => {
  const shopOf = await openTaxShop(fixture, START, { rates: TWO_RATES, card: CARDS.declining })
  const { shop, caller, customer, price, plan, billed } = shopOf
  const [cheap, dear] = [await price(100), await price(200)]
  const { id } = await plan([cheap], { payment_retry_day_period: 60 })
  await shop.advance(CHANGE)
  const [first] = await shop.orders(id)
  const good = await shop.bind(customer, CARDS.good)
  await shop.pay(first?.number ?? '', good, { amount: 99 })
  await recurring.change(caller, id, { replace: [{ from: cheap, to: dear }] })
  // Of 39.66 the unpaid 20.00 are lowered; 19.66 are 16.52 and 3.14 of tax.
  expect((await billed(id))[1]).toMatchObject({
    lines: [
      ['Gold', -16.52],
      ['Gold', 66.67],
      ['VAT 19%', -3.14],
      ['VAT 16%', 10.67],
    ],
    total: 57.68,
  })
  expect(await shop.breaches()).toEqual([])
})

test('the unused part of a period is refunded with its tax', async () => {
  const { shop, caller, price, plan } = await openTaxShop(fixture, START)
  const { id } = await plan([await price(100)])
  await shop.advance(CHANGE)
  await recurring.cancelAsAsked(caller, id, { unused: 'refund' })
  const [order] = await shop.orders(id)
  expect(order?.transactions?.at(-1)).toMatchObject({ type: 'Refund', amount: -39.66 })
  expect(await shop.breaches()).toEqual([])
})

test('an inclusive price is paid as it is, and its tax is part of it', async () => {
  const { shop, price, plan, billed } = await openTaxShop(fixture, START)
  const prices = await Promise.all([9.99, 9.99, 9.99].map((amount) => price(amount, 'inclusive')))
  const { id } = await plan(prices)
  await shop.advance(START)
  expect(await billed(id)).toEqual([
    {
      lines: [
        ['Gold', 9.99],
        ['Gold', 9.99],
        ['Gold', 9.99],
      ],
      total: 29.97,
      tax: 4.79,
      treatments: ['taxed'],
    },
  ])
  expect(await shop.breaches()).toEqual([])
})

test('the billing details of the time of an order decide its treatment', async () => {
  const { shop, taxes, caller, customer, price, plan, billed } = await openTaxShop(fixture, START)
  const { id } = await plan([await price(100)])
  await shop.advance(START)
  const address = { line1: 'Rue 1', postal_code: '75001', city: 'Paris', country: 'FR' }
  await taxes.editDetails(caller, customer, { address, tax_ids: [{ type: 'vat', value: 'FR40303265045' }] })
  await shop.advance(END)
  await taxes.editDetails(caller, customer, { address: { ...address, country: 'US' }, tax_ids: [] })
  await shop.advance('2031-08-15T02:00:00Z')
  expect(await billed(id)).toMatchObject([
    { total: 119, treatments: ['taxed'] },
    { lines: [['Gold', 100]], total: 100, tax: 0, treatments: ['reverse_charge'] },
    { lines: [['Gold', 100]], total: 100, tax: 0, treatments: ['not_registered'] },
  ])
  expect(await shop.breaches()).toEqual([])
})

test('an order without a rate is made at 0, and rates of a category hold for its products', async () => {
  const { shop, taxes, caller, price, plan, billed } = await openTaxShop(fixture, START, { rates: [] })
  await taxes.createRate(caller, {
    name: 'VAT',
    country: 'DE',
    category: 'books',
    percentage: 7,
    valid_from: '2020-01-01',
  })
  const { id } = await plan([await price(100), await price(100, undefined, 'books')])
  await shop.advance(START)
  expect(await billed(id)).toMatchObject([{ total: 207, treatments: ['no_rate', 'taxed'] }])
})

test('a plan shows how it is invoiced: the settings of its creation and what it says itself', async () => {
  const { shop, taxes, caller, customer, entity, price, plan } = await openTaxShop(fixture, START)
  const gold = await price(100)
  const defaults = {
    legal_entity_id: entity.id,
    tax: 'automatic',
    collection: 'automatic',
    days_until_due: 30,
  }
  const first = await plan([gold])
  expect(first.invoicing).toEqual(defaults)
  const own = { tax: 'none', collection: 'send_invoice', days_until_due: 14, series: 'default' } as const
  expect((await plan([gold], { invoicing: own })).invoicing).toEqual({ ...defaults, ...own })
  await taxes.editSettings(caller, { legal_entity_id: null, tax: 'none' })
  expect((await shop.get(first.id)).invoicing).toEqual(defaults)
  expect((await plan([gold])).invoicing).toBeUndefined()
  const refusal = (invoicing: object) => refusalOf(plan([gold], { invoicing }))
  const incomplete = '422 invoicing_incomplete plan.invoicing.legal_entity_id'
  expect(await refusal({ tax: 'automatic' })).toBe(incomplete)
  expect(await refusal({ collection: 'send_invoice' })).toBe(incomplete)
  expect(await refusal({ legal_entity_id: 'len_none' })).toBe(
    '404 legal_entity_not_found plan.invoicing.legal_entity_id',
  )
  expect(await refusal({ legal_entity_id: entity.id, series: 'none' })).toBe(
    '404 series_not_found plan.invoicing.series',
  )
  const body = {
    name: 'Gold',
    customer_uuid: customer,
    default_collection_method: 'charge_automatically' as const,
    payment_retry_count: 1,
    payment_retry_day_period: 1,
    invoicing: { legal_entity_id: entity.id, tax: 'automatic' as const },
    recurring_cycles: [await shop.cycle({ recurring_items: [{ quantity: 1, recurring_item_id: gold }] })],
  }
  const { orders } = asJson(await recurring.preview(caller, body, 1))
  expect(orders).toMatchObject([
    { amount: 119, line_items: [{ kind: 'item' }, { kind: 'tax', label: 'VAT 19%' }], tax: { total: 19 } },
  ])
})

test('a run reads what its taxes depend on once for all its plans, and nothing for plans without a legal entity', async () => {
  const { shop, taxes, caller, price, plan, billed } = await openTaxShop(fixture, START)
  const gold = await price(100)
  const taxed = await Promise.all(Array.from({ length: 5 }, () => plan([gold])))
  const tables = ['legal_entities', 'billing_details', 'tax_rates', 'tax_engines']
  const statements = await statementsOf(fixture.db, 'tax_rates', () => shop.advance(START))
  expect(statements).toHaveLength(1)
  expect((await Promise.all(taxed.map(({ id }) => billed(id)))).map(([first]) => first?.total)).toEqual(
    Array(5).fill(119),
  )
  await Promise.all(taxed.map(({ id }) => recurring.cancel(caller, id, false)))
  await taxes.editSettings(caller, { legal_entity_id: null, tax: 'none' })
  const { id } = await plan([gold])
  const read: string[] = []
  for (const [index, table] of tables.entries()) {
    const time = Temporal.PlainDate.from(END.slice(0, 10)).add({ months: index })
    read.push(...(await statementsOf(fixture.db, table, () => shop.advance(`${time.toString()}T02:00:00Z`))))
  }
  expect(read).toEqual([])
  expect((await billed(id)).map(({ total }) => total)).toEqual(Array(5).fill(100))
})

test('a taxed first order of a new interval has coupon lines beside its credits, and verify finds nothing', async () => {
  const { shop, caller, price, plan } = await openTaxShop(fixture, '2027-04-01T02:00:00Z')
  const { coupon } = asJson(await recurring.createCoupon(caller, { name: 'Half', percent_off: 50 }))
  const { id } = await plan([await price(100)], { coupons: [coupon.id] })
  await shop.advance('2027-04-16T02:00:00Z')
  await recurring.change(caller, id, { recurring_billing_config: 'FREQ=MONTHLY;INTERVAL=2' })
  const lines = (await shop.orders(id)).at(-1)?.line_items ?? []
  expect(lines.map(({ kind, total }) => [kind, total])).toEqual([
    ['item', 100],
    ['proration_credit', -25],
    ['coupon', -50],
    ['tax', 4.75],
  ])
  expect(await shop.breaches()).toEqual([])
})
