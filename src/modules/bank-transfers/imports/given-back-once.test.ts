import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import { refusalOf } from '#platform/testing/requests'
import { bankTransfersOf } from '../testing/fixture.ts'
import { asJson, CARDS, createFixture, Shop } from '../../billing/testing/fixture.ts'
import { inJson, openInvoiceShop } from '../../billing/testing/invoices.ts'

// Proves reference/billing-changes#once, reference/operations#verify.

const fixture = await createFixture()
const { customers, invoices, payments, recurring } = fixture
const transfers = bankTransfersOf({ ...fixture.shared, customers, invoices, payments })

/** The period from 15 June to 15 July has 30 days; 15 of them are left on 30 June. */
const START = '2031-06-15T02:00:00Z'
const HALF = '2031-06-30T02:00:00Z'
const NEXT = '2031-07-15T02:00:00Z'

type OpenShop = Awaited<ReturnType<typeof openInvoiceShop>>

async function planOf60(changes: Parameters<OpenShop['plan']>[1] = {}, card: string = CARDS.good) {
  const open = await openInvoiceShop(fixture, START, { card })
  const { shop, caller } = open
  const price = await open.price(60, 'inclusive')
  const { id } = await open.plan([price], { payment_retry_day_period: 60, grace_period: null, ...changes })
  await shop.advance(START)
  const invoice = await open.only()
  const note = async (members: object) =>
    inJson(await invoices.creditNote(caller, invoice.id, { reason: 'Less than agreed', ...members }))
  const change = async (amount: number) =>
    asJson(
      await recurring.change(caller, id, {
        recurring_items: [{ recurring_item_id: await open.price(amount, 'inclusive'), quantity: 1 }],
      }),
    )
  const order = async (index = 0) => {
    const found = (await shop.orders(id))[index]
    if (found === undefined) throw new Error(`there is no order ${index}`)
    return found
  }
  const credit = async () => (await shop.get(id)).credit
  const refund = async (amount?: number) => {
    const uuid = (await order()).transactions?.[0]?.uuid ?? ''
    return payments.refund(caller, { transaction: { uuid }, ...(amount !== undefined && { amount }) })
  }
  const transfer = async () => {
    const row = `2031-06-16,60.00,EUR,,R1,${invoice.number}`
    const content = `booking_date,amount,currency,debtor_iban,bank_reference,remittance\n${row}`
    await transfers.import(caller, { format: 'csv', content })
    const [entry] = inJson(await transfers.entries(caller))
    return entry?.id ?? ''
  }
  const rules = async () => (await shop.breaches()).map(({ rule }) => rule)
  const lose = async (lost: string) => {
    const { number, transactions } = await order()
    return loseDispute(caller.businessId, number, transactions?.[0]?.uuid ?? '', lost)
  }
  return { ...open, planId: id, note, change, order, credit, refund, transfer, rules, lose }
}

/**
 * As `compose.ts` connects it.
 * @returns what wins it after all
 */
async function loseDispute(
  businessId: string,
  orderNumber: string,
  transactionId: string,
  amount: string,
): Promise<() => Promise<void>> {
  const money = Money.ofDecimal('EUR', amount)
  const follow = (lost: Money | null, before: Money | null) =>
    fixture.db.transact(businessId, async (tx) => {
      const change = { orderNumber, transactionId, lost, before }
      await payments.recordLost(tx, change)
      await recurring.handleLostDispute(tx, change)
    })
  await follow(money, null)
  return () => follow(null, money)
}

const SENT = { invoicing: { collection: 'send_invoice', days_until_due: 30 } } as const

test('a change of an unpaid order credits only what a note left of it', async () => {
  const { shop, note, change, order, credit, rules } = await planOf60({}, CARDS.declining)
  await note({ amount: 59 })
  await shop.advance(HALF)
  const { change: changed } = await change(4)
  expect(changed).toMatchObject({ total: 2, credit_added: 0 })
  expect(await order()).toMatchObject({ amount_due: '0.50', billing: { credited_total: 59.5 } })
  expect(await credit()).toBe(0)
  expect(await rules()).toEqual([])
})

test('what a note gave as credit is neither credited by a change nor refunded', async () => {
  const { shop, note, change, refund, credit, rules } = await planOf60()
  await note({ refund: 'credit' })
  await shop.advance(HALF)
  await change(4)
  expect(await credit()).toBe(58)
  expect(await refusalOf(refund(60))).toBe('422 amount_too_large amount')
  expect(await refusalOf(refund())).toBe('422 amount_too_large amount')
  expect(await rules()).toEqual([])
})

test('a refund by hand leaves what a change gave as credit', async () => {
  const { shop, change, refund, order, credit, rules } = await planOf60()
  await shop.advance(HALF)
  await change(4)
  expect(await refusalOf(refund(32.01))).toBe('422 amount_too_large amount')
  await refund()
  expect((await order()).paid_total).toBe('28.00')
  expect(await credit()).toBe(28)
  expect(await rules()).toEqual([])
})

