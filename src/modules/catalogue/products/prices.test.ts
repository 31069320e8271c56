import { describe, expect, test } from 'vitest'
import { ExactNumber } from '#kernel/json'
import { refusalOf } from '#platform/testing/requests'
import { asJson, CARDS, createFixture, Shop } from '../../billing/testing/fixture.ts'
import type { NewPrice } from '../requests/products.ts'

// Proves reference/billing-catalogue#products, reference/billing-catalogue#prices, reference/billing-catalogue#versions.
const fixture = await createFixture()
const { recurring } = fixture
const START = '2031-01-31T02:00:00Z'
const PAGE = { offset: 0, limit: 20, after: undefined }
const TIERS = [
  { up_to: 10, unit_amount: 9 },
  { up_to: null, unit_amount: 7.5, flat_amount: 1 },
]

async function shopWithProduct() {
  const shop = await Shop.open(fixture, START)
  const { product } = asJson(await recurring.createProduct(shop.caller, { name: 'Team', unit_label: 'seat' }))
  const customer = await shop.customer(CARDS.good)
  const createPrice = async (members: Partial<NewPrice> = {}) => {
    const model = members.tiers === undefined ? ({ model: 'per_unit', unit_amount: 10 } as const) : {}
    const price = { product_id: product.id, currency: 'HKD', ...model, ...members } as NewPrice
    return asJson(await recurring.createPrice(shop.caller, price)).price
  }
  const planWith = async (...ids: readonly string[]) => {
    const items = ids.map((id) => ({ recurring_item_id: id, quantity: 12 }))
    return shop.plan(customer, { recurring_cycles: [await shop.cycle({ recurring_items: items })] })
  }
  return { shop, caller: shop.caller, product, createPrice, planWith }
}

test('a product keeps what an edit leaves out, and writes its events', async () => {
  const { shop, caller, product } = await shopWithProduct()
  expect(product).toMatchObject({
    name: 'Team',
    tax_category: 'standard',
    state: 'active',
    unit_label: 'seat',
  })
  const edited = asJson(
    await recurring.editProduct(caller, product.id, { description: 'For many', metadata: { a: 'b' } }),
  )
  expect(edited.product).toMatchObject({
    name: 'Team',
    description: 'For many',
    unit_label: 'seat',
    metadata: { a: 'b' },
  })
  await recurring.archiveProduct(caller, product.id)
  const archived = asJson(await recurring.archiveProduct(caller, product.id))
  expect(archived.product.state).toBe('archived')
  const types = (await shop.events(product.id)).map(({ type }) => type)
  expect(types).toEqual(['product.created', 'product.updated', 'product.archived'])
  const listed = asJson(
    await recurring.productsPage(caller, 'state = archived', { list: 'products', ...PAGE }),
  )
  expect(listed.products.map(({ id }) => id)).toEqual([product.id])
  expect(
    asJson(await recurring.productsPage(caller, 'state = active', { list: 'products', ...PAGE })).products,
  ).toEqual([])
})

test('a reference id names one product and one price, and the refusal names the first', async () => {
  const { caller, product, createPrice } = await shopWithProduct()
  const first = asJson(await recurring.createProduct(caller, { name: 'A', reference_id: 'r' })).product
  await expect(recurring.createProduct(caller, { name: 'B', reference_id: 'r' })).rejects.toMatchObject({
    status: 409,
    reason: 'reference_id_taken',
    detail: { data: { product: { id: first.id } } },
  })
  const price = await createPrice({ reference_id: 'r' })
  await expect(
    recurring.createPrice(caller, {
      product_id: product.id,
      currency: 'EUR',
      model: 'flat',
      unit_amount: 1,
      reference_id: 'r',
    }),
  ).rejects.toMatchObject({
    status: 409,
    reason: 'reference_id_taken',
    detail: { data: { price: { id: price.id } } },
  })
})

