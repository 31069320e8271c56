import { expect, test } from 'vitest'
import { refusalOf } from '#platform/testing/requests'
import { verifyPayments } from '../../payments/testing/fixture.ts'
import { CARDS, createFixture } from '../../billing/testing/fixture.ts'
import { inJson, openInvoiceShop } from '../../billing/testing/invoices.ts'
import { bankTransfersOf, verifyBankTransfers } from '../testing/fixture.ts'

// Proves reference/billing-transfers#payments-by-hand, reference/billing-transfers#overpayments,
// reference/billing-transfers#write-offs.

const fixture = await createFixture()
const { customers, db, invoices, payments, recurring } = fixture
const transfers = bankTransfersOf(
  { ...fixture.shared, customers, invoices, payments },
  recurring.addMovedCredit,
)
const START = '2031-06-15T02:00:00Z'
const SENT = { collection: 'send_invoice', days_until_due: 14 } as const

async function open() {
  const opened = await openInvoiceShop(fixture, START, { card: CARDS.good })
  const { caller, customer, shop } = opened
  const create = async (members: object = SENT) =>
    inJson(
      await invoices.create(caller, {
        customer_uuid: customer,
        currency: 'EUR',
        lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
        ...members,
      }),
    ).invoice
  const invoice = async (id: string) => inJson(await invoices.get(caller, id)).invoice
  const order = async (number: string) =>
    db.transact(caller.businessId, async (tx) => {
      const read = (await payments.findOrders(tx, [number])).get(number)
      if (read === undefined) throw new Error(`there is no order ${number}`)
      return inJson(payments.renderOrder(read.order, read.transactions, tx.now))
    })
  const post = async (rows: readonly { remittance: string; amount: string; iban?: string }[]) => {
    const lines = rows.map(
      ({ remittance, amount, iban = '' }, index) =>
        `2031-06-14,${amount},EUR,${iban},R${index}-${remittance},${remittance}`,
    )
    const content = ['booking_date,amount,currency,debtor_iban,bank_reference,remittance', ...lines].join(
      '\n',
    )
    return inJson(await transfers.import(caller, { format: 'csv', content })).bank_statement
  }
  const pay = async (id: string, members: object = {}) =>
    inJson(await transfers.pay(caller, id, { method: 'cash', ...members }))
  const note = async (id: string, members: object) =>
    inJson(await invoices.creditNote(caller, id, { reason: 'Less than agreed', ...members }))
  const breaches = async () => {
    const own = [verifyBankTransfers(db), verifyPayments(db)].map((verify) =>
      Array.fromAsync(verify(caller.businessId)),
    )
    return [...(await shop.breaches()), ...(await Promise.all(own)).flat()].map(
      ({ rule, detail }) => `${rule} ${detail}`,
    )
  }
  const plan = async (members: Parameters<typeof opened.plan>[1] = {}) => {
    const price = await opened.price(60, 'inclusive')
    return (await opened.plan([price], members)).id
  }
  const creditOf = async (id: string) => (await shop.get(id)).credit
  return { ...opened, create, invoice, order, post, pay, note, breaches, planId: plan, creditOf }
}

test('a payment by hand pays what is due, on the day on which it came', async () => {
  const { create, pay, order, typesOf, breaches } = await open()
  const { id, order_number: number } = await create()
  const { invoice, transaction } = await pay(id, {
    method: 'cheque',
    value_date: '2031-06-10',
    reference: '4711',
    note: 'At the fair',
  })
  expect(invoice).toMatchObject({
    state: 'paid',
    amount_due: 0,
    overpaid: 0,
    payments: [
      {
        transaction_uuid: transaction.uuid,
        value_date: '2031-06-10',
        method: 'cheque',
        acquirer_type: 'manual',
        amount: 119,
        reference: '4711',
      },
    ],
  })
  expect(transaction).toMatchObject({
    type: 'Sales',
    success: true,
    payment_method: 'cheque',
    value_date: '2031-06-10',
    note: 'At the fair',
    allow_void: false,
    allow_refund: false,
    payment_data: { acquirer_type: 'manual', new_gateway_txn_id: '4711' },
  })
  expect(await order(number)).toMatchObject({ state: 'completed', correspondence_state: 'paid' })
  expect(await typesOf(number)).toEqual(['order.created', 'transaction.succeeded', 'order.paid'])
  expect(await typesOf(id)).toEqual(['invoice.issued', 'invoice.paid'])
  expect(await breaches()).toEqual([])
})