test('a note gives back no more as credit or money than a change left of the payment', async () => {
  const { shop, note, change, credit, rules } = await planOf60()
  await shop.advance(HALF)
  await change(4)
  for (const refund of ['credit', 'payment'] as const) {
    expect(await refusalOf(note({ refund, amount: 32.01 }))).toBe('422 amount_too_large credit_note.amount')
  }
  await note({ refund: 'credit', amount: 32 })
  expect(await credit()).toBe(60)
  expect(await rules()).toEqual([])
})

test('a cancellation refunds only what notes left', async () => {
  const { shop, note, caller, planId, order, rules } = await planOf60()
  await note({ refund: 'credit', amount: 20 })
  await shop.advance(HALF)
  await recurring.cancelAsAsked(caller, planId, { unused: 'refund' })
  await shop.advance('2031-06-30T03:00:00Z')
  expect((await order()).paid_total).toBe('40.00')
  expect(await rules()).toEqual([])
})

test('a refund by hand is its own note where there is no invoice', async () => {
  const shop = await Shop.open(fixture, START)
  const customer = await shop.customer(CARDS.good)
  const { id } = await shop.plan(customer, { recurring_cycles: [await shop.cycle({ price: 60 })] })
  await shop.advance(START)
  const uuid = (await shop.orders(id))[0]?.transactions?.[0]?.uuid ?? ''
  await payments.refund(shop.caller, { transaction: { uuid }, amount: 40 })
  await shop.advance(HALF)
  const items = [{ recurring_item_id: await shop.item(4), quantity: 1 }]
  const { change } = asJson(await recurring.change(shop.caller, id, { recurring_items: items }))
  expect(change).toMatchObject({ credit_added: 8 })
  expect(await shop.breaches()).toEqual([])
})

test('the credit of a payment is taken back when that is undone, and comes again with it', async () => {
  const { shop, caller, change, transfer, order, credit, rules } = await planOf60(SENT)
  const entry = await transfer()
  await shop.advance(HALF)
  await change(10)
  expect(await credit()).toBe(25)
  await transfers.unmatch(caller, entry)
  expect([await credit(), await rules()]).toEqual([0, []])
  await transfers.match(caller, entry, {
    invoices: [{ id: (await order()).billing?.invoice_id ?? '', amount: 60 }],
  })
  expect([await credit(), await rules()]).toEqual([25, []])
  await transfers.unmatch(caller, entry)
  await shop.voidOrder((await order()).number)
  expect([await credit(), await rules()]).toEqual([0, []])
  await shop.advance(NEXT)
  expect(await order(2)).toMatchObject({ initial_total: 10, amount_due: '10.00' })
  expect(await rules()).toEqual([])
})

test('what the plan has spent of credit that is taken back needs a person', async () => {
  const { shop, caller, planId, change, transfer, order, credit, rules } = await planOf60(SENT)
  const entry = await transfer()
  await shop.advance(HALF)
  await change(10)
  await shop.advance(NEXT)
  expect(await credit()).toBe(15)
  await transfers.unmatch(caller, entry)
  expect([await credit(), await rules()]).toEqual([0, []])
  const missing = await fixture.db.transact(caller.businessId, (tx) => recurring.missingCredit(tx, 10))
  expect(missing.map(({ orderId, missing: amount }) => [orderId, amount.toString()])).toEqual([
    [(await order()).number, '10.00'],
  ])
  expect(asJson(await recurring.get(caller, planId)).plan.state).toBe('active')
})

test('the void of the order of a change takes back what that gave', async () => {
  const { shop, change, order, credit, refund, rules } = await planOf60()
  await shop.advance(HALF)
  await change(10)
  await shop.voidOrder((await order(1)).number)
  expect([await credit(), await rules()]).toEqual([0, []])
  await refund(60)
  expect(await rules()).toEqual([])
})

test('a downgrade after the payment of an upgrade was refunded gives nothing for what nobody paid', async () => {
  const { shop, change, refund, order, credit, rules } = await planOf60()
  await shop.advance(HALF)
  await change(120)
  await refund(60)
  await shop.advance('2031-06-30T03:00:00Z')
  expect((await order(1)).paid_total).toBe('30.00')
  await change(4)
  expect([await credit(), await rules()]).toEqual([30, []])
})

test('a lost dispute takes the credit of its payment back, also from what comes later', async () => {
  const { shop, change, credit, rules, lose } = await planOf60()
  await shop.advance(HALF)
  await change(10)
  await lose('50.00')
  expect([await credit(), await rules()]).toEqual([10, []])
  await shop.advance(NEXT)
  expect([await credit(), await rules()]).toEqual([0, []])
})

