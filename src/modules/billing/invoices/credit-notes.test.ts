import { expect, test } from 'vitest'
import { refusalOf, withKey } from '#platform/testing/requests'
import { asJson, CARDS, createFixture } from '../testing/fixture.ts'
import { inJson, openInvoiceShop } from '../testing/invoices.ts'

// Proves reference/billing-invoices#credit-notes, reference/billing-invoices#by-themselves.

const fixture = await createFixture()
const { invoices, payments, recurring } = fixture
const START = '2031-06-15T02:00:00Z'

async function invoiced(price: number, card: string = CARDS.good) {
  const open = await openInvoiceShop(fixture, START, { card })
  const { id } = await open.plan([await open.price(price)], { payment_retry_day_period: 60 })
  await open.shop.advance(START)
  const invoice = await open.only()
  const credit = async (members: object = {}) => {
    const request = { reason: 'Less than agreed', ...members }
    return inJson(await invoices.creditNote(open.caller, invoice.id, request))
  }
  return { ...open, planId: id, invoice, credit, order: async () => (await open.shop.orders(id))[0] }
}

test('a note lowers what is due; all notes together are the invoice, and its order is voided', async () => {
  const { shop, credit, order, typesOf, planId, invoice } = await invoiced(100, CARDS.declining)
  const first = await credit({ amount: 40 })
  expect(first.credit_note).toMatchObject({
    type: 'credit_note',
    number: 'CN-2031-000001',
    invoice_number: 'INV-2031-000001',
    reason: 'Less than agreed',
    lines: [{ line_id: '1', quantity: 1, net: 33.61, tax: 6.39, total: 40 }],
    taxes: [{ name: 'VAT', percentage: 19, base: 33.61, amount: 6.39 }],
    total: 40,
    settlement: { due: 40, refunded: 0, credited: 0 },
  })
  expect(first.invoice).toMatchObject({ state: 'open', amount_due: 79, credited_total: 40 })
  expect(await order()).toMatchObject({ amount_due: '79.00', billing: { credited_total: 40 } })
  const last = await credit()
  expect(last.credit_note).toMatchObject({ net_total: 66.39, tax_total: 12.61, total: 79 })
  expect(last.invoice).toMatchObject({ state: 'credited', amount_due: 0, credited_total: 119 })
  expect(await order()).toMatchObject({ state: 'voided' })
  expect(asJson(await recurring.get(shop.caller, planId)).plan.state).toBe('active')
  expect(await typesOf(invoice.id)).toEqual(['invoice.issued', 'invoice.credited'])
  expect(await refusalOf(credit())).toBe('409 nothing_left_to_credit')
  expect(await shop.breaches()).toEqual([])
})

test('a note of a paid invoice refunds the payment once, and the refund makes no second note', async () => {
  const { shop, credit, order, documents } = await invoiced(100)
  const { credit_note: note, invoice } = await credit({
    lines: [{ line_id: '1', amount: 59.5 }],
    refund: 'payment',
  })
  expect(note).toMatchObject({
    lines: [{ line_id: '1', net: 50, tax: 9.5, total: 59.5 }],
    settlement: { due: 0, refunded: 59.5, credited: 0 },
  })
  expect(invoice).toMatchObject({ state: 'paid', credited_total: 59.5, amount_due: 0 })
  await shop.advance('2031-06-15T03:00:00Z')
  expect((await order())?.transactions?.at(-1)).toMatchObject({
    type: 'Refund',
    amount: -59.5,
    success: true,
  })
  expect(await documents('type = "credit_note"')).toHaveLength(1)
  expect(await shop.breaches()).toEqual([])
})

test('a note gives to the credit of the plan, which pays the next invoice', async () => {
  const { shop, credit, documents, planId, caller } = await invoiced(100)
  const { credit_note: note } = await credit({ amount: 19, refund: 'credit' })
  expect(note).toMatchObject({ settlement: { due: 0, refunded: 0, credited: 19 } })
  expect(asJson(await recurring.get(caller, planId)).plan.credit).toBe(19)
  await shop.advance('2031-07-15T02:00:00Z')
  const [, , second] = await documents()
  expect(second).toMatchObject({ number: 'INV-2031-000002', total: 119, prepaid: 19, state: 'paid' })
  expect(await shop.breaches()).toEqual([])
})