test('with an amount a payment by hand pays less, or more of a paid invoice', async () => {
  const { create, pay, order, breaches } = await open()
  const { id, order_number: number } = await create()
  expect((await pay(id, { amount: 19 })).invoice).toMatchObject({
    state: 'open',
    amount_due: 100,
    overpaid: 0,
  })
  expect((await pay(id)).invoice).toMatchObject({ state: 'paid', amount_due: 0 })
  expect(await refusalOf(pay(id))).toBe('409 nothing_due')
  const { invoice } = await pay(id, { amount: 30 })
  expect(invoice).toMatchObject({ state: 'paid', amount_due: 0, overpaid: 30 })
  expect(invoice.payments).toHaveLength(3)
  expect(await order(number)).toMatchObject({ correspondence_state: 'over_paid', paid_total: '149.00' })
  expect(await breaches()).toEqual([])
})

test('what the bank kept of a payment counts as paid', async () => {
  const { create, pay, breaches } = await open()
  const [one, two] = [await create(), await create()]
  const method = 'bank_transfer'
  expect((await pay(one.id, { method, amount: 114, fee: 5 })).invoice).toMatchObject({
    state: 'paid',
    overpaid: 0,
    payments: [{ amount: 119, fee: 5 }],
  })
  expect((await pay(two.id, { method, fee: 5 })).transaction).toMatchObject({
    amount: 119,
    payment_data: { fee: 5 },
  })
  expect(await breaches()).toEqual([])
})

test.each([
  [{ value_date: '2031-06-16' }, '422 value_date_invalid payment.value_date'],
  [{ value_date: '1999-12-31' }, '422 value_date_invalid payment.value_date'],
  [{ amount: 0 }, '422 amount_invalid payment.amount'],
  [{ amount: 1.005 }, '422 amount_invalid payment.amount'],
  [{ fee: 119 }, '422 amount_invalid payment.fee'],
  [{ fee: -1 }, '422 amount_invalid payment.fee'],
])('a payment by hand %j is refused with %s', async (members, refusal) => {
  const { create, pay, invoice } = await open()
  const { id } = await create()
  expect(await refusalOf(pay(id, members))).toBe(refusal)
  expect((await invoice(id)).payments).toEqual([])
})

test('an undone payment counts no more, and its invoice is open again', async () => {
  const { caller, create, pay, order, invoice, post, breaches } = await open()
  const { id, order_number: number } = await create()
  const { transaction } = await pay(id)
  const undone = inJson(await transfers.undo(caller, transaction.uuid))
  expect(undone).toMatchObject({
    invoice: { state: 'open', amount_due: 119, payments: [] },
    order: { state: 'open' },
    transaction: { success: false, payment_data: { transaction_state: 'voided' } },
  })
  expect(inJson(await transfers.undo(caller, transaction.uuid))).toEqual(undone)
  await post([{ remittance: (await invoice(id)).number, amount: '119.00' }])
  const [transfer] = (await invoice(id)).payments ?? []
  expect(transfer).toMatchObject({ method: 'bank_transfer', acquirer_type: 'bank' })
  expect(await refusalOf(transfers.undo(caller, transfer?.transaction_uuid ?? ''))).toBe('409 not_by_hand')
  expect(await refusalOf(transfers.undo(caller, 'txn_unknown'))).toBe('404 transaction_not_found')
  expect(await order(number)).toMatchObject({ state: 'completed' })
  expect(await breaches()).toEqual([])
})