test('a price shows its members as they were sent, to twelve decimals, and is a recurring item', async () => {
  const { caller, createPrice } = await shopWithProduct()
  const exact = await recurring.createPrice(caller, {
    product_id: (await shopWithProductOf(caller)).id,
    currency: 'JPY',
    model: 'package',
    unit_amount: new ExactNumber('0.000000000001'),
    package_size: 100,
  })
  expect(JSON.stringify(exact)).toContain('"unit_amount":0.000000000001')
  const price = await createPrice({ model: 'graduated', tiers: TIERS })
  expect(price).toMatchObject({
    label: 'Team',
    model: 'graduated',
    unit_amount: null,
    tiers: [
      { up_to: 10, unit_amount: 9, flat_amount: null },
      { up_to: null, unit_amount: 7.5, flat_amount: 1 },
    ],
    version: 1,
    state: 'active',
    superseded_by: null,
    tax_behavior: 'exclusive',
  })
  const items = asJson(
    await recurring.itemsPage(caller, { list: 'recurring_items', ...PAGE }),
  ).recurring_items
  expect(items.find(({ id }) => id === price.id)).toMatchObject({ label: 'Team', price: 9, currency: 'HKD' })
  const item = asJson(
    await recurring.createItem(caller, { label: 'Old', price: 3, currency: 'HKD' }),
  ).recurring_item
  expect(asJson(await recurring.price(caller, item.id)).price).toMatchObject({
    product_id: null,
    model: 'per_unit',
    unit_amount: 3,
  })
})

async function shopWithProductOf(caller: Parameters<typeof recurring.createProduct>[0]) {
  return asJson(await recurring.createProduct(caller, { name: 'Other' })).product
}

describe('members that do not fit the model are refused by name', () => {
  test.each([
    [{ model: 'per_unit' }, 'unit_amount'],
    [{ model: 'flat', unit_amount: -1 }, 'unit_amount'],
    [{ model: 'flat', unit_amount: new ExactNumber('0.0000000000001') }, 'unit_amount'],
    [{ model: 'flat', unit_amount: 1, package_size: 2 }, 'package_size'],
    [{ model: 'package', unit_amount: 1 }, 'package_size'],
    [{ model: 'flat', unit_amount: 1, tiers: TIERS }, 'tiers'],
    [{ model: 'volume' }, 'tiers'],
    [{ model: 'volume', unit_amount: 1, tiers: TIERS }, 'unit_amount'],
    [{ model: 'graduated', tiers: [{ up_to: 5, unit_amount: 1 }] }, 'tiers[0].up_to'],
    [{ model: 'graduated', tiers: [{ up_to: null, unit_amount: 1 }, ...TIERS] }, 'tiers[0].up_to'],
    [{ model: 'graduated', tiers: [{ up_to: 10, unit_amount: 1 }, ...TIERS] }, 'tiers[1].up_to'],
    [{ model: 'graduated', tiers: [{ up_to: null, unit_amount: -1 }] }, 'tiers[0].unit_amount'],
    [{ model: 'flat', unit_amount: new ExactNumber('999999999999999.9999') }, 'unit_amount'],
  ] as const)('%j', async (members, member) => {
    const { caller, product } = await shopWithProduct()
    const price = { product_id: product.id, currency: 'HKD', ...members } as NewPrice
    expect(await refusalOf(recurring.createPrice(caller, price))).toBe(
      `422 price_inconsistent price.${member}`,
    )
  })
})

test('a plan bills its prices by their models, and lists of plans find a price', async () => {
  const { caller, createPrice, planWith } = await shopWithProduct()
  const tiered = await createPrice({ model: 'graduated', tiers: TIERS })
  const small = await createPrice({ label: 'Calls', unit_amount: 0.005 })
  const plan = await planWith(tiered.id, small.id)
  expect(plan.recurring_cycles[0]?.billing_amount).toBe(106.06)
  const found = async (id: string) =>
    asJson(
      await recurring.page(caller, `price_id = "${id}"`, { list: 'recurring_plans', ...PAGE }),
    ).plans.map((one) => one.id)
  expect(await found(small.id)).toEqual([plan.id])
  expect(await found('prc_none')).toEqual([])
})

test('nobody new takes the price of an archived product, and plans that have it go on', async () => {
  const { shop, caller, product, createPrice, planWith } = await shopWithProduct()
  const price = await createPrice()
  const plan = await planWith(price.id)
  await recurring.archiveProduct(caller, product.id)
  expect(await refusalOf(planWith(price.id))).toContain('409 product_archived plan.recurring_cycles[0]')
  expect(await refusalOf(createPrice())).toBe('409 product_archived price.product_id')
  expect(await refusalOf(recurring.createPriceVersion(caller, price.id, { unit_amount: 1 }))).toContain(
    '409 product_archived',
  )
  await shop.advance('2031-03-01T02:00:00Z')
  expect((await shop.get(plan.id)).recurring_cycles[0]?.billing_count_created).toBe(2)
})

