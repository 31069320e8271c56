import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { toRfc3339 } from '#kernel/clock'
import { CARDS, createFixture } from '../testing/fixture.ts'
import { openInvoiceShop } from '../testing/invoices.ts'

// Proves reference/billing-invoices#issue, reference/billing-invoices#documents, reference/billing-invoices#states,
// reference/billing-invoices#by-themselves.

const fixture = await createFixture()
const { invoices, recurring } = fixture
const START = '2031-06-15T02:00:00Z'
const CHANGE = '2031-07-05T02:00:00Z'
const open = (options?: Parameters<typeof openInvoiceShop>[2]) => openInvoiceShop(fixture, START, options)

test('an order of a plan with a legal entity gets its invoice with its taxes, and is paid with it', async () => {
  const { shop, caller, plan, price, customer, entity, only, typesOf } = await open()
  const { id } = await plan([await price(20), await price(30)], { discount: 10 })
  await shop.advance(START)
  const invoice = await only()
  const [order] = await shop.orders(id)
  expect(order?.billing).toMatchObject({ invoice_id: invoice.id, invoice_number: 'INV-2031-000001' })
  expect(invoice).toMatchObject({
    type: 'invoice',
    number: 'INV-2031-000001',
    state: 'paid',
    order_number: order?.number,
    plan_id: id,
    seller: { legal_entity_id: entity.id, name: entity.name },
    buyer: { customer_uuid: customer },
    issue_date: '2031-06-15',
    due_date: '2031-06-15',
    lines: [
      { id: '1', quantity: 1, unit_amount: 20, amount: 20, discount: 2, net: 18, tax: 3.42, total: 21.42 },
      { id: '2', quantity: 1, unit_amount: 30, amount: 30, discount: 3, net: 27, tax: 5.13, total: 32.13 },
    ],
    taxes: [{ name: 'VAT', percentage: 19, treatment: 'taxed', base: 45, amount: 8.55 }],
    net_total: 45,
    tax_total: 8.55,
    total: 53.55,
    prepaid: 0,
    amount_due: 0,
    credited_total: 0,
  })
  expect(invoice.payment_reference).toMatch(/^RF\d{2}[0-9A-Z]{12}$/)
  expect(await typesOf(invoice.id)).toEqual(['invoice.issued', 'invoice.paid'])
  expect((await invoices.get(caller, invoice.id)).invoice.number).toBe(invoice.number)
  expect(await shop.breaches()).toEqual([])
})

test('what the credit of the plan pays is prepaid, and an order that it pays is a paid invoice', async () => {
  const { shop, caller, plan, price, only, typesOf } = await open()
  const { id } = await plan([await price(100)])
  await recurring.credit(caller, id, { amount: 119 })
  await shop.advance(START)
  const invoice = await only()
  expect(invoice).toMatchObject({ state: 'paid', total: 119, prepaid: 119, amount_due: 0 })
  expect(await typesOf(invoice.id)).toEqual(['invoice.issued', 'invoice.paid'])
  expect(await shop.breaches()).toEqual([])
})

test('a plan without a legal entity has no invoice', async () => {
  const { shop, plan, price, documents } = await open()
  const { id } = await plan([await price(100)], { invoicing: { legal_entity_id: null, tax: 'none' } })
  await shop.advance(START)
  const [order] = await shop.orders(id)
  expect(order?.billing).not.toHaveProperty('invoice_id')
  expect(await documents()).toEqual([])
})

test('a change lowers an unpaid invoice by a credit note, and invoices its own order after plan.changed and order.created', async () => {
  const { shop, caller, plan, price, documents } = await open({ card: CARDS.declining })
  const [cheap, dear] = [await price(100), await price(200)]
  const { id } = await plan([cheap], { payment_retry_day_period: 60 })
  await shop.advance(CHANGE)
  const { order } = await recurring.change(caller, id, { replace: [{ from: cheap, to: dear }] })
  const [first, note, second] = await documents()
  expect(first).toMatchObject({ state: 'open', credited_total: 39.66 })
  expect(note).toMatchObject({
    type: 'credit_note',
    number: 'CN-2031-000001',
    invoice_id: first?.id,
    invoice_number: first?.number,
    reason: 'Change of the plan',
    lines: [{ line_id: '1', quantity: 1, net: 33.33, tax: 6.33, total: 39.66 }],
    total: 39.66,
  })
  expect(second).toMatchObject({ type: 'invoice', number: 'INV-2031-000002', order_number: order?.number })
  const written = await fixture.db.read<{ type: string }>(
    caller.businessId,
    sql`select type from events where business_id = ${caller.businessId} and timestamp = ${toRfc3339(shop.now)} order by id`,
  )
  const types = written.map(({ type }) => type)
  expect(types.indexOf('plan.changed')).toBeLessThan(types.indexOf('order.created'))
  expect(types.indexOf('order.created')).toBeLessThan(types.indexOf('invoice.issued'))
  expect(await shop.breaches()).toEqual([])
})