test('what is over-paid is repaid from the newest payments, without a credit note', async () => {
  const { caller, create, pay, post, invoice, documents, breaches } = await open()
  const made = await create()
  await post([{ remittance: made.number, amount: '125.00' }])
  const { transaction } = await pay(made.id, { amount: 10, value_date: '2031-06-15' })
  const repay = (members: object = {}) => transfers.repay(caller, made.order_number, members)
  expect(await refusalOf(repay({ amount: 135.01 }))).toBe('422 amount_too_large repayment.amount')
  const repaid = inJson(await repay({ reference: 'SEPA 1' }))
  expect(repaid.order).toMatchObject({
    paid_total: '119.00',
    state: 'completed',
    correspondence_state: 'paid',
  })
  expect(repaid.transactions).toMatchObject([
    { type: 'Refund', amount: -10, original_transaction_uuid: transaction.uuid, payment_method: 'cash' },
    { type: 'Refund', amount: -6, payment_method: 'bank_transfer' },
  ])
  expect(await refusalOf(repay())).toBe('409 nothing_overpaid')
  expect(await refusalOf(transfers.undo(caller, transaction.uuid))).toBe('409 payment_in_use')
  expect(await invoice(made.id)).toMatchObject({ overpaid: 0, credited_total: 0 })
  const [refund] = repaid.transactions
  expect(inJson(await transfers.undo(caller, refund?.uuid ?? '')).invoice).toMatchObject({ overpaid: 10 })
  await transfers.undo(caller, transaction.uuid)
  expect(await invoice(made.id)).toMatchObject({ overpaid: 0, state: 'paid' })
  expect(await documents('type = "credit_note"')).toEqual([])
  expect(await breaches()).toEqual([])
})

test('an order of which all was repaid is refunded, until a repayment is undone', async () => {
  const { caller, create, pay, order, breaches } = await open()
  const { id, order_number: number } = await create()
  await pay(id)
  const { transactions } = inJson(await transfers.repay(caller, number, { amount: 119 }))
  expect(await order(number)).toMatchObject({ state: 'refunded', paid_total: '0.00' })
  expect(await refusalOf(pay(id, { amount: 1 }))).toBe('409 order_not_payable')
  await transfers.undo(caller, transactions[0]?.uuid ?? '')
  expect(await order(number)).toMatchObject({ state: 'completed', paid_total: '119.00' })
  expect(await breaches()).toEqual([])
})

test('what was repaid beyond an overpayment is seen until a credit note covers it, and nobody is asked for it', async () => {
  const { caller, create, shop, pay, order, invoice, note, breaches } = await open()
  const { id, order_number: number } = await create()
  await pay(id, { amount: 130 })
  await transfers.repay(caller, number, { amount: 71 })
  const { transactions } = inJson(await transfers.repay(caller, number, { amount: 5 }))
  expect(await invoice(id)).toMatchObject({ state: 'paid', amount_due: 0, overpaid: -65 })
  expect(await order(number)).toMatchObject({ state: 'completed', correspondence_state: 'partial_paid' })
  expect(await refusalOf(transfers.repay(caller, number, {}))).toBe('409 nothing_overpaid')
  await transfers.undo(caller, transactions[0]?.uuid ?? '')
  expect(await invoice(id)).toMatchObject({ overpaid: -60 })
  await shop.advance('2031-06-17T02:00:00Z')
  expect((await note(id, { amount: 60 })).invoice).toMatchObject({ overpaid: 0, state: 'paid' })
  expect((await invoices.report(caller, 'open', { at: '2031-06-15' })).open).toEqual([])
  await transfers.repay(caller, number, { amount: 59 })
  expect(await order(number)).toMatchObject({ state: 'refunded' })
  expect(await invoice(id)).toMatchObject({ overpaid: -59, amount_due: 0 })
  expect((await note(id, {})).invoice).toMatchObject({ overpaid: 0, state: 'credited' })
  expect(await breaches()).toEqual([])
})

