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
const AFTER_GRACE = '2031-06-25T02:00:00Z'

/** An invoice of 100.00 of which credit of its plan pays `credit`, and a transfer `paid`, before its grace ends. */
async function partlyPaid({ paid = 40, credit = 0 } = {}) {
  const opened = await openInvoiceShop(fixture, START)
  const { caller, shop, only, plan, price } = opened
  const invoicing = { invoicing: { collection: 'send_invoice' as const, days_until_due: 5 }, grace_period: 3 }
  const { id: planId } = await plan([await price(100, 'inclusive')], invoicing)
  if (credit > 0) await recurring.credit(caller, planId, { amount: credit, note: 'Gift' })
  await shop.advance(START)
  const { id, order_number: number } = await only()
  const payment =
    paid === 0
      ? undefined
      : inJson(await transfers.pay(caller, id, { method: 'cash', amount: paid })).transaction
  const note = async (members: object) =>
    inJson(await invoices.creditNote(caller, id, { reason: 'Less than agreed', ...members }))
  const endGrace = () => shop.advance(AFTER_GRACE)
  /** Another plan of the customer, because the void ends that of the invoice. */
  const otherPlan = async () => (await plan([await price(10)], { start_date: '2031-12-01T00:00:00Z' })).id
  /** What order, invoice, open items, attention and the plan say of it: states, due, over-paid, and credit of the plan. */
  const standing = async () => {
    const invoice = (await opened.documents('type = "invoice"')).at(-1)
    if (invoice === undefined) throw new Error('there is no invoice')
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
    const order = (await shop.orders(planId)).find((one) => one.number === number)
    const { credit: left } = await shop.get(planId)
    return [order?.state, invoice.state, Number(invoice.overpaid), Number(left)]
  }
  return { ...opened, id, number, planId, payment, note, endGrace, otherPlan, standing }
}

test('what a payer had paid and a note no longer asks for is over-paid, also after the end of grace', async () => {
  const { note, endGrace, standing } = await partlyPaid()
  await endGrace()
  expect(await standing()).toEqual(['voided', 'uncollectible', 0, 0])
  const { credit_note: part } = await note({ amount: 20 })
  expect(part.settlement).toEqual({ due: 20, refunded: 0, credited: 0 })
  expect(await standing()).toEqual(['voided', 'uncollectible', 0, 0])
  const { credit_note: rest } = await note({})
  expect(rest.settlement).toEqual({ due: 40, refunded: 0, credited: 0 })
  expect(await standing()).toEqual(['voided', 'credited', 40, 0])
})

test('notes make the same over-paid before and after the end of grace, in one or in many', async () => {
  for (const acts of [
    [20, 'end', 60],
    [20, 60, 'end'],
    ['end', 80],
    ['end', 55, 25],
  ] as const) {
    const { note, endGrace, standing } = await partlyPaid()
    for (const act of acts) await (act === 'end' ? endGrace() : note({ amount: act }))
    expect((await standing())[2]).toBe(20)
  }
})

test('an over-payment of a voided order is repaid once', async () => {
  const { caller, number, note, endGrace, standing } = await partlyPaid()
  await endGrace()
  await note({})
  await transfers.repay(caller, number, { amount: 15 })
  expect((await standing())[2]).toBe(25)
  await transfers.repay(caller, number, {})
  expect(await standing()).toEqual(['voided', 'credited', 0, 0])
  expect(await refusalOf(transfers.repay(caller, number, {}))).toBe('409 nothing_overpaid')
})

test('what was repaid before the note is not over-paid after it', async () => {
  const { caller, number, note, endGrace, standing } = await partlyPaid()
  await endGrace()
  await transfers.repay(caller, number, { amount: 30 })
  await note({})
  expect(await standing()).toEqual(['voided', 'credited', 10, 0])
})

test('an over-payment of a voided order becomes credit of another plan of the customer', async () => {
  const { caller, number, payment, note, endGrace, otherPlan, standing, shop } = await partlyPaid()
  await endGrace()
  await note({})
  const planId = await otherPlan()
  await transfers.moveOverpayment(caller, number, planId)
  expect(await standing()).toEqual(['voided', 'credited', 0, 0])
  expect(Number((await shop.get(planId)).credit)).toBe(40)
  expect(await refusalOf(transfers.undo(caller, payment?.uuid ?? ''))).toBe('409 payment_in_use')
})

test('a payment that was a mistake is undone after the note, and nothing is over-paid', async () => {
  const { caller, payment, note, endGrace, standing } = await partlyPaid()
  await endGrace()
  await note({})
  await transfers.undo(caller, payment?.uuid ?? '')
  expect(await standing()).toEqual(['voided', 'credited', 0, 0])
})

test('a note refunds and credits nothing of a claim that was given up', async () => {
  const { note, endGrace, standing } = await partlyPaid()
  await endGrace()
  expect(await refusalOf(note({ amount: 80, refund: 'payment' }))).toBe('409 refund_by_hand')
  expect(await refusalOf(note({ amount: 80, refund: 'credit' }))).toBe('409 plan_permanently_uncollectible')
  const { credit_note: issued } = await note({ amount: 60, refund: 'credit' })
  expect(issued.settlement).toEqual({ due: 60, refunded: 0, credited: 0 })
  expect(await standing()).toEqual(['voided', 'uncollectible', 0, 0])
})

test.each([
  [[20, 60], 'uncollectible', 20],
  [[60], 'uncollectible', 0],
  [[70, 30], 'credited', 40],
  [[100], 'credited', 40],
] as const)('credit of the plan goes back once, whatever notes follow: %j', async (amounts, state, over) => {
  const { note, endGrace, standing } = await partlyPaid({ credit: 30 })
  await endGrace()
  expect(await standing()).toEqual(['voided', 'uncollectible', 0, 30])
  for (const amount of amounts) await note({ amount })
  expect(await standing()).toEqual(['voided', state, over, 30])
})

test('a note of what credit had paid gives none back a second time', async () => {
  const { caller, number, note, endGrace, standing } = await partlyPaid({ credit: 30, paid: 0 })
  await endGrace()
  await note({ amount: 70 })
  expect(await standing()).toEqual(['voided', 'uncollectible', 0, 30])
  const { credit_note: rest } = await note({ refund: 'credit' })
  expect(rest.settlement).toEqual({ due: 30, refunded: 0, credited: 0 })
  expect(await standing()).toEqual(['voided', 'credited', 0, 30])
  expect(await refusalOf(transfers.repay(caller, number, {}))).toBe('409 nothing_overpaid')
})
