import { expect, test } from 'vitest'
import { refusalOf, withKey } from '#platform/testing/requests'
import { adminOf } from '#platform/testing/database'
import { CARDS, createFixture } from '../testing/fixture.ts'
import { inJson, openInvoiceShop } from '../testing/invoices.ts'

// Proves reference/billing-invoices#correction.

const fixture = await createFixture()
const { invoices } = fixture
const START = '2031-06-15T02:00:00Z'
const LINES = [{ label: 'Set-up', quantity: 2, unit_amount: 50 }]
const VIENNA = { line1: 'Ring 1', postal_code: '1010', city: 'Wien', country: 'AT' }
const REVERSED = { address: VIENNA, tax_ids: [{ type: 'vat' as const, value: 'ATU13585627' }] }

async function open(options?: Parameters<typeof openInvoiceShop>[2]) {
  const opened = await openInvoiceShop(fixture, START, options)
  const { caller, customer, taxes } = opened
  const create = async (members: object = {}) =>
    inJson(
      await invoices.create(caller, { customer_uuid: customer, currency: 'EUR', lines: LINES, ...members }),
    ).invoice
  const reissue = async (id: string, reason?: string) => inJson(await invoices.reissue(caller, id, reason))
  const get = async (id: string) => inJson(await invoices.get(caller, id)).invoice
  const moveToVienna = () => taxes.editDetails(caller, customer, REVERSED)
  const orderOf = (number: string) =>
    fixture.db.transact(caller.businessId, async (tx) => {
      const found = (await fixture.payments.findOrders(tx, [number])).get(number)
      if (found === undefined) throw new Error(`there is no order ${number}`)
      return inJson(fixture.payments.renderOrder(found.order, found.transactions, tx.now))
    })
  const refund = (uuid: string, amount: number) =>
    fixture.payments.refund(caller, { transaction: { uuid }, amount })
  return { ...opened, create, reissue, get, moveToVienna, orderOf, refund }
}

test('a wrong address is corrected by one act: a note of the whole, and the same invoice with the address of now', async () => {
  const { shop, taxes, caller, customer, entity, create, reissue, get, typesOf, orderOf } = await open()
  const old = await create({
    lines: [...LINES, { label: 'Calls', quantity: 1.5, unit_amount: 0.333 }],
    memo: 'Thank you',
    reference_id: 'R1',
    metadata: { seat: '1' },
  })
  await taxes.editEntity(caller, entity.id, { name: 'New name GmbH' })
  await taxes.editDetails(caller, customer, {
    address: { line1: 'Allee 2', postal_code: '10115', city: 'Berlin', country: 'DE' },
  })
  const previewed = inJson(await invoices.previewReissue(caller, old.id, 'Wrong address'))
  const { credit_note: note, invoice } = await reissue(old.id, 'Wrong address')
  expect(note).toMatchObject({
    type: 'credit_note',
    number: 'CN-2031-000001',
    invoice_id: old.id,
    total: old.total,
    tax_total: old.tax_total,
    reason: 'Wrong address',
    buyer: { address: null },
  })
  expect(note.lines).toHaveLength(2)
  expect(invoice).toMatchObject({
    number: 'INV-2031-000002',
    state: 'paid',
    order_number: old.order_number,
    total: old.total,
    lines: old.lines,
    taxes: old.taxes,
    memo: 'Thank you',
    metadata: { seat: '1' },
    reference_id: null,
    replaces: old.id,
    seller: { name: 'New name GmbH' },
    buyer: { address: { line1: 'Allee 2' } },
    amount_due: 0,
  })
  expect(invoice).toMatchObject(previewed.invoice)
  expect(note).toMatchObject(previewed.credit_note)
  expect(await get(old.id)).toMatchObject({
    state: 'credited',
    replaced_by: invoice.id,
    credited_total: old.total,
  })
  expect((await orderOf(old.order_number)).billing).toMatchObject({
    invoice_id: invoice.id,
    invoice_number: invoice.number,
    credited_total: 0,
  })
  expect(await typesOf(note.id)).toEqual(['credit_note.issued'])
  expect(await typesOf(old.id)).toEqual(['invoice.issued', 'invoice.paid', 'invoice.credited'])
  expect(await typesOf(invoice.id)).toEqual(['invoice.issued', 'invoice.paid'])
  expect((await typesOf(old.order_number)).at(-1)).toBe('order.updated')
  expect(await shop.breaches()).toEqual([])
})