test('a draft takes no payment, write-off or transfer until it is issued', async () => {
  const { caller, customer, post } = await open()
  const lines = [{ label: 'Set-up', quantity: 1, unit_amount: 100 }]
  const { invoice: draft } = inJson(
    await invoices.createDraft(caller, { customer_uuid: customer, currency: 'EUR', lines }),
  )
  expect(await refusalOf(transfers.pay(caller, draft.id, { method: 'cash' }))).toBe('409 invoice_not_issued')
  expect(await refusalOf(transfers.writeOff(caller, draft.id, { reason: 'Cents' }))).toBe(
    '409 invoice_not_issued',
  )
  await post([{ remittance: 'Tea', amount: '119.00' }])
  const [entry] = await transfers.entries(caller)
  const match = transfers.match(caller, entry?.id ?? '', { invoices: [{ id: draft.id, amount: 119 }] })
  expect(await refusalOf(match)).toBe('409 invoice_not_issued invoices[0].id')
})

test('an overpayment becomes credit of a plan of the customer, and is then neither repaid nor undone', async () => {
  const { caller, create, pay, order, invoice, planId, creditOf, breaches } = await open()
  const { id, order_number: number } = await create()
  const plan = await planId()
  const move = (to: string) => transfers.moveOverpayment(caller, number, to)
  await pay(id)
  expect(await refusalOf(move(plan))).toBe('409 nothing_overpaid')
  const { transaction } = await pay(id, { amount: 30 })
  const other = await open()
  expect(await refusalOf(move(await other.planId()))).toBe('404 plan_not_found plan_id')
  const before = await creditOf(plan)
  expect(inJson(await move(plan)).order).toMatchObject({
    correspondence_state: 'paid',
    amount_due: '0.00',
    billing: { moved_to_credit: 30 },
  })
  expect(Number(await creditOf(plan)) - Number(before)).toBe(30)
  expect(await invoice(id)).toMatchObject({ overpaid: 0, state: 'paid', amount_due: 0 })
  expect(await refusalOf(transfers.undo(caller, transaction.uuid))).toBe('409 payment_in_use')
  expect(await refusalOf(transfers.repay(caller, number, { amount: 119.01 }))).toBe(
    '422 amount_too_large repayment.amount',
  )
  expect(await refusalOf(move(plan))).toBe('409 nothing_overpaid')
  await transfers.repay(caller, number, { amount: 119 })
  expect(await order(number)).toMatchObject({ paid_total: '30.00', state: 'completed' })
  expect(await breaches()).toEqual([])
})

test('an overpayment does not go to a plan of another customer or currency', async () => {
  const { caller, shop, create, pay, breaches } = await open()
  const { id, order_number: number } = await create()
  await pay(id, { amount: 130 })
  const stranger = await shop.plan(await shop.customer(CARDS.good), {
    recurring_cycles: [await shop.cycle()],
  })
  expect(await refusalOf(transfers.moveOverpayment(caller, number, stranger.id))).toBe(
    '422 plan_mismatch plan_id',
  )
  const { customer_uuid: own } = { customer_uuid: (await create()).buyer.customer_uuid }
  const foreign = await shop.plan(own, { recurring_cycles: [await shop.cycle()] })
  expect(await refusalOf(transfers.moveOverpayment(caller, number, foreign.id))).toBe(
    '422 plan_mismatch plan_id',
  )
  expect(await breaches()).toEqual([])
})

test('a credit note that gives nothing back makes its amount over-paid, also beside refunds', async () => {
  const { caller, shop, create, order, note, invoice, planId, creditOf, breaches } = await open()
  const { id, order_number: number } = await create({ collection: 'automatic' })
  await note(id, { amount: 20, refund: 'payment' })
  await shop.advance('2031-06-15T03:00:00Z')
  expect((await note(id, { amount: 30 })).invoice).toMatchObject({ overpaid: 30, credited_total: 50 })
  expect((await order(number)).billing).toMatchObject({ credited_total: 30 })
  const plan = await planId()
  const before = Number(await creditOf(plan))
  await transfers.moveOverpayment(caller, number, plan)
  expect(Number(await creditOf(plan)) - before).toBe(30)
  expect(await refusalOf(note(id, { amount: 69.01, refund: 'credit' }))).toBe(
    '422 amount_too_large credit_note.amount',
  )
  const { uuid = '' } = (await order(number)).transactions[0] ?? {}
  expect(await refusalOf(payments.refund(caller, { transaction: { uuid }, amount: 69.01 }))).toBe(
    '422 amount_too_large amount',
  )
  expect(await invoice(id)).toMatchObject({ overpaid: 0 })
  expect(await breaches()).toEqual([])
})