test('a version supersedes its price: plans keep the old one, and nobody else gets it', async () => {
  const { shop, caller, createPrice, planWith } = await shopWithProduct()
  const old = await createPrice({ metadata: { tier: 'gold' } })
  const plan = await planWith(old.id)
  const next = asJson(await recurring.createPriceVersion(caller, old.id, { unit_amount: 12 })).price
  expect(next).toMatchObject({
    version: 2,
    unit_amount: 12,
    label: 'Team',
    metadata: { tier: 'gold' },
    superseded_by: null,
  })
  expect(asJson(await recurring.price(caller, old.id)).price).toMatchObject({
    state: 'superseded',
    superseded_by: next.id,
  })
  await expect(planWith(old.id)).rejects.toMatchObject({
    reason: 'price_superseded',
    detail: { data: { price: { id: next.id } } },
  })
  expect(await refusalOf(recurring.createPriceVersion(caller, old.id, { unit_amount: 13 }))).toContain(
    '409 price_superseded',
  )
  expect((await planWith(next.id)).recurring_cycles[0]?.billing_amount).toBe(144)
  expect((await shop.events(old.id)).map(({ type }) => type)).toEqual(['price.created', 'price.superseded'])
  await shop.advance('2031-03-01T02:00:00Z')
  expect((await shop.get(plan.id)).recurring_cycles[0]?.billing_amount).toBe(120)
})

test('a version to another model takes over only what that model has', async () => {
  const { caller, createPrice } = await shopWithProduct()
  const price = await createPrice()
  const tiered = asJson(
    await recurring.createPriceVersion(caller, price.id, { model: 'volume', tiers: TIERS }),
  ).price
  expect(tiered).toMatchObject({ model: 'volume', unit_amount: null })
  expect(await refusalOf(recurring.createPriceVersion(caller, tiered.id, { model: 'flat' }))).toBe(
    '422 price_inconsistent price.unit_amount',
  )
  expect(
    asJson(await recurring.createPriceVersion(caller, tiered.id, { model: 'graduated' })).price.tiers,
  ).toHaveLength(2)
})

test('of many versions at once one is made', async () => {
  const { caller, createPrice } = await shopWithProduct()
  const price = await createPrice()
  const versions = Array.from({ length: 8 }, (_, index) =>
    refusalOf(recurring.createPriceVersion(caller, price.id, { unit_amount: index })),
  )
  const outcomes = await Promise.all(versions)
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome.startsWith('409 price_superseded'))).toHaveLength(7)
})

test('the prices of a plan all include tax, or all exclude it', async () => {
  const { createPrice, planWith } = await shopWithProduct()
  const [exclusive, inclusive] = [await createPrice(), await createPrice({ tax_behavior: 'inclusive' })]
  expect(await refusalOf(planWith(exclusive.id, inclusive.id))).toBe(
    '422 tax_behavior_mixed plan.recurring_cycles[0].recurring_items[1].recurring_item_id',
  )
  expect((await planWith(inclusive.id)).recurring_cycles[0]?.billing_amount).toBe(120)
})

test('products and prices of another business are not found', async () => {
  const { product, createPrice } = await shopWithProduct()
  const price = await createPrice()
  const stranger = await Shop.open(fixture, START)
  expect(await refusalOf(recurring.product(stranger.caller, product.id))).toContain('404 product_not_found')
  expect(await refusalOf(recurring.editProduct(stranger.caller, product.id, { name: 'Mine' }))).toContain(
    '404 product_not_found',
  )
  expect(await refusalOf(recurring.price(stranger.caller, price.id))).toContain('404 price_not_found')
  expect(await refusalOf(recurring.createPriceVersion(stranger.caller, price.id, {}))).toContain(
    '404 price_not_found',
  )
  const foreign = { product_id: product.id, currency: 'HKD', model: 'flat', unit_amount: 1 } as const
  expect(await refusalOf(recurring.createPrice(stranger.caller, foreign))).toBe(
    '404 product_not_found price.product_id',
  )
})