test('a lower total lowers what an open order asks for; the taxes are those of the date of the old invoice', async () => {
  const rates = [
    { percentage: 19, valid_until: '2031-06-30' },
    { percentage: 16, valid_from: '2031-07-01' },
  ]
  const { shop, create, reissue, get, moveToVienna, orderOf, typesOf } = await open({
    rates,
    card: CARDS.declining,
  })
  const old = await create({ collection: 'send_invoice', days_until_due: 10 })
  await shop.advance('2031-07-03T02:00:00Z')
  const same = (await reissue(old.id)).invoice
  expect(same).toMatchObject({ total: 119, issue_date: '2031-07-03', due_date: '2031-07-13', state: 'open' })
  expect((await orderOf(old.order_number)).due_date).toBe('2031-07-13')
  await moveToVienna()
  const { credit_note: note, invoice } = await reissue(same.id)
  expect(note).toMatchObject({ total: 119, reason: 'Correction' })
  expect(invoice).toMatchObject({ total: 100, tax_total: 0, amount_due: 100, notes: ['Reverse charge'] })
  expect(await orderOf(old.order_number)).toMatchObject({
    state: 'open',
    amount_due: '100.00',
    billing: { credited_total: 19, tax: { total: 0, groups: [{ treatment: 'reverse_charge' }] } },
  })
  await shop.advance('2031-07-13T16:00:00Z')
  expect(await typesOf(invoice.id)).toEqual(['invoice.issued', 'invoice.overdue'])
  expect(await typesOf(same.id)).toEqual(['invoice.issued', 'invoice.credited'])
  expect(await get(old.id)).toMatchObject({ replaced_by: same.id })
  expect(await shop.breaches()).toEqual([])
})

test('what was paid stays with the order and is over-paid; its refund needs no note, and more than it does', async () => {
  const { shop, create, reissue, get, moveToVienna, orderOf, documents, refund } = await open()
  const old = await create()
  await moveToVienna()
  const { invoice } = await reissue(old.id)
  expect(invoice).toMatchObject({ state: 'paid', total: 100, amount_due: 0 })
  const order = await orderOf(old.order_number)
  expect(order).toMatchObject({ state: 'completed', correspondence_state: 'over_paid', paid_total: '119.00' })
  const payment = order.transactions?.[0]?.uuid ?? ''
  await refund(payment, 19)
  expect(await documents('type = credit_note')).toHaveLength(1)
  await refund(payment, 40)
  expect(await get(invoice.id)).toMatchObject({ state: 'paid', credited_total: 40 })
  expect(await refusalOf(reissue(invoice.id))).toBe('409 invoice_has_notes')
  expect(await shop.breaches()).toEqual([])
})

test('a higher total, an invoice with notes, a note, a draft and what is not there are refused, and nothing is written', async () => {
  const { shop, taxes, caller, customer, create, reissue, moveToVienna, documents } = await open()
  await moveToVienna()
  const untaxed = await create()
  await taxes.editDetails(caller, customer, {
    address: { ...VIENNA, country: 'DE', postal_code: '10115' },
    tax_ids: [],
  })
  expect(await refusalOf(reissue(untaxed.id))).toBe('409 reissue_raises_total')
  expect(await refusalOf(invoices.previewReissue(caller, untaxed.id, undefined))).toBe(
    '409 reissue_raises_total',
  )
  const noted = await create()
  const { credit_note: note } = await invoices.creditNote(caller, noted.id, { amount: 1, reason: 'x' })
  expect(await refusalOf(reissue(noted.id))).toBe('409 invoice_has_notes')
  expect(await refusalOf(reissue(note.id))).toBe('404 invoice_not_found')
  const { invoice: draft } = await invoices.createDraft(caller, {
    customer_uuid: customer,
    currency: 'EUR',
    lines: LINES,
  })
  expect(await refusalOf(reissue(draft.id))).toBe('409 invoice_not_issued')
  const other = await open()
  expect(await refusalOf(other.reissue(untaxed.id))).toBe('404 invoice_not_found')
  expect(await documents()).toHaveLength(3)
  expect(await shop.breaches()).toEqual([])
})