test('a write-off gives up what is due without a credit note', async () => {
  const { caller, create, pay, invoice, order, documents, breaches } = await open()
  const made = await create()
  await pay(made.id, { amount: 118.5 })
  const off = (members: object = {}) => transfers.writeOff(caller, made.id, { reason: 'Cents', ...members })
  expect(await refusalOf(off({ amount: 0.51 }))).toBe('422 amount_too_large amount')
  expect(inJson(await off({ amount: 0.2 })).invoice).toMatchObject({ state: 'open', amount_due: 0.3 })
  const { order: written } = inJson(await off())
  expect(written).toMatchObject({ state: 'completed', billing: { written_off: 0.5 }, amount_due: '0.00' })
  expect(await refusalOf(off())).toBe('409 nothing_due')
  expect(await invoice(made.id)).toMatchObject({
    state: 'paid',
    amount_due: 0,
    overpaid: 0,
    credited_total: 0,
  })
  expect(await documents('type = "credit_note"')).toEqual([])
  await invoices.creditNote(caller, made.id, { reason: 'Whole' })
  expect(await invoice(made.id)).toMatchObject({ state: 'credited', overpaid: 118.5 })
  expect((await order(made.order_number)).billing).not.toHaveProperty('written_off')
  expect(await breaches()).toEqual([])
})

test('a note of more than is left of a written-off invoice takes the rest from what was written off', async () => {
  const { caller, create, note, order, breaches } = await open()
  const [part, whole] = [await create(), await create()]
  await transfers.writeOff(caller, part.id, { amount: 100, reason: 'Insolvent' })
  await note(part.id, { amount: 60 })
  await transfers.writeOff(caller, whole.id, { reason: 'Insolvent' })
  await note(whole.id, { amount: 60 })
  for (const { order_number: number } of [part, whole])
    expect(await order(number)).toMatchObject({
      state: 'voided',
      billing: { credited_total: 60, written_off: 59 },
    })
  expect(await breaches()).toEqual([])
})

test('after a refund with a note, another note takes all of what was written off', async () => {
  const { caller, customer, create, shop, note, order, breaches } = await open()
  const { id, order_number: number } = await create()
  const uuid = await shop.pay(number, await shop.bind(customer, CARDS.good), { amount: 19 })
  await transfers.writeOff(caller, id, { reason: 'Insolvent' })
  await payments.refund(caller, { transaction: { uuid } })
  await note(id, { amount: 100 })
  const { billing } = await order(number)
  expect(billing).toMatchObject({ credited_total: 100 })
  expect(billing).not.toHaveProperty('written_off')
  expect(await breaches()).toEqual([])
})

test('after a note that gave credit, a note of the rest takes all of what was written off', async () => {
  const { caller, shop, pay, note, planId, only, invoice, order, creditOf, breaches } = await open()
  const plan = await planId({ invoicing: SENT })
  await shop.advance(START)
  const { id, order_number: number } = await only()
  await pay(id, { amount: 50 })
  await transfers.writeOff(caller, id, { reason: 'Gave up' })
  await note(id, { amount: 20, refund: 'credit' })
  await note(id, {})
  expect((await order(number)).billing).not.toHaveProperty('written_off')
  expect(await invoice(id)).toMatchObject({ state: 'credited', overpaid: 30 })
  expect(await creditOf(plan)).toBe(20)
  expect(await breaches()).toEqual([])
})

test('the void of an order credits what was written off of it, too', async () => {
  const { caller, create, shop, order, invoice, breaches } = await open()
  const { id, order_number: number } = await create()
  await transfers.writeOff(caller, id, { amount: 30, reason: 'Cents' })
  await shop.voidOrder(number)
  expect(await invoice(id)).toMatchObject({ state: 'credited', credited_total: 119 })
  expect((await order(number)).billing).not.toHaveProperty('written_off')
  expect(await breaches()).toEqual([])
})