test('a scheduled change writes plan.changed before its order and invoice', async () => {
  const { shop, caller, plan, price } = await open()
  const [cheap, dear] = [await price(100), await price(200)]
  const { id } = await plan([cheap])
  await shop.advance(START)
  await recurring.change(caller, id, { replace: [{ from: cheap, to: dear }], at: 'period_end' })
  await shop.advance('2031-07-15T02:00:00Z')
  const written = await fixture.db.read<{ type: string }>(
    caller.businessId,
    sql`select type from events where business_id = ${caller.businessId} and timestamp >= '2031-07-15' order by id`,
  )
  const types = written.map(({ type }) => type).filter((type) => /^plan.changed$|created$|issued$/.test(type))
  expect(types).toEqual(['plan.changed', 'order.created', 'invoice.issued'])
  expect((await shop.events(id)).filter(({ type }) => type === 'plan.changed')).toMatchObject([
    { at: '2031-07-15T02:00:00.000Z' },
  ])
})

test('a change that gives more than it takes issues a credit note that names the invoices it takes back from', async () => {
  const { shop, caller, customer, entity, taxes, plan, price, documents } = await open()
  await taxes.editEntity(caller, entity.id, { tax_ids: [{ type: 'vat', value: 'DE136695976' }] })
  await taxes.editDetails(caller, customer, {
    address: { line1: 'Gasse 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
  })
  const [cheap, dear, added] = [await price(100), await price(200), await price(30)]
  const { id } = await plan([dear])
  await shop.advance(CHANGE)
  await recurring.change(caller, id, { replace: [{ from: dear, to: cheap }] })
  const [first, note] = await documents()
  expect(note).toMatchObject({
    type: 'credit_note',
    lines: [
      { quantity: 1, unit_amount: 66.67, net: 66.67, tax: 12.66 },
      { quantity: -1, unit_amount: 33.33, net: -33.33, tax: -6.33 },
    ],
    total: 39.67,
    amount_due: 0,
    invoice_number: first?.number,
    settlement: { due: 0, refunded: 0, credited: 39.67 },
  })
  const { content } = await invoices.document(caller, note?.id ?? '', 'ubl')
  expect(content).toContain(
    `<cbc:ID>${first?.number}</cbc:ID>\n   <cbc:IssueDate>${first?.issue_date}</cbc:IssueDate>`,
  )

  const items = (...ids: string[]) => ids.map((item) => ({ recurring_item_id: item, quantity: 1 }))
  await recurring.change(caller, id, { recurring_items: items(cheap, added) })
  await recurring.change(caller, id, { recurring_items: items(await price(1)), proration: 'next_order' })
  await shop.advance('2031-07-15T02:00:00Z')
  const ofPeriod = (await documents()).at(-1)
  const second = (await documents('type = "invoice"')).at(-1)
  expect(ofPeriod).toMatchObject({
    type: 'credit_note',
    invoice_number: `${first?.number}, ${second?.number}`,
  })
  expect(await shop.breaches()).toEqual([])
})

test('the void of the merchant credits the rest, and the end of grace only writes the claim off', async () => {
  const { shop, caller, plan, price, documents, typesOf } = await open({ card: CARDS.declining })
  const made = async () => {
    const { id } = await plan([await price(100)], { payment_retry_count: 1, grace_period: 3 })
    return id
  }
  const [voided] = [await made(), await made()]
  await shop.advance(START)
  const [order] = await shop.orders(voided)
  await shop.voidOrder(order?.number ?? '')
  await shop.advance('2031-06-20T02:00:00Z')
  const [first, second, note, ...others] = await documents()
  const byOrder = [first, second].toSorted((a) => (a?.order_number === order?.number ? -1 : 1))
  expect(byOrder).toMatchObject([
    { state: 'credited', amount_due: 0 },
    { state: 'uncollectible', amount_due: 0, credited_total: 0 },
  ])
  expect(note).toMatchObject({
    reason: 'Order voided',
    invoice_id: byOrder[0]?.id,
    settlement: { due: note?.total, refunded: 0, credited: 0 },
  })
  expect(others).toEqual([])
  expect(await typesOf(byOrder[0]?.id ?? '')).toEqual(['invoice.issued', 'invoice.credited'])
  expect(await typesOf(byOrder[1]?.id ?? '')).toEqual(['invoice.issued', 'invoice.uncollectible'])
  expect((await invoices.get(caller, byOrder[1]?.id ?? '')).invoice.state).toBe('uncollectible')
  expect(await shop.breaches()).toEqual([])
})
