import { expect, test } from 'vitest'
import { adminOf } from '#platform/testing/database'
import { refusalOf } from '#platform/testing/requests'
import { verifyPayments } from '../../payments/testing/fixture.ts'
import { CARDS, createFixture } from '../../billing/testing/fixture.ts'
import { inJson, openInvoiceShop } from '../../billing/testing/invoices.ts'
import { bankTransfersOf, verifyBankTransfers } from '../testing/fixture.ts'

// Proves reference/billing-tax#closed-months.

const fixture = await createFixture()
const { customers, db, invoices, payments, recurring } = fixture
const transfers = bankTransfersOf(
  { ...fixture.shared, customers, invoices, payments },
  recurring.addMovedCredit,
)
const TODAY = '2031-06-15'
const YESTERDAY = '2031-06-14'
const NEXT_DAY = '2031-06-16T02:00:00Z'

async function open() {
  const opened = await openInvoiceShop(fixture, `${TODAY}T02:00:00Z`)
  const { caller, customer, shop, taxes, price } = opened
  const token = await shop.bind(customer, CARDS.good)
  const sent = async () => {
    const { invoice } = await invoices.create(caller, {
      customer_uuid: customer,
      currency: 'EUR',
      lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
      collection: 'send_invoice',
    })
    return inJson(invoice)
  }
  const invoicedPlan = async () => {
    const { id } = await opened.plan([await price(60)])
    await shop.advance(shop.now.toString())
    return id
  }
  const plainPlan = async () => {
    await taxes.editSettings(caller, { legal_entity_id: null, tax: 'none' })
    const { id } = await shop.plan(await shop.customer(CARDS.good))
    await shop.advance(shop.now.toString())
    return id
  }
  const paidByCard = async () => {
    const invoice = await sent()
    return { ...invoice, transaction: await shop.pay(invoice.order_number, token) }
  }
  const paidByHand = async (amount?: number) => {
    const invoice = await sent()
    const paid = await transfers.pay(caller, invoice.id, {
      method: 'cash',
      ...(amount !== undefined && { amount }),
    })
    return { ...invoice, transaction: paid.transaction.uuid }
  }
  const voided = (uuid: string) => payments.voidTransaction(caller, { transaction: { uuid } })
  const cheaper = async (id: string, members: object = {}) => {
    const cheap = await price(30)
    const request = { recurring_items: [{ recurring_item_id: cheap, quantity: 1 }], ...members }
    return { id, request }
  }
  const change = async (id: string, members: object = {}) => {
    const changed = await cheaper(id, members)
    return () => recurring.change(caller, id, changed.request)
  }
  const changePaidFirst = async () => {
    const id = await invoicedPlan()
    const dear = await price(90)
    return () =>
      recurring.changePaidFirst(caller, id, { recurring_items: [{ recurring_item_id: dear, quantity: 1 }] })
  }
  const cancel = (id: string, unused: 'keep' | 'refund') => () =>
    recurring.cancelAsAsked(caller, id, { unused })
  return {
    ...opened,
    token,
    sent,
    invoicedPlan,
    plainPlan,
    paidByCard,
    paidByHand,
    voided,
    change,
    changePaidFirst,
    cancel,
    lock: (date: string) => taxes.editSettings(caller, { locked_until: date }),
    breaches: async () => {
      const own = [verifyBankTransfers(db), verifyPayments(db)].map((verify) =>
        Array.fromAsync(verify(caller.businessId)),
      )
      return [...(await shop.breaches()), ...(await Promise.all(own)).flat()]
    },
  }
}

type Opened = Awaited<ReturnType<typeof open>>
type Act = () => Promise<unknown>

/** Prepares an act while all days are open. */
const COUNTED_TODAY: Readonly<Record<string, (opened: Opened) => Promise<Act>>> = {
  'an invoice': async ({ sent }) => sent,
  'a credit note': async ({ sent, caller }) => {
    const { id } = await sent()
    return () => invoices.creditNote(caller, id, { reason: 'Late' })
  },
  'a reissue': async ({ sent, caller }) => {
    const { id } = await sent()
    return () => invoices.reissue(caller, id, undefined)
  },
  'the issue of a draft': async ({ caller, customer }) => {
    const { invoice } = await invoices.createDraft(caller, {
      customer_uuid: customer,
      currency: 'EUR',
      lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
    })
    return () => invoices.issueDraft(caller, invoice.id ?? '')
  },
  'a payment by hand': async ({ sent, caller }) => {
    const { id } = await sent()
    return () => transfers.pay(caller, id, { method: 'cash' })
  },
  'a repayment': async ({ paidByHand, caller }) => {
    const { order_number: number } = await paidByHand(130)
    return () => transfers.repay(caller, number, {})
  },
  'a write-off': async ({ sent, caller }) => {
    const { id } = await sent()
    return () => transfers.writeOff(caller, id, { reason: 'Insolvent' })
  },
  'an overpayment that becomes credit': async ({ paidByHand, invoicedPlan, caller }) => {
    const { order_number: number } = await paidByHand(130)
    const plan = await invoicedPlan()
    return () => transfers.moveOverpayment(caller, number, plan)
  },
  'a refund': async ({ paidByCard, caller }) => {
    const { transaction: uuid } = await paidByCard()
    return () => payments.refund(caller, { transaction: { uuid } })
  },
  'the void of an invoiced order': async ({ sent, shop }) => {
    const { order_number: number } = await sent()
    return () => shop.voidOrder(number)
  },
  'the void of a card payment': async ({ paidByCard, voided }) => {
    const { transaction } = await paidByCard()
    return () => voided(transaction)
  },
  'the void of an order that a card has paid': async ({ paidByCard, shop }) => {
    const { order_number: number } = await paidByCard()
    return () => shop.voidOrder(number)
  },
  'a change of a plan': async ({ invoicedPlan, change }) => change(await invoicedPlan()),
  'a change that is paid first': ({ changePaidFirst }) => changePaidFirst(),
  'a cancellation that gives back what is unused': async ({ invoicedPlan, cancel }) =>
    cancel(await invoicedPlan(), 'refund'),
  'such a cancellation without invoices': async ({ plainPlan, cancel }) =>
    cancel(await plainPlan(), 'refund'),
  'a cancellation that bills what waits': async ({ invoicedPlan, change, cancel }) => {
    const id = await invoicedPlan()
    await (
      await change(id, { proration: 'next_order' })
    )()
    return cancel(id, 'keep')
  },
}

