import { expect, test } from 'vitest'
import { refusalOf } from '#platform/testing/requests'
import { verifyPayments } from '../../payments/testing/fixture.ts'
import { createFixture } from '../../billing/testing/fixture.ts'
import { inJson, openInvoiceShop } from '../../billing/testing/invoices.ts'
import { bankTransfersOf, verifyBankTransfers } from '../testing/fixture.ts'

// Proves reference/billing-invoices#credit-notes, reference/billing-transfers#overpayments.

const fixture = await createFixture()
const { customers, db, invoices, payments, recurring } = fixture
const transfers = bankTransfersOf(
  { ...fixture.shared, customers, invoices, payments },
  recurring.addMovedCredit,
)
const START = '2031-06-15T02:00:00Z'
const RANGE = { from: '2031-06-01', to: '2031-06-30' }

/** An invoice of 60.00 of which credit of the plan has paid 40.00. */
async function partlyPrepaid() {
  const opened = await openInvoiceShop(fixture, START)
  const { caller, shop, only } = opened
  const { id: planId } = await opened.plan([await opened.price(60, 'inclusive')], {
    invoicing: { collection: 'send_invoice', days_until_due: 14 },
  })
  await recurring.credit(caller, planId, { amount: 40, note: 'Gift' })
  await shop.advance(START)
  const { id, order_number: number } = await only()
  const note = async (members: object) =>
    inJson(await invoices.creditNote(caller, id, { reason: 'Less than agreed', ...members }))
  const pay = async (amount: number) =>
    inJson(await transfers.pay(caller, id, { method: 'cash', amount })).transaction
  const orderOf = async () => {
    const found = (await shop.orders(planId)).find((one) => one.number === number)
    if (found === undefined) throw new Error(`there is no order ${number}`)
    return found
  }
  /** What the order, its invoice, the open items, attention and the plan say of it. */
  const standing = async () => {
    const [invoice, order] = [await only(), await orderOf()]
    const { open = [] } = await invoices.report(caller, 'open', {})
    expect(open.map(({ due }) => Number(due))).toEqual(invoice.amount_due === 0 ? [] : [invoice.amount_due])
    const overpaid = await db.transact(caller.businessId, (tx) =>
      payments.overpaidOrders(tx, { since: '2031-06-01', orderIds: [number] }, 10),
    )
    expect(overpaid.map((one) => Number(one.overpaid.toString()))).toEqual(
      invoice.overpaid === 0 ? [] : [invoice.overpaid],
    )
    const own = [verifyBankTransfers(db), verifyPayments(db)].map((verify) =>
      Array.fromAsync(verify(caller.businessId)),
    )
    expect([...(await shop.breaches()), ...(await Promise.all(own)).flat()]).toEqual([])
    const { credit } = await shop.get(planId)
    return [order.state, invoice.state, Number(invoice.amount_due), Number(invoice.overpaid), Number(credit)]
  }
  return { ...opened, id, number, planId, note, pay, standing, order: orderOf }
}

test('a note above what is due makes the rest over-paid, which becomes credit of the plan again', async () => {
  const { caller, number, planId, note, standing, order } = await partlyPrepaid()
  const { credit_note: issued } = await note({ amount: 35 })
  expect(issued.settlement).toEqual({ due: 20, refunded: 0, credited: 0 })
  expect(await standing()).toEqual(['completed', 'paid', 0, 15, 0])
  expect(await order()).toMatchObject({ correspondence_state: 'over_paid', billing: { credited_total: 35 } })
  expect(await refusalOf(transfers.repay(caller, number, {}))).toBe('422 amount_too_large repayment.amount')
  await transfers.moveOverpayment(caller, number, planId)
  expect(await standing()).toEqual(['completed', 'paid', 0, 0, 15])
  await note({})
  expect(await standing()).toEqual(['completed', 'credited', 0, 25, 15])
  const { taxes = [] } = await invoices.report(caller, 'taxes', RANGE)
  expect(taxes.map(({ net, tax, documents }) => [Number(net), Number(tax), documents])).toEqual([[0, 0, 3]])
})