test('a refund by hand makes a note of its amount, unless a note has credited it before', async () => {
  const { shop, caller, credit, order, documents } = await invoiced(100)
  const payment = (await order())?.transactions?.[0]?.uuid ?? ''
  const refund = (amount: number) => payments.refund(caller, { transaction: { uuid: payment }, amount })
  await refund(20)
  await credit({ amount: 30 })
  await refund(40)
  const notes = await documents('type = "credit_note"')
  expect(notes.map(({ reason, total, settlement }) => [reason, total, settlement?.refunded])).toEqual([
    ['Refund', 20, 20],
    ['Less than agreed', 30, 0],
    ['Refund', 10, 10],
  ])
  expect(await documents('type = "invoice"')).toMatchObject([{ credited_total: 60, state: 'paid' }])
  expect(await shop.breaches()).toEqual([])
})

test('a note is refused beyond what is left, and what payments cannot give back is not promised', async () => {
  const { shop, caller, credit, order } = await invoiced(100)
  expect(await refusalOf(credit({ amount: 119.01 }))).toBe('422 amount_too_large credit_note.amount')
  const line = (id: string, amount: number) => ({ lines: [{ line_id: id, amount }] })
  expect(await refusalOf(credit(line('1', 200)))).toBe('422 amount_too_large credit_note.lines[0].amount')
  expect(await refusalOf(credit(line('9', 1)))).toBe(
    '404 invoice_line_not_found credit_note.lines[0].line_id',
  )
  expect(await refusalOf(credit({ ...line('1', 1), amount: 1 }))).toBe(
    '422 credit_note_inconsistent credit_note.amount',
  )
  await credit({ amount: 50 })
  const uuid = (await order())?.transactions?.[0]?.uuid ?? ''
  await payments.refund(caller, { transaction: { uuid }, amount: 50 })
  await payments.refund(caller, { transaction: { uuid }, amount: 60 })
  expect(await refusalOf(credit({ amount: 9.01 }))).toBe('422 amount_too_large credit_note.amount')
  await credit({ amount: 9, refund: 'payment' })
  expect(await refusalOf(credit({ refund: 'payment' }))).toBe('409 nothing_left_to_credit')
  expect(await shop.breaches()).toEqual([])
})

test('a note of what credit has paid is not promised to a payment', async () => {
  const { shop, plan, price, caller, only } = await openInvoiceShop(fixture, START)
  const { id } = await plan([await price(100)])
  await recurring.credit(caller, id, { amount: 19 })
  await shop.advance(START)
  const { id: invoiceId } = await only()
  const request = { reason: 'All', refund: 'payment' } as const
  expect(await refusalOf(invoices.creditNote(caller, invoiceId, request))).toBe(
    '409 refund_not_possible credit_note.refund',
  )
  const { credit_note: note } = inJson(
    await invoices.creditNote(caller, invoiceId, { ...request, amount: 100 }),
  )
  expect(note).toMatchObject({ number: 'CN-2031-000001', total: 100 })
  expect(await shop.breaches()).toEqual([])
})

test('the same Idempotency-Key issues one note, and the invoices of others are not found', async () => {
  const { shop, caller, invoice, documents } = await invoiced(100)
  const keyed = withKey(caller, 'note')
  const request = { amount: 10, reason: 'Goodwill', reference_id: 'N1' }
  await invoices.creditNote(keyed, invoice.id, request)
  await expect(invoices.creditNote(keyed, invoice.id, request)).rejects.toMatchObject({ status: 200 })
  expect(await refusalOf(invoices.creditNote(caller, invoice.id, request))).toBe(
    '409 reference_id_taken credit_note.reference_id',
  )
  expect(await documents('type = "credit_note"')).toHaveLength(1)
  const other = await openInvoiceShop(fixture, START)
  expect(await refusalOf(invoices.get(other.caller, invoice.id))).toBe('404 invoice_not_found')
  expect(await refusalOf(invoices.creditNote(other.caller, invoice.id, request))).toBe(
    '404 invoice_not_found',
  )
  expect(await shop.breaches()).toEqual([])
})