test('of two reissues at once one wins, a repeated key does it once, and notes at the same time exclude it', async () => {
  const { shop, caller, create, reissue, documents } = await open({ card: CARDS.declining })
  const first = await create({ collection: 'send_invoice' })
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => refusalOf(reissue(first.id))))
  expect(outcomes.toSorted()).toEqual([...Array.from({ length: 3 }, () => '409 invoice_has_notes'), 'done'])
  const second = await create({ collection: 'send_invoice' })
  const keyed = withKey(caller, 'reissue')
  await invoices.reissue(keyed, second.id, undefined)
  await expect(invoices.reissue(keyed, second.id, undefined)).rejects.toMatchObject({ status: 200 })
  const third = await create({ collection: 'send_invoice' })
  const raced = await Promise.all([
    refusalOf(reissue(third.id)),
    refusalOf(invoices.creditNote(caller, third.id, { amount: 20, reason: 'Late' })),
  ])
  expect([
    ['done', '409 nothing_left_to_credit'],
    ['409 invoice_has_notes', 'done'],
  ]).toContainEqual(raced)
  expect(await documents('type = credit_note')).toHaveLength(3)
  expect(await shop.breaches()).toEqual([])
})

test("a plan's order is corrected, and a later change credits what the new invoice billed", async () => {
  const { shop, plan, price, only, reissue, moveToVienna, orderOf, documents } = await open()
  const [small, large] = [await price(100), await price(200)]
  const { id } = await plan([small])
  await shop.advance(START)
  const old = await only()
  expect(old).toMatchObject({ state: 'paid', total: 119 })
  await moveToVienna()
  const { invoice } = await reissue(old.id)
  expect(invoice).toMatchObject({ total: 100, plan_id: id })
  await shop.advance('2031-06-30T02:00:00Z')
  await fixture.recurring.change(shop.caller, id, { replace: [{ from: small, to: large }] })
  await shop.advance('2031-06-30T03:00:00Z')
  const change = (await documents()).find(({ order_number }) => order_number !== old.order_number)
  // Half of the period is left, without tax on both sides.
  expect(change).toMatchObject({ net_total: 50, tax_total: 0, total: 50 })
  expect((await orderOf(old.order_number)).billing).toMatchObject({ credited_total: 19 })
  expect(await shop.breaches()).toEqual([])
})

test('a change that lowered an open order forbids the reissue, and one after a reissue lowers the new invoice', async () => {
  const { shop, plan, price, only, reissue, get, moveToVienna } = await open({ card: CARDS.declining })
  const [large, small] = [await price(200), await price(100)]
  const { id } = await plan([large], { invoicing: { collection: 'send_invoice', days_until_due: 60 } })
  await shop.advance(START)
  const old = await only()
  await moveToVienna()
  const { invoice } = await reissue(old.id)
  await shop.advance('2031-06-30T02:00:00Z')
  await fixture.recurring.change(shop.caller, id, { replace: [{ from: large, to: small }] })
  const lowered = await get(invoice.id)
  expect(lowered).toMatchObject({ total: 200, credited_total: 100, amount_due: 100 })
  expect(await refusalOf(reissue(invoice.id))).toBe('409 invoice_has_notes')
  expect(await shop.breaches()).toEqual([])
})

