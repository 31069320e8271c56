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

/** An open invoice of 119.00 of a plan, which cards pay by hand in parts. */
async function openInvoice() {
  const open = await invoiced(100, CARDS.declining)
  const { shop, caller, customer, invoice, order } = open
  const token = await shop.bind(customer, CARDS.good)
  const number = invoice.order_number
  const pay = (amount: number) => shop.pay(number, token, { amount })
  const refund = (uuid: string, amount: number) => payments.refund(caller, { transaction: { uuid }, amount })
  /** What the invoice and its order ask for, and what they say was credited. */
  const standing = async () => {
    const [of] = await open.documents('type = "invoice"')
    const { amount_due, billing, state, correspondence_state } = (await order()) ?? {}
    return {
      invoice: [of?.state, of?.amount_due, of?.credited_total],
      order: [state, Number(amount_due), billing?.credited_total ?? 0, correspondence_state],
      overpaid: of?.overpaid,
      breaches: await shop.breaches(),
    }
  }
  const noted = async () =>
    (await open.documents('type = "credit_note"')).map(({ reason, total }) => [reason, total])
  const events = async () => (await shop.events(number)).map(({ type }) => type)
  return { ...open, token, pay, refund, standing, noted, events, number }
}

test('a refund of a part payment lowers the open order with its invoice, and nothing is asked for or given back twice', async () => {
  const { shop, pay, refund, standing, noted, number } = await openInvoice()
  const first = await pay(50)
  await refund(first, 20)
  expect(await standing()).toEqual({
    invoice: ['open', 69, 20],
    order: ['open', 69, 20, 'partial_paid'],
    overpaid: 0,
    breaches: [],
  })
  const lastEvent = (await shop.events(number)).at(-1)
  expect(lastEvent).toMatchObject({
    type: 'order.updated',
    data: { order: { amount_due: '69.00', billing: { credited_total: 20 } } },
  })
  const second = await pay(69)
  expect(await standing()).toMatchObject({
    invoice: ['paid', 0, 20],
    order: ['completed', 0, 20, 'paid'],
    overpaid: 0,
    breaches: [],
  })
  await refund(first, 10)
  await refund(second, 69)
  expect(await standing()).toMatchObject({ invoice: ['paid', 0, 99], overpaid: 0, breaches: [] })
  await refund(first, 20)
  expect(await noted()).toEqual([
    ['Refund', 20],
    ['Refund', 10],
    ['Refund', 69],
    ['Refund', 20],
  ])
  expect(await standing()).toMatchObject({
    invoice: ['credited', 0, 119],
    order: ['refunded', 0, 20, 'unpaid'],
    breaches: [],
  })
})

test.each([
  [[], 'void'],
  [['note'], 'void'],
  [['note'], 'change'],
  [['refund'], 'note'],
  [['note'], 'refund'],
  [[], 'change'],
] as const)('after %j and a refund of a part payment a %s takes what is left', async (earlier, act) => {
  const { shop, caller, planId, price, credit, pay, refund, standing, noted, number } = await openInvoice()
  const payment = await pay(50)
  const perform = async (one: 'note' | 'refund' | 'change' | 'void') => {
    if (one === 'note') await credit({ amount: 9 })
    if (one === 'refund') await refund(payment, 10)
    if (one === 'change') {
      const recurring_items = [{ quantity: 1, recurring_item_id: await price(90) }]
      await recurring.change(caller, planId, { recurring_items })
    }
    if (one === 'void') {
      await refund(payment, 30)
      await shop.voidOrder(number)
    }
  }
  for (const one of earlier) await perform(one)
  await refund(payment, 20)
  expect(await standing()).toMatchObject({ overpaid: 0, breaches: [] })
  await perform(act)
  const { invoice, order, overpaid, breaches } = await standing()
  const total = (await noted()).reduce((sum, [, amount]) => sum + Number(amount), 0)
  expect(breaches).toEqual([])
  expect(overpaid).toBe(0)
  expect(invoice[1]).toBe(order[1])
  expect(invoice[2]).toBeCloseTo(total)
  if (act === 'void') expect([total, invoice[0], order[0]]).toEqual([119, 'credited', 'voided'])
  // The change's own order takes over what was paid and not refunded.
  if (act === 'change') expect(total).toBe(89)
})

test('an order that is open again asks for what its invoice asks for after the notes of its refunds', async () => {
  const { caller, pay, refund, standing, noted } = await openInvoice()
  const [first, second] = [await pay(60), await pay(59)]
  expect(await standing()).toMatchObject({ order: ['completed', 0, 0, 'paid'] })
  await refund(first, 20)
  expect(await standing()).toMatchObject({
    invoice: ['paid', 0, 20],
    order: ['completed', 0, 0, 'partial_paid'],
  })
  await payments.voidTransaction(caller, { transaction: { uuid: second } })
  expect(await standing()).toEqual({
    invoice: ['open', 59, 20],
    order: ['open', 59, 20, 'partial_paid'],
    overpaid: 0,
    breaches: [],
  })
  await refund(first, 10)
  await pay(59)
  expect(await standing()).toMatchObject({
    invoice: ['paid', 0, 30],
    order: ['completed', 0, 30, 'paid'],
    overpaid: 0,
    breaches: [],
  })
  expect(await noted()).toEqual([
    ['Refund', 20],
    ['Refund', 10],
  ])
})