test('a note gives nothing back of what was written off, however much was over-paid', async () => {
  const { caller, create, pay, note, planId, invoice, breaches } = await open()
  const { id } = await create()
  await transfers.writeOff(caller, id, { amount: 30, reason: 'Cents' })
  await pay(id, { amount: 200 })
  await planId()
  expect(await refusalOf(note(id, { refund: 'credit' }))).toBe('422 amount_too_large credit_note.amount')
  await note(id, {})
  expect(await invoice(id)).toMatchObject({ state: 'credited', overpaid: 200 })
  expect(await breaches()).toEqual([])
})

// Proves reference/billing-reports#exports.
test('DATEV gets what was written off and what a note took back, on their days, once there is an account for it', async () => {
  const { caller, taxes, shop, create, note, post } = await open()
  const accounts = {
    receivables: '1400',
    bank: '1200',
    revenue: [{ percentage: 19, treatment: 'taxed', account: '8400' } as const],
  }
  await taxes.editSettings(caller, {
    accounts,
    datev: { consultant: 1001, client: 1, fiscal_year_start: '01-01', account_length: 4 },
    write_off_up_to: { EUR: 1 },
  })
  const [insolvent, short] = [await create(), await create()]
  await transfers.writeOff(caller, insolvent.id, { reason: 'Insolvent' })
  await post([{ remittance: short.number, amount: '118.50' }])
  await shop.advance('2031-06-17T02:00:00Z')
  await note(insolvent.id, { amount: 19 })
  const bookings = async () => {
    const file = await invoices.export(caller, { format: 'datev', from: '2031-06-01', to: '2031-06-30' })
    return file
      .toString('latin1')
      .split('\r\n')
      .slice(2, -1)
      .map((line) => line.split(';'))
      .filter(([, , , , , , account]) => account === '2400')
      .map((fields) => [0, 1, 7, 9, 10].map((index) => fields[index]))
  }
  expect(await bookings()).toEqual([])
  await taxes.editSettings(caller, { accounts: { ...accounts, write_offs: '2400' } })
  const [first, second] = [insolvent, short].map(({ number }) => `"${number}"`)
  const filed = await bookings()
  expect(filed).toEqual([
    ['0,50', '"S"', '1400', '1406', second],
    ['119,00', '"S"', '1400', '1506', first],
    ['19,00', '"H"', '1400', '1706', first],
  ])
  expect(await bookings()).toEqual(filed)
})

test('open items count what was written off and what moved to the credit of a plan, on their days', async () => {
  const { caller, shop, create, pay, note, planId, breaches } = await open()
  const made = await create()
  const openAt = async (at: string) => {
    const { open: items = [] } = await invoices.report(caller, 'open', { at })
    const { rows = [] } = await invoices.report(caller, 'open/rows', { at })
    const item = items.find(({ number }) => number === made.number)
    const lines = rows.filter(({ number }) => number === made.number)
    expect(lines.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0)).toBe(
      Math.round(Number(item?.['due'] ?? 0) * 100),
    )
    return item === undefined ? null : [item['paid'], item['written_off'], item['due']]
  }
  await pay(made.id, { amount: 100 })
  await transfers.writeOff(caller, made.id, { amount: 4, reason: 'Bank charges' })
  expect(await openAt('2031-06-15')).toEqual([100, 4, 15])
  await shop.advance('2031-06-17T02:00:00Z')
  await transfers.writeOff(caller, made.id, { reason: 'Bank charges' })
  await shop.advance('2031-06-19T02:00:00Z')
  await note(made.id, { amount: 1 })
  expect(await openAt('2031-06-16')).toEqual([100, 4, 15])
  expect(await openAt('2031-06-18')).toBeNull()
  expect(await openAt('2031-06-19')).toBeNull()
  await transfers.moveOverpayment(caller, made.order_number, await planId())
  expect(await openAt('2031-06-19')).toBeNull()
  expect(await breaches()).toEqual([])
})

