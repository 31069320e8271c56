import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { refusalOf, withKey } from '#platform/testing/requests'
import { INVOICES_PERSONAL_DATA } from '../../invoices/testing/fixture.ts'
import { CARDS, createFixture } from '../testing/fixture.ts'
import { inJson, openInvoiceShop } from '../testing/invoices.ts'

// Proves reference/billing-invoices#drafts, reference/billing-invoices#retention.

const fixture = await createFixture()
const { invoices } = fixture
const START = '2031-06-15T02:00:00Z'
const LINES = [{ label: 'Set-up', quantity: 2, unit_amount: 50 }]
const PAGE = { list: 'invoices', offset: 0, limit: 100, after: undefined }

async function open(options?: Parameters<typeof openInvoiceShop>[2]) {
  const opened = await openInvoiceShop(fixture, START, options)
  const { caller, customer } = opened
  const requestOf = (members: object = {}) => ({
    customer_uuid: customer,
    currency: 'EUR',
    lines: LINES,
    ...members,
  })
  const draft = async (members: object = {}) =>
    inJson(await invoices.createDraft(caller, requestOf(members))).invoice
  return { ...opened, requestOf, draft }
}

test('a preview is what the issue makes, and stores nothing', async () => {
  const { shop, caller, requestOf, documents } = await open()
  const request = requestOf({ collection: 'send_invoice', days_until_due: 10, memo: 'Order 7\nThank you' })
  const previewed = inJson(await invoices.preview(caller, request)).invoice
  expect(previewed).toMatchObject({
    state: 'open',
    net_total: 100,
    tax_total: 19,
    total: 119,
    amount_due: 119,
  })
  for (const member of ['id', 'number', 'order_number', 'payment_reference'])
    expect(previewed).not.toHaveProperty(member)
  expect(await documents()).toEqual([])
  const { invoice } = inJson(await invoices.create(caller, request))
  expect(invoice).toMatchObject(previewed)
  expect(invoice.number).toBe('INV-2031-000001')
  expect(
    await refusalOf(invoices.preview(caller, requestOf({ lines: [{ ...LINES[0], quantity: 0 }] }))),
  ).toBe('422 invoice_inconsistent invoice.lines[0].quantity')
  expect(await shop.breaches()).toEqual([])
})

test('a draft has no number, order, date or event, and is in no list of open invoices and in no sum', async () => {
  const { shop, caller, draft, documents, typesOf } = await open()
  const made = await draft({ memo: 'Hello', lines: [{ label: 'Calls', quantity: 1.5, unit_amount: 0.333 }] })
  expect(made).toMatchObject({
    type: 'invoice',
    state: 'draft',
    net_total: 0.5,
    tax_total: 0.1,
    total: 0.6,
    amount_due: 0,
    memo: 'Hello',
    draft: { lines: [{ label: 'Calls', quantity: 1.5, unit_amount: 0.333 }] },
  })
  for (const member of ['number', 'order_number', 'issue_date', 'due_date', 'payment_reference'])
    expect(made).not.toHaveProperty(member)
  expect(inJson(await invoices.getAny(caller, made.id)).invoice).toEqual(made)
  const listed = await invoices.sorted(caller, '-total', { filter: 'state = draft' })
  expect(inJson(listed.invoices)).toEqual([made])
  expect(await documents('state = open')).toEqual([])
  expect(await invoices.totals(caller, undefined)).toEqual({ totals: [] })
  expect(await typesOf(made.id)).toEqual([])
  expect(await refusalOf(invoices.document(caller, made.id, 'pdf'))).toBe('409 invoice_not_issued')
  expect(await refusalOf(invoices.creditNote(caller, made.id, { reason: 'x' }))).toBe(
    '409 invoice_not_issued',
  )
  expect(await shop.breaches()).toEqual([])
})

test('a replaced draft is what the new body says, and a removed one is gone', async () => {
  const { shop, caller, draft, requestOf } = await open()
  const made = await draft({ memo: 'First', metadata: { a: '1' }, reference_id: 'R1' })
  const body = requestOf({ lines: [{ label: 'Other', quantity: 1, unit_amount: 10 }], reference_id: 'R1' })
  const replaced = inJson(await invoices.replaceDraft(caller, made.id, body)).invoice
  expect(replaced).toMatchObject({ id: made.id, total: 11.9, reference_id: 'R1' })
  expect(replaced).not.toHaveProperty('memo')
  expect(replaced).not.toHaveProperty('metadata')
  expect(replaced.created_at).toBe(made.created_at)
  expect(inJson(await invoices.removeDraft(caller, made.id)).invoice).toEqual(replaced)
  expect(await refusalOf(invoices.getAny(caller, made.id))).toBe('404 invoice_not_found')
  expect(await refusalOf(invoices.removeDraft(caller, made.id))).toBe('404 invoice_not_found')
  expect(await refusalOf(invoices.replaceDraft(caller, made.id, body))).toBe('404 invoice_not_found')
  expect(await shop.breaches()).toEqual([])
})