test.each([
  ['none', 15, 0],
  ['credit', 0, 15],
] as const)('notes and one note together give back the same with refund %s', async (refund, over, credit) => {
  for (const amounts of [[35], [20, 15], [5, 30]]) {
    const { note, standing } = await partlyPrepaid()
    for (const amount of amounts) await note({ amount, refund })
    expect(await standing()).toEqual(['completed', 'paid', 0, over, credit])
  }
})

test('what came by hand can be repaid, and the rest becomes credit of the plan', async () => {
  for (const acts of [
    ['pay', 'note'],
    ['note', 'pay'],
  ]) {
    const { caller, number, planId, note, pay, standing } = await partlyPrepaid()
    for (const act of acts) await (act === 'pay' ? pay(10) : note({ amount: 35 }))
    expect(await standing()).toEqual(['completed', 'paid', 0, 25, 0])
    await transfers.repay(caller, number, { amount: 10 })
    expect(await standing()).toEqual(['refunded', 'paid', 0, 15, 0])
    await transfers.moveOverpayment(caller, number, planId)
    expect(await standing()).toEqual(['refunded', 'paid', 0, 0, 15])
  }
})

test('the payment of an order that a note closed can be undone', async () => {
  const { caller, note, pay, standing } = await partlyPrepaid()
  await note({ amount: 35 })
  const { uuid } = await pay(10)
  await transfers.undo(caller, uuid)
  expect(await standing()).toEqual(['completed', 'paid', 0, 15, 0])
})

test.each(['write off first', 'note first'])(
  'nothing that was written off is over-paid: %s',
  async (order) => {
    const { caller, id, note, standing } = await partlyPrepaid()
    const writeOff = () => transfers.writeOff(caller, id, { amount: 8, reason: 'Cents' })
    if (order === 'write off first') {
      await writeOff()
      await note({ amount: 35 })
      expect(await standing()).toEqual(['completed', 'paid', 0, 23, 0])
      await note({})
      expect(await standing()).toEqual(['completed', 'credited', 0, 40, 0])
    } else {
      await note({ amount: 12 })
      await writeOff()
      expect(await standing()).toEqual(['completed', 'paid', 0, 0, 0])
      await note({ amount: 23 })
      expect(await standing()).toEqual(['completed', 'paid', 0, 23, 0])
    }
  },
)

test('an invoice that credit paid in part and of which the rest is written off is paid', async () => {
  const { caller, id, standing } = await partlyPrepaid()
  await transfers.writeOff(caller, id, { reason: 'Cents' })
  expect(await standing()).toEqual(['completed', 'paid', 0, 0, 0])
})

test('the void of an order gives the credit back once, whatever notes made over-paid', async () => {
  const { note, shop, number, standing } = await partlyPrepaid()
  await note({ amount: 35 })
  await shop.voidOrder(number)
  expect(await standing()).toEqual(['voided', 'credited', 0, 0, 40])
})

test('what moved to credit is not given back by a void', async () => {
  const { caller, note, shop, number, planId, standing } = await partlyPrepaid()
  await note({ amount: 35 })
  await transfers.moveOverpayment(caller, number, planId)
  expect(await refusalOf(shop.voidOrder(number))).toBe('409 payment_in_use')
  expect(await standing()).toEqual(['completed', 'paid', 0, 0, 15])
})

test('no payment is promised a refund of what credit has paid', async () => {
  const { note, pay, standing } = await partlyPrepaid()
  expect(await refusalOf(note({ amount: 35, refund: 'payment' }))).toBe(
    '409 refund_not_possible credit_note.refund',
  )
  await pay(10)
  expect(await refusalOf(note({ amount: 35, refund: 'payment' }))).toBe('409 refund_by_hand')
  expect(await standing()).toEqual(['open', 'open', 10, 0, 0])
})