test('what a dispute lost is given back neither by a note, a refund nor a change that comes after it', async () => {
  const { shop, note, change, credit, refund, rules, lose } = await planOf60()
  await lose('25.00')
  await lose('15.00')
  await note({ refund: 'credit', amount: 12 })
  expect(await refusalOf(note({ refund: 'credit', amount: 8.01 }))).toBe(
    '422 amount_too_large credit_note.amount',
  )
  expect(await refusalOf(refund(8.01))).toMatch(/^422 amount_too_large/)
  await shop.advance(HALF)
  await change(10)
  expect([await credit(), await rules()]).toEqual([20, []])
  await lose('20.00')
  expect([await credit(), await rules()]).toEqual([0, []])
})

test('a dispute that is won after it was lost frees the payment and gives its credit again', async () => {
  const { shop, change, credit, refund, rules, lose } = await planOf60()
  await shop.advance(HALF)
  await change(10)
  const win = await lose('60.00')
  expect([await credit(), await rules()]).toEqual([0, []])
  expect(await refusalOf(refund(1))).toBe('409 nothing_left_to_refund')
  await win()
  expect([await credit(), await rules()]).toEqual([25, []])
  await refund(35)
  expect(await rules()).toEqual([])
})

test('of two payments of an order only the one that no dispute lost is refunded', async () => {
  const shop = await Shop.open(fixture, START)
  const { caller } = shop
  const customer = await shop.customer()
  const token = await shop.bind(customer, CARDS.good)
  const request = { reference_number: 'twice', currency: 'EUR', initial_total: 100, customer_uuid: customer }
  const { number } = inJson(await payments.createOrder(caller, request, false)).order
  const [first, second] = [await shop.pay(number, token, { amount: 60 }), await shop.pay(number, token)]
  await loseDispute(caller.businessId, number, first, '60.00')
  const refund = (uuid: string) => payments.refund(caller, { transaction: { uuid } })
  expect(await refusalOf(refund(first))).toBe('409 nothing_left_to_refund')
  expect(await refusalOf(shop.voidOrder(number))).toBe('409 order_not_voidable')
  expect(inJson(await refund(second)).order).toMatchObject({
    paid_total: '60.00',
    transactions: [{ allow_refund: false, allow_void: false }, { allow_refund: false }, { amount: -40 }],
  })
  expect(await shop.breaches()).toEqual([])
})

/** A one-off invoice of 71.40 that a card has paid; `uuid` is the payment's. */
async function paidInvoice() {
  const { shop, caller, customer, documents } = await openInvoiceShop(fixture, START, { card: CARDS.good })
  const { invoice } = inJson(
    await invoices.create(caller, {
      customer_uuid: customer,
      currency: 'EUR',
      lines: [{ label: 'Set-up', quantity: 1, unit_amount: 60 }],
      collection: 'automatic',
    }),
  )
  await shop.advance(START)
  await expect.poll(async () => (await documents())[0]?.state).toBe('paid')
  expect(invoice.total).toBe(71.4)
  const uuid = (await documents())[0]?.payments?.[0]?.transaction_uuid ?? ''
  return { shop, caller, documents, invoice, uuid }
}

test('of a one-off invoice, too, what several disputes lost is not given back, and the rest is', async () => {
  const { shop, caller, documents, invoice, uuid } = await paidInvoice()
  const note = async (amount: number) =>
    invoices.creditNote(caller, invoice.id, { reason: 'Less', refund: 'payment', amount })
  await loseDispute(caller.businessId, invoice.order_number, uuid, '25.00')
  await loseDispute(caller.businessId, invoice.order_number, uuid, '15.00')
  const refund = async (amount?: number) =>
    payments.refund(caller, { transaction: { uuid }, ...(amount !== undefined && { amount }) })
  expect(await refusalOf(note(31.41))).toBe('422 amount_too_large credit_note.amount')
  expect(await refusalOf(refund(31.41))).toMatch(/^422 amount_too_large/)
  await refund()
  expect((await documents())[0]?.payments).toMatchObject([{ amount: 71.4 }])
  expect((await documents('type = "credit_note"'))[0]?.total).toBe(31.4)
  expect((await shop.breaches()).map(({ rule }) => rule)).toEqual([])
})

test('what replaces a payment that a dispute lost is no overpayment', async () => {
  const { shop, caller, documents, invoice, uuid } = await paidInvoice()
  const { order_number: number } = invoice
  const win = await loseDispute(caller.businessId, number, uuid, '71.40')
  await transfers.pay(caller, invoice.id, { method: 'cash', amount: 80 })
  const overpaid = () =>
    fixture.db.transact(caller.businessId, async (tx) =>
      (await payments.overpaidOrders(tx, { since: '2031-01-01', orderIds: [] }, 10)).map((one) =>
        one.overpaid.toString(),
      ),
    )
  expect([(await documents())[0]?.overpaid, await overpaid()]).toEqual([8.6, ['8.60']])
  await transfers.repay(caller, number, {})
  expect([(await documents())[0]?.overpaid, await overpaid()]).toEqual([0, []])
  expect(await refusalOf(transfers.repay(caller, number, {}))).toBe('409 nothing_overpaid')
  await win()
  expect([(await documents())[0]?.overpaid, await overpaid()]).toEqual([71.4, ['71.40']])
  expect(await shop.breaches()).toEqual([])
})