test('a corrected invoice asks for less, and then less stays written off, so nobody is over-paid by what was given up', async () => {
  const { caller, customer, taxes, create, pay, order, breaches } = await open()
  const [part, whole] = [await create(), await create()]
  const { transaction } = await pay(part.id, { amount: 9 })
  for (const { id } of [part, whole]) await transfers.writeOff(caller, id, { reason: 'Insolvent' })
  await taxes.editDetails(caller, customer, {
    address: { line1: 'Ring 1', postal_code: '1010', city: 'Wien', country: 'AT' },
    tax_ids: [{ type: 'vat', value: 'ATU13585627' }],
  })
  const reissue = async (id: string) => inJson(await invoices.reissue(caller, id, undefined)).invoice
  expect(await reissue(part.id)).toMatchObject({
    state: 'paid',
    total: 100,
    prepaid: 0,
    amount_due: 0,
    overpaid: 0,
  })
  expect((await order(part.order_number)).billing).toMatchObject({ credited_total: 19, written_off: 91 })
  expect(await reissue(whole.id)).toMatchObject({ state: 'uncollectible', total: 100, prepaid: 0 })
  expect((await order(whole.order_number)).billing).toMatchObject({ credited_total: 19, written_off: 100 })
  await transfers.undo(caller, transaction.uuid)
  const { open: items } = await invoices.report(caller, 'open')
  expect(items).toMatchObject([{ total: 100, written_off: 91, due: 9 }])
  expect(await breaches()).toEqual([])
})

test.each([true, false])(
  'an invoice of which notes credit a part and the rest is written off is uncollectible, in either order',
  async (isNoteFirst) => {
    const { create, caller, note, invoice, order, documents, breaches } = await open()
    const { id, order_number: number } = await create()
    const acts = [
      () => note(id, { amount: 60 }),
      () => transfers.writeOff(caller, id, { amount: 59, reason: 'Insolvent' }),
    ]
    for (const act of isNoteFirst ? acts : acts.toReversed()) await act()
    expect(await invoice(id)).toMatchObject({ state: 'uncollectible', amount_due: 0, credited_total: 60 })
    expect(await order(number)).toMatchObject({ state: 'voided', billing: { written_off: 59 } })
    expect(await breaches()).toEqual([])
    await note(id, {})
    expect(await invoice(id)).toMatchObject({ state: 'credited', credited_total: 119 })
    expect((await order(number)).billing).not.toHaveProperty('written_off')
    expect(await documents('type = "credit_note"')).toHaveLength(2)
    expect(await breaches()).toEqual([])
  },
)

test('an invoice that is written off wholly is uncollectible', async () => {
  const { caller, create, order, breaches } = await open()
  const { id, order_number: number } = await create()
  const { invoice } = inJson(await transfers.writeOff(caller, id, { reason: 'Insolvent' }))
  expect(invoice).toMatchObject({ state: 'uncollectible', amount_due: 0 })
  expect(await order(number)).toMatchObject({ state: 'voided' })
  expect(await breaches()).toEqual([])
})

test('a match writes off the rest up to the amount of the settings, and its undo brings it back', async () => {
  const { caller, taxes, create, post, invoice, order, breaches } = await open()
  await taxes.editSettings(caller, { write_off_up_to: { EUR: 0.5 } })
  const [near, far] = [await create(), await create()]
  await post([
    { remittance: near.number, amount: '118.50' },
    { remittance: far.number, amount: '118.49' },
  ])
  expect(await invoice(near.id)).toMatchObject({ state: 'paid', amount_due: 0 })
  expect((await order(near.order_number)).billing).toMatchObject({ written_off: 0.5 })
  expect(await invoice(far.id)).toMatchObject({ state: 'open', amount_due: 0.51 })
  const dues = async (at: string) =>
    (await invoices.report(caller, 'open', { at })).open?.map((row) => [row['written_off'], row['due']])
  expect(await dues('2031-06-15')).toEqual([[0, 0.51]])
  const [entry] = inJson(await transfers.entries(caller, 'amount = 118.50'))
  await transfers.unmatch(caller, entry?.id ?? '')
  expect(await invoice(near.id)).toMatchObject({ state: 'open', amount_due: 119 })
  expect((await order(near.order_number)).billing).not.toHaveProperty('written_off')
  await transfers.match(caller, entry?.id ?? '', { invoices: [{ id: near.id, amount: 118.5 }] })
  expect(await invoice(near.id)).toMatchObject({ state: 'paid', amount_due: 0 })
  expect(await breaches()).toEqual([])
})