test.each(Object.entries(COUNTED_TODAY))(
  '%s is refused while today is closed, and is not before',
  async (_act, prepare) => {
    const opened = await open()
    const [refused, allowed] = [await prepare(opened), await prepare(opened)]
    await opened.lock(YESTERDAY)
    await allowed()
    await opened.lock(TODAY)
    expect(await refusalOf(refused())).toContain('409 period_locked')
    expect(await opened.breaches()).toEqual([])
  },
)

const UNDONE: Readonly<Record<string, (opened: Opened) => Promise<Act>>> = {
  'the undo of a payment by hand': async ({ paidByHand, caller }) => {
    const { transaction } = await paidByHand()
    return () => transfers.undo(caller, transaction)
  },
  'the undo of a repayment': async ({ paidByHand, caller }) => {
    const { order_number: number } = await paidByHand(130)
    const { transactions } = inJson(await transfers.repay(caller, number, {}))
    return () => transfers.undo(caller, transactions[0]?.uuid ?? '')
  },
}

test.each(Object.entries(UNDONE))('%s is refused once its day is closed', async (_act, prepare) => {
  const opened = await open()
  const [refused, allowed] = [await prepare(opened), await prepare(opened)]
  await opened.shop.jump(NEXT_DAY)
  await opened.lock(YESTERDAY)
  await allowed()
  await opened.lock(TODAY)
  expect(await refusalOf(refused())).toContain('409 period_locked')
  expect(await opened.breaches()).toEqual([])
})

test('acts that issue nothing and payers are not refused while today is closed', async () => {
  const opened = await open()
  const { caller, shop, token, sent, invoicedPlan, plainPlan, change, cancel, documents } = opened
  const [invoice, released] = [await sent(), await sent()]
  const authorization = await shop.pay(released.order_number, token, { type: 'Authorization' })
  const [later, ending, old] = [await invoicedPlan(), await invoicedPlan(), await invoicedPlan()]
  const [scheduled, plain] = [await change(later, { at: 'period_end' }), await plainPlan()]
  const changed = await change(plain)
  await opened.lock(TODAY)
  const { length } = await documents()
  await shop.pay(invoice.order_number, token)
  await opened.voided(authorization)
  await scheduled()
  await changed().catch((error: unknown) => expect(error).toMatchObject({ reason: 'plan_currency_mixed' }))
  await cancel(ending, 'keep')()
  await recurring.pause(caller, old)
  expect(await documents()).toHaveLength(length)
  await opened.lock('2031-07-31')
  await shop.advance('2031-07-16T02:00:00Z')
  expect((await documents()).length).toBeGreaterThan(length)
  expect(await opened.breaches()).toEqual([])
})

test('verify finds what was recorded on closed days, and not what was there before they were closed', async () => {
  const { caller, shop, taxes, paidByHand } = await open()
  const { transaction } = await paidByHand()
  const node = await adminOf(fixture, caller.businessId)
  const move = (set: string) =>
    node.query(`update transactions set ${set} where business_id = $1 and id = $2`, [
      caller.businessId,
      transaction,
    ])
  const found = async () =>
    (await shop.breaches())
      .filter(({ rule }) => rule === 'closed_days_take_nothing_later')
      .map(({ object }) => object)
  await move(`value_date = '2031-05-31'`)
  await taxes.editSettings(caller, { locked_until: '2031-05-31' })
  await taxes.editSettings(caller, { days_until_due: 7 })
  expect(await found()).toEqual([])
  await move(`created_at = created_at + interval '2 minutes'`)
  expect(await found()).toEqual([transaction])
  await shop.advance(NEXT_DAY)
  await taxes.editSettings(caller, { locked_until: '2031-06-01' })
  expect(await found()).toEqual([])
})