test('a reissue after the end of grace gives no credit that the void gave back already', async () => {
  const { shop, caller, plan, price, only, reissue, moveToVienna } = await open({ card: CARDS.declining })
  const invoicing = { invoicing: { collection: 'send_invoice' as const, days_until_due: 5 }, grace_period: 3 }
  const { id: planId } = await plan([await price(100)], invoicing)
  await fixture.recurring.credit(caller, planId, { amount: 110, note: 'Gift' })
  await shop.advance(START)
  const old = await only()
  await shop.advance('2031-06-25T02:00:00Z')
  expect((await shop.get(planId)).credit).toBe(110)
  await moveToVienna()
  await fixture.recurring.reactivate(caller, planId, 'now')
  const { credit_note: note, invoice } = await reissue(old.id)
  expect(note).toMatchObject({ total: 119, settlement: { due: 0, refunded: 0, credited: 0 } })
  expect(invoice).toMatchObject({ state: 'uncollectible', total: 100, prepaid: 0, overpaid: 0 })
  const { credit_note: rest } = inJson(
    await fixture.invoices.creditNote(caller, invoice.id, { reason: 'Late', refund: 'credit' }),
  )
  expect(rest.settlement).toEqual({ due: 100, refunded: 0, credited: 0 })
  expect((await shop.get(planId)).credit).toBe(110)
  expect(await shop.breaches()).toEqual([])
})

test('voids, notes and payments after a reissue meet the new invoice', async () => {
  const { shop, caller, customer, create, reissue, get, moveToVienna } = await open({ card: CARDS.declining })
  const sent = { collection: 'send_invoice' as const }
  const [voided, noted, paid] = [await create(sent), await create(sent), await create(sent)]
  await moveToVienna()
  const fresh = await Promise.all([voided, noted, paid].map(async ({ id }) => (await reissue(id)).invoice))
  await shop.voidOrder(voided.order_number)
  expect(await get(fresh[0]?.id ?? '')).toMatchObject({ state: 'credited', credited_total: 100 })
  await invoices.creditNote(caller, fresh[1]?.id ?? '', { amount: 30, reason: 'Late' })
  expect(await get(fresh[1]?.id ?? '')).toMatchObject({ state: 'open', amount_due: 70 })
  expect(await refusalOf(invoices.creditNote(caller, noted.id, { amount: 1, reason: 'x' }))).toBe(
    '409 nothing_left_to_credit',
  )
  await shop.pay(paid.order_number, await shop.bind(customer, CARDS.good))
  expect(await get(fresh[2]?.id ?? '')).toMatchObject({ state: 'paid', amount_due: 0 })
  expect(await get(paid.id)).toMatchObject({ state: 'credited' })
  expect(await shop.breaches()).toEqual([])
})

test.each([
  ['reissued_documents_name_each_other', `update invoices set replaced_by = null where id = $1`],
  [
    'reissued_documents_name_each_other',
    `update invoices set state = 'paid', credited_minor = 0 where id = $1`,
  ],
  ['reissued_documents_name_each_other', `update invoices set replaces = 'inv_x' where replaces = $1`],
  [
    'notes_lower_their_order',
    `update orders set credited_minor = credited_minor + 1
      where id = (select order_id from invoices where id = $1)`,
  ],
])('a breach of %s is found', async (rule, statement) => {
  const { shop, create, reissue, moveToVienna } = await open()
  const old = await create()
  await moveToVienna()
  await reissue(old.id)
  const node = await adminOf(fixture, shop.caller.businessId)
  await node.query(statement, [old.id])
  expect((await shop.breaches()).map((breach) => breach.rule)).toContain(rule)
})

test('a note of a paid invoice that gives nothing back makes an over-payment after a reissue, too', async () => {
  const { shop, caller, create, reissue, get } = await open({ card: CARDS.good })
  const old = await create({ collection: 'automatic' })
  const { invoice } = await reissue(old.id)
  await invoices.creditNote(caller, invoice.id, { reason: 'Less than agreed', amount: 10, refund: 'none' })
  expect(await get(invoice.id)).toMatchObject({ state: 'paid', overpaid: 10, credited_total: 10 })
  expect(await shop.breaches()).toEqual([])
})
