import { expect, test } from 'vitest'
import { refusalOf, withKey } from '#platform/testing/requests'
import { CARDS, createFixture } from '../testing/fixture.ts'
import { inJson, openInvoiceShop } from '../testing/invoices.ts'

// Proves reference/billing-invoices#one-off, reference/billing-invoices#sent-invoices, reference/billing-invoices#numbers.

const fixture = await createFixture()
const { invoices } = fixture
const START = '2031-06-15T02:00:00Z'
const LINES = [{ label: 'Set-up', quantity: 2, unit_amount: 50 }]

async function open(card?: string) {
  const opened = await openInvoiceShop(fixture, START, { ...(card !== undefined && { card }) })
  const { caller, customer } = opened
  const create = async (members: object = {}) => {
    const request = { customer_uuid: customer, currency: 'EUR', lines: LINES, ...members }
    return inJson(await invoices.create(caller, request)).invoice
  }
  return { ...opened, create }
}

test('a one-off invoice is charged once to the default token', async () => {
  const { shop, create, typesOf } = await open()
  const invoice = await create({ lines: [...LINES, { label: 'Calls', quantity: 1.5, unit_amount: 0.333 }] })
  expect(invoice).toMatchObject({
    number: 'INV-2031-000001',
    state: 'paid',
    lines: [
      { label: 'Set-up', quantity: 2, unit_amount: 50, amount: 100, tax: 19 },
      { label: 'Calls', quantity: 1.5, unit_amount: 0.333, amount: 0.5 },
    ],
    net_total: 100.5,
    tax_total: 19.1,
    total: 119.6,
    amount_due: 0,
  })
  expect(await typesOf(invoice.id)).toEqual(['invoice.issued', 'invoice.paid'])
  expect(await shop.breaches()).toEqual([])
})

test('a declined one-off invoice stays open and payable, and is never charged by itself again', async () => {
  const { shop, create, documents, caller, customer } = await open(CARDS.declining)
  const invoice = await create()
  expect(invoice).toMatchObject({ state: 'open', amount_due: 119, due_date: '2031-06-15' })
  await shop.advance('2031-09-15T02:00:00Z')
  expect(await documents()).toMatchObject([{ state: 'open' }])
  const good = await shop.bind(customer, CARDS.good)
  await shop.pay(invoice.order_number, good)
  expect(inJson(await invoices.get(caller, invoice.id)).invoice.state).toBe('paid')
  expect(await shop.breaches()).toEqual([])
})

test('a sent invoice is overdue after its due date, unless it was paid', async () => {
  const { shop, create, typesOf, customer } = await open()
  const sent = { collection: 'send_invoice', days_until_due: 14 }
  const [late, paid] = [await create(sent), await create(sent)]
  expect(late).toMatchObject({ state: 'open', due_date: '2031-06-29' })
  await shop.pay(paid.order_number, await shop.bind(customer, CARDS.good))
  await shop.advance('2031-06-29T15:59:00Z')
  expect(await typesOf(late.id)).toEqual(['invoice.issued'])
  await shop.advance('2031-06-29T16:00:00Z')
  expect(await typesOf(late.id)).toEqual(['invoice.issued', 'invoice.overdue'])
  expect(await typesOf(paid.id)).toEqual(['invoice.issued', 'invoice.paid'])
  expect(await shop.breaches()).toEqual([])
})

test('a plan whose invoices are sent makes no attempt; after the due date come past due, grace and the void', async () => {
  const { shop, plan, price, documents, typesOf } = await open()
  const { id } = await plan([await price(100)], {
    grace_period: 5,
    invoicing: { collection: 'send_invoice', days_until_due: 10 },
  })
  await shop.advance('2031-06-25T15:59:00Z')
  const [order] = await shop.orders(id)
  expect(order).toMatchObject({ state: 'open', due_date: '2031-06-25', transactions: [] })
  expect((await shop.get(id)).state).toBe('active')
  await shop.advance('2031-06-25T16:00:00Z')
  expect((await shop.get(id)).state).toBe('past_due')
  await shop.advance('2031-06-30T16:00:00Z')
  expect((await shop.get(id)).state).toBe('uncollectible')
  const [invoice] = await documents()
  expect(invoice).toMatchObject({ state: 'uncollectible', amount_due: 0 })
  expect(await typesOf(invoice?.id ?? '')).toEqual([
    'invoice.issued',
    'invoice.overdue',
    'invoice.uncollectible',
  ])
  await shop.advance('2031-08-15T02:00:00Z')
  expect(await documents()).toHaveLength(1)
  expect(await shop.breaches()).toEqual([])
})

test('a sent invoice that is paid late makes the plan active again', async () => {
  const { shop, plan, price, customer, only } = await open()
  const { id } = await plan([await price(100)], {
    grace_period: 5,
    invoicing: { collection: 'send_invoice', days_until_due: 0 },
  })
  await shop.advance('2031-06-16T02:00:00Z')
  expect((await shop.get(id)).state).toBe('past_due')
  await shop.pay((await only()).order_number, await shop.bind(customer, CARDS.good))
  expect((await shop.get(id)).state).toBe('active')
  expect(await only()).toMatchObject({ state: 'paid' })
  expect(await shop.breaches()).toEqual([])
})