test('the date, the rates and the number are those of the issue, which charges as an invoice that was no draft', async () => {
  const rates = [
    { percentage: 19, valid_until: '2031-06-30' },
    { percentage: 16, valid_from: '2031-07-01' },
  ]
  const { shop, caller, draft, requestOf, typesOf } = await open({ rates })
  const made = await draft()
  expect(made.total).toBe(119)
  await shop.advance('2031-07-02T02:00:00Z')
  await invoices.create(caller, requestOf())
  const issued = inJson(await invoices.issueDraft(caller, made.id)).invoice
  expect(issued).toMatchObject({
    id: made.id,
    number: 'INV-2031-000002',
    state: 'paid',
    issue_date: '2031-07-02',
    total: 116,
  })
  expect(await typesOf(made.id)).toEqual(['invoice.issued', 'invoice.paid'])
  const issuedIsKept = '409 invoice_issued'
  expect(await refusalOf(invoices.issueDraft(caller, made.id))).toBe(issuedIsKept)
  expect(await refusalOf(invoices.replaceDraft(caller, made.id, requestOf()))).toBe(issuedIsKept)
  expect(await refusalOf(invoices.removeDraft(caller, made.id))).toBe(issuedIsKept)
  expect(await shop.breaches()).toEqual([])
})

test('of issues, changes and removals at the same time one wins, and a repeated key issues once', async () => {
  const { shop, caller, draft, requestOf, documents } = await open({ card: CARDS.declining })
  const { id } = await draft()
  const outcomes = await Promise.all([
    ...Array.from({ length: 4 }, () => refusalOf(invoices.issueDraft(caller, id))),
    ...Array.from({ length: 2 }, () => refusalOf(invoices.replaceDraft(caller, id, requestOf()))),
  ])
  expect(outcomes.slice(0, 4).filter((outcome) => outcome === 'done')).toHaveLength(1)
  expect(new Set(outcomes)).toEqual(new Set(['done', '409 invoice_issued']))
  expect(await documents()).toMatchObject([{ id, number: 'INV-2031-000001', state: 'open' }])
  const second = await draft()
  const keyed = withKey(caller, 'issue')
  await invoices.issueDraft(keyed, second.id)
  await expect(invoices.issueDraft(keyed, second.id)).rejects.toMatchObject({ status: 200 })
  expect(await documents()).toHaveLength(2)
  expect(await shop.breaches()).toEqual([])
})

test('a reference is taken once among drafts and documents, also at the same time', async () => {
  const { shop, caller, draft, requestOf } = await open()
  const referred = requestOf({ reference_id: 'R1' })
  const outcomes = await Promise.all(
    Array.from({ length: 4 }, () => refusalOf(invoices.createDraft(caller, referred))),
  )
  expect(outcomes.toSorted()).toEqual([
    ...Array.from({ length: 3 }, () => '409 reference_id_taken invoice.reference_id'),
    'done',
  ])
  const taken = '409 reference_id_taken invoice.reference_id'
  expect(await refusalOf(invoices.create(caller, referred))).toBe(taken)
  expect(await refusalOf(invoices.preview(caller, referred))).toBe(taken)
  const [one, two] = [await draft(), await draft()]
  const both = await Promise.all(
    [one, two].map(({ id }) =>
      refusalOf(invoices.replaceDraft(caller, id, requestOf({ reference_id: 'R2' }))),
    ),
  )
  expect(both.toSorted()).toEqual([taken, 'done'])
  expect(await shop.breaches()).toEqual([])
})

test('another business neither sees nor changes a draft', async () => {
  const { draft, requestOf } = await open()
  const { id } = await draft()
  const other = await open()
  expect(await refusalOf(invoices.getAny(other.caller, id))).toBe('404 invoice_not_found')
  expect(await refusalOf(invoices.removeDraft(other.caller, id))).toBe('404 invoice_not_found')
  expect(await refusalOf(invoices.issueDraft(other.caller, id))).toBe('404 invoice_not_found')
  expect(await refusalOf(invoices.replaceDraft(other.caller, id, other.requestOf()))).toBe(
    '404 invoice_not_found',
  )
  expect(await refusalOf(invoices.createDraft(other.caller, requestOf()))).toBe(
    '404 customer_not_found invoice.customer_uuid',
  )
})

test('the export of a customer shows its drafts, and an erasure removes them', async () => {
  const { caller, customer, draft } = await open()
  const made = await draft({ memo: 'For Ada' })
  const subject = { uuid: customer, names: [], erasedName: '', texts: [], objects: sql`select null as id` }
  const source = INVOICES_PERSONAL_DATA.sources.find(({ table }) => table === 'invoice_drafts')
  const shown = await fixture.db.transact(caller.businessId, async (tx) => {
    const read = await source?.read(tx, subject, '')
    await source?.erase?.(tx, subject, '')
    return read
  })
  expect(shown?.rows.join()).toContain('For Ada')
  expect(await refusalOf(invoices.getAny(caller, made.id))).toBe('404 invoice_not_found')
  expect((await invoices.page(caller, 'state = draft', PAGE)).page.has_more).toBe(false)
})