test.each([
  ['a part', 0.2, { state: 'open', amount_due: 118.8 }],
  ['all', 119, { state: 'credited', amount_due: 0 }],
])(
  'the undo of a match takes back what it wrote off, less what a note of %s took back before',
  async (_, amount, expected) => {
    const { caller, taxes, create, post, note, invoice, order, breaches } = await open()
    await taxes.editSettings(caller, { write_off_up_to: { EUR: 0.5 } })
    const made = await create()
    await post([{ remittance: made.number, amount: '118.50' }])
    await note(made.id, { amount })
    const [entry] = inJson(await transfers.entries(caller))
    await transfers.unmatch(caller, entry?.id ?? '')
    expect(await invoice(made.id)).toMatchObject(expected)
    expect((await order(made.order_number)).billing).not.toHaveProperty('written_off')
    expect(await breaches()).toEqual([])
  },
)

test('a returned transfer of which something was given back keeps its match, and by hand it is refused', async () => {
  const { caller, create, post, invoice, breaches } = await open()
  const made = await create()
  await post([{ remittance: made.number, amount: '130.00' }])
  await transfers.repay(caller, made.order_number, {})
  const [entry] = inJson(await transfers.entries(caller))
  expect(await refusalOf(transfers.unmatch(caller, entry?.id ?? ''))).toBe('409 payment_in_use')
  expect(await invoice(made.id)).toMatchObject({ state: 'paid' })
  expect(await breaches()).toEqual([])
})

test('of an undo, a repayment and a move at the same time only what fits takes place', async () => {
  const { caller, create, pay, invoice, planId, creditOf, breaches } = await open()
  const plan = await planId()
  const before = Number(await creditOf(plan))
  const { id, order_number: number } = await create()
  const { transaction } = await pay(id, { amount: 150 })
  const results = await Promise.allSettled([
    transfers.undo(caller, transaction.uuid),
    transfers.repay(caller, number, {}),
    transfers.moveOverpayment(caller, number, plan),
    transfers.repay(caller, number, {}),
    transfers.moveOverpayment(caller, number, plan),
  ])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const moved = Number(await creditOf(plan)) - before
  expect([0, 31]).toContain(moved)
  expect(await breaches()).toEqual([])
  expect((await invoice(id)).overpaid).toBe(0)
})

test('a closed month takes no payment, repayment or undo of its days, and the days after it take them', async () => {
  const { caller, taxes, create, pay, invoice, breaches } = await open()
  const { id, order_number: number } = await create()
  const { transaction: closed } = await pay(id, { amount: 10, value_date: '2031-05-31' })
  const before = inJson(await transfers.repay(caller, number, { amount: 4, value_date: '2031-05-31' }))
  await taxes.editSettings(caller, { locked_until: '2031-05-31' })
  const undo = (uuid = '') => transfers.undo(caller, uuid)
  const repay = (date: string) => transfers.repay(caller, number, { amount: 3, value_date: date })
  expect(await refusalOf(pay(id, { value_date: '2031-05-31' }))).toBe('409 period_locked payment.value_date')
  expect(await refusalOf(repay('2031-05-31'))).toBe('409 period_locked repayment.value_date')
  expect(await refusalOf(undo(closed.uuid))).toBe('409 period_locked')
  expect(await refusalOf(undo(before.transactions[0]?.uuid))).toBe('409 period_locked')
  expect(await invoice(id)).toMatchObject({ amount_due: 113, payments: [{ amount: 10 }] })
  const { transaction: open_ } = await pay(id, { amount: 20, value_date: '2031-06-01' })
  const { transactions } = inJson(await repay('2031-06-01'))
  expect(await invoice(id)).toMatchObject({ amount_due: 96 })
  await undo(transactions[0]?.uuid)
  await undo(open_.uuid)
  expect(await invoice(id)).toMatchObject({ amount_due: 113, payments: [{ amount: 10 }] })
  expect(await breaches()).toEqual([])
})