test('lago-api 3571: 64 callers, a third of them refused, beside a billing run leave no gap and no double', async () => {
  const { shop, create, plan, price, documents } = await open()
  const prices = [await price(100)]
  for (let count = 0; count < 10; count++) await plan(prices)
  await create({ reference_id: 'taken' })
  // Refused when the number was taken already.
  const refused = { reference_id: 'taken' }
  const callers = Array.from({ length: 64 }, (_, index) =>
    create(index % 3 === 0 ? refused : { collection: 'send_invoice' }).then(
      () => 'issued',
      () => 'refused',
    ),
  )
  const [outcomes] = await Promise.all([Promise.all(callers), shop.advance(START)])
  expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(22)
  const issued = await documents('type = "invoice"')
  expect(issued.map(({ number }) => number).toSorted()).toEqual(
    Array.from({ length: 53 }, (_, index) => `INV-2031-${String(index + 1).padStart(6, '0')}`),
  )
  expect(await shop.breaches()).toEqual([])
})

test('lago-api 1774: numbers begin again with a local year that the format has and never with a month, and first_number counts for the first one', async () => {
  const { shop, taxes, caller, entity, create, documents } = await open()
  const series = [
    { key: 'a', invoice_format: 'A{YY}-{SEQ:3}', credit_note_format: 'C{SEQ:3}', first_number: 41 },
    { key: 'b', invoice_format: 'B{MM}-{SEQ:1}', credit_note_format: 'D{SEQ:1}' },
  ]
  await taxes.editEntity(caller, entity.id, { series })
  const both = async () => {
    await create({ series: 'a' })
    await create({ series: 'b' })
  }
  await both()
  await shop.advance('2031-12-31T15:59:00Z')
  await both()
  await shop.advance('2031-12-31T16:00:00Z')
  await both()
  expect((await documents()).map(({ number }) => number)).toEqual([
    'A31-041',
    'B06-1',
    'A31-042',
    'B12-2',
    'A32-001',
    'B01-3',
  ])
  expect(await shop.breaches()).toEqual([])
})

test('lago-api 3820: no two invoices of a seller have one number: series with the default formats count together, and one that was removed counts with the first', async () => {
  const { shop, taxes, caller, entity, create, documents } = await open()
  await taxes.editEntity(caller, entity.id, { series: [{ key: 'a' }, { key: 'b' }, { key: 'c' }] })
  const sent = { collection: 'send_invoice' }
  const made = [await create({ ...sent, series: 'a' }), await create({ ...sent, series: 'b' })]
  for (const { id } of made) await invoices.creditNote(caller, id, { reason: 'Late' })
  await taxes.editEntity(caller, entity.id, { series: [{ key: 'c' }] })
  await create({ ...sent, series: 'c' })
  expect((await documents()).map(({ number }) => number)).toEqual([
    'INV-2031-000001',
    'INV-2031-000002',
    'CN-2031-000001',
    'CN-2031-000002',
    'INV-2031-000003',
  ])
  expect(await shop.breaches()).toEqual([])
})

test('the same Idempotency-Key makes one invoice and charges it once, also at the same time; so does a reference', async () => {
  const { shop, caller, customer, documents, typesOf } = await open()
  const request = { customer_uuid: customer, currency: 'EUR', lines: LINES }
  const keyed = withKey(caller, 'one-off')
  const outcomes = await Promise.all(
    Array.from({ length: 3 }, () => refusalOf(invoices.create(keyed, request))),
  )
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
  await expect(invoices.create(keyed, request)).rejects.toMatchObject({ status: 200 })
  const [first, ...others] = await documents()
  expect([first?.state, others]).toEqual(['paid', []])
  const happened = await typesOf(first?.order_number ?? '')
  expect(happened.filter((type) => type === 'transaction.succeeded')).toHaveLength(1)
  const referred = { ...request, reference_id: 'R1' }
  const references = await Promise.all(
    Array.from({ length: 3 }, () => refusalOf(invoices.create(caller, referred))),
  )
  expect(references.toSorted()).toEqual([
    '409 reference_id_taken invoice.reference_id',
    '409 reference_id_taken invoice.reference_id',
    'done',
  ])
  expect(await documents()).toHaveLength(2)
  expect(await shop.breaches()).toEqual([])
})

test('an invoice needs a legal entity, a known customer and lines that bill something', async () => {
  const { shop, taxes, caller, create } = await open()
  expect(await refusalOf(create({ customer_uuid: 'cus_none' }))).toBe(
    '404 customer_not_found invoice.customer_uuid',
  )
  expect(await refusalOf(create({ series: 'z' }))).toMatch(/^4\d\d series_not_found invoice.series$/)
  expect(await refusalOf(create({ lines: [{ label: 'x', quantity: 0, unit_amount: 1 }] }))).toBe(
    '422 invoice_inconsistent invoice.lines[0].quantity',
  )
  const huge = { label: 'x', quantity: 999_999_999, unit_amount: 999_999_999 }
  expect(await refusalOf(create({ lines: [huge] }))).toBe('422 invoice_inconsistent invoice.lines[0]')
  const other = await open()
  expect(await refusalOf(create({ customer_uuid: other.customer }))).toBe(
    '404 customer_not_found invoice.customer_uuid',
  )
  expect(await refusalOf(create({ legal_entity_id: other.entity.id }))).toBe(
    '404 legal_entity_not_found invoice.legal_entity_id',
  )
  await create({ reference_id: 'R1' })
  expect(await refusalOf(create({ reference_id: 'R1' }))).toBe('409 reference_id_taken invoice.reference_id')
  await taxes.editSettings(caller, { legal_entity_id: null, tax: 'none' })
  expect(await refusalOf(create())).toBe('422 invoicing_incomplete invoice.legal_entity_id')
  expect(await shop.breaches()).toEqual([])
})
