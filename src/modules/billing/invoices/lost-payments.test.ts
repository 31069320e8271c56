import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RequestError } from '#kernel/errors'
import { refusalOf } from '#platform/testing/requests'
import { asJson, CARDS, createFixture } from '../testing/fixture.ts'
import { inJson, openInvoiceShop } from '../testing/invoices.ts'

// Proves reference/billing-invoices#lost-payments, reference/billing-changes#once, reference/billing-reports#open-items.

const fixture = await createFixture()
const { db, invoices, payments, recurring } = fixture
const START = '2031-06-15T02:00:00Z'
const NEXT = '2031-07-15T02:00:00Z'

const failed = new Set<string>()
fixture.shared.acquirers.laterFailure = async (_tx, _account, { key }) =>
  failed.has(key) ? { responseCode: 'capture_failed', responseMessage: 'Capture Failed' } : null

/** An order of 60.00 of a plan, which a card has paid. */
async function paidOrder() {
  const open = await openInvoiceShop(fixture, START, { card: CARDS.good })
  const { caller, customer, documents, shop } = open
  const { id: planId } = await open.plan([await open.price(60, 'inclusive')], {
    payment_retry_day_period: 60,
    grace_period: null,
  })
  await shop.advance(START)
  const { id, number, order_number: orderNumber } = await open.only()
  const order = async () => {
    const found = (await shop.orders(planId)).find((one) => one.number === orderNumber)
    if (found === undefined) throw new Error(`there is no order ${orderNumber}`)
    return found
  }
  const refund = async (amount: number) =>
    payments.refund(caller, { transaction: { uuid: await uuidOfPayment() }, amount })
  const uuidOfPayment = async () =>
    (await order()).transactions?.findLast(({ type, success }) => type === 'Sales' && success)?.uuid ?? ''
  const lose = {
    void: async () =>
      void (await payments.voidTransaction(caller, { transaction: { uuid: await uuidOfPayment() } })),
    'late failure': async () => {
      const key = await uuidOfPayment()
      failed.add(key)
      const notice = { accountId: 'simulator', subject: { kind: 'failure', reference: 'PSP1', key } } as const
      await db.transact(caller.businessId, (tx) => payments.handleNotice(tx, notice))
    },
  }
  const openAt = async (at?: string) => {
    const query = at === undefined ? {} : { at }
    const { open: items = [] } = await invoices.report(caller, 'open', query)
    const { rows = [] } = await invoices.report(caller, 'open/rows', query)
    const own = rows.filter((row) => row['number'] === number)
    const due = Number(items.find((item) => item['number'] === number)?.['due'] ?? 0)
    expect(own.reduce((sum, { amount }) => sum + Number(amount), 0)).toBeCloseTo(due)
    return due
  }
  const inSheet = async () => {
    const range = { from: '2031-06-01', to: '2031-06-30' }
    const [, ...lines] = await invoices.spreadsheet(caller, { ...range, columns: 'number,amount_due' })
    return Number(lines.find((line) => line.startsWith(`${number},`))?.split(',')[1])
  }
  /** What the order, its invoice, the open items and the spreadsheet ask for, beside the plan's credit. */
  const standing = async () => {
    const invoice = (await documents()).find((one) => one.id === id)
    const { state, amount_due: due } = await order()
    expect(invoice?.amount_due).toBe(state === 'open' ? Number(due) : 0)
    expect([await openAt(), await inSheet()]).toEqual([invoice?.amount_due, invoice?.amount_due])
    expect(await shop.breaches()).toEqual([])
    return [state, invoice?.state, invoice?.amount_due, Number((await shop.get(planId)).credit)]
  }
  const note = (members: object) =>
    invoices.creditNote(caller, id, { reason: 'Less than agreed', refund: 'credit', ...members })
  const token = await shop.bind(customer, CARDS.good)
  const pay = (amount?: number) => shop.pay(orderNumber, token, amount === undefined ? {} : { amount })
  const voidOrder = () => shop.voidOrder(orderNumber)
  const missing = async () =>
    (await db.transact(caller.businessId, (tx) => recurring.missingCredit(tx, 10))).map(
      ({ missing: amount }) => amount.toString(),
    )
  const taxOfJune = async () => {
    const { taxes = [] } = await invoices.report(caller, 'taxes', { from: '2031-06-01', to: '2031-06-30' })
    return taxes.reduce((sum, { tax }) => sum + Number(tax), 0)
  }
  return {
    ...open,
    planId,
    id,
    order,
    lose,
    openAt,
    standing,
    note,
    pay,
    refund,
    voidOrder,
    missing,
    taxOfJune,
  }
}

test.each([
  ['void', 20],
  ['void', 60],
  ['late failure', 20],
  ['late failure', 60],
] as const)(
  'after a %s the invoice asks for what its order asks for, and paying gives a note of %i as credit again',
  async (how, amount) => {
    const { lose, note, pay, standing, taxOfJune } = await paidOrder()
    await note({ amount })
    const paid = amount === 60 ? 'credited' : 'paid'
    expect(await standing()).toEqual(['completed', paid, 0, amount])
    const tax = await taxOfJune()
    await lose[how]()
    expect(await standing()).toEqual(['open', 'open', 60, 0])
    await pay(25)
    expect(await standing()).toEqual(['open', 'open', 35, Math.min(25, amount)])
    await pay()
    expect(await standing()).toEqual(['completed', paid, 0, amount])
    await lose[how]()
    await lose[how]()
    expect(await standing()).toEqual(['open', 'open', 60, 0])
    expect(await taxOfJune()).toBeCloseTo(tax)
  },
)

test('what a lost payment leaves of another one covers the credit first', async () => {
  const { lose, note, pay, standing, voidOrder } = await paidOrder()
  await lose.void()
  await pay(35)
  await pay(25)
  await note({ amount: 40 })
  await lose.void()
  expect(await standing()).toEqual(['open', 'open', 25, 35])
  await pay()
  expect(await standing()).toEqual(['completed', 'paid', 0, 40])
  await lose.void()
  await voidOrder()
  expect(await standing()).toEqual(['voided', 'credited', 0, 0])
})

test.each([20, 60])(
  'credit of a note of %i that was spent is under attention until the order is paid again',
  async (amount) => {
    const { shop, planId, lose, note, pay, standing, missing } = await paidOrder()
    await note({ amount })
    await shop.advance(NEXT)
    expect((await shop.orders(planId))[1]?.state).toBe('completed')
    await lose['late failure']()
    expect(await standing()).toEqual(['open', 'open', 60, 0])
    expect(await missing()).toEqual([`${amount}.00`])
    await pay()
    expect(await standing()).toEqual(['completed', amount === 60 ? 'credited' : 'paid', 0, 0])
    expect(await missing()).toEqual([])
  },
)

test('the next note lowers what is due again, and what it leaves is paid or voided', async () => {
  const { lose, note, pay, standing, voidOrder, documents } = await paidOrder()
  await note({ amount: 20 })
  await lose.void()
  await note({ amount: 30 })
  expect(await standing()).toEqual(['open', 'open', 30, 0])
  expect(await refusalOf(note({ amount: 10.01 }))).toBe('422 amount_too_large credit_note.amount')
  await note({})
  expect(await standing()).toEqual(['open', 'open', 20, 0])
  expect(await refusalOf(note({}))).toBe('409 nothing_left_to_credit')
  await pay()
  expect(await standing()).toEqual(['completed', 'credited', 0, 20])
  await lose.void()
  await voidOrder()
  expect(await standing()).toEqual(['voided', 'credited', 0, 0])
  const notes = await documents('type = "credit_note"')
  expect(notes.map(({ total }) => total)).toEqual([20, 30, 10])
})

test.each([
  [20, [20, 40]],
  [60, [60]],
] as const)(
  'the void of the order credits what a note of %i left, and asks for nothing',
  async (amount, totals) => {
    const { lose, note, standing, voidOrder, documents, taxOfJune } = await paidOrder()
    await note({ amount })
    await lose.void()
    await voidOrder()
    expect(await standing()).toEqual(['voided', 'credited', 0, 0])
    const notes = await documents('type = "credit_note"')
    expect(notes.map(({ total }) => total)).toEqual(totals)
    expect(await taxOfJune()).toBeCloseTo(0)
  },
)

test('a void of the order with its payment takes the credit of a note back', async () => {
  const { note, standing, voidOrder } = await paidOrder()
  await note({ amount: 20 })
  await voidOrder()
  expect(await standing()).toEqual(['voided', 'credited', 0, 0])
})

test('a note after the payment was lost gives no credit, and the void of the payment after a second note takes both', async () => {
  const { lose, note, pay, standing } = await paidOrder()
  await lose.void()
  const { credit_note: first } = inJson(await note({ amount: 20 }))
  expect(first).toMatchObject({ settlement: { due: 20, credited: 0 } })
  expect(await standing()).toEqual(['open', 'open', 40, 0])
  await pay()
  await note({ amount: 10 })
  expect(await standing()).toEqual(['completed', 'paid', 0, 10])
  await lose.void()
  expect(await standing()).toEqual(['open', 'open', 40, 0])
})

test('a change and a note, both as credit, are taken back together', async () => {
  const { caller, shop, planId, price, lose, note, pay, standing } = await paidOrder()
  await note({ amount: 20 })
  await shop.advance('2031-06-15T03:00:00Z')
  const recurring_items = [{ recurring_item_id: await price(30, 'inclusive'), quantity: 1 }]
  asJson(await recurring.change(caller, planId, { recurring_items }))
  const [, , , credit] = await standing()
  expect(credit).toBeGreaterThan(20)
  await lose.void()
  expect(await standing()).toEqual(['open', 'open', 60, 0])
  await pay()
  expect(await standing()).toEqual(['completed', 'paid', 0, credit])
})

test('open items of an earlier day ask for what was due then', async () => {
  const { shop, lose, note, openAt, pay, standing } = await paidOrder()
  await note({ amount: 20 })
  await lose.void()
  await shop.advance('2031-06-20T02:00:00Z')
  await pay()
  await shop.advance('2031-06-25T02:00:00Z')
  await note({ amount: 5 })
  expect([await openAt('2031-06-16'), await openAt('2031-06-20'), await openAt('2031-06-25')]).toEqual([
    60, 0, 0,
  ])
  expect(await standing()).toEqual(['completed', 'paid', 0, 25])
})

const act = fc.record({
  kind: fc.constantFrom(
    ...([
      'note',
      'note',
      'void',
      'late failure',
      'pay',
      'pay',
      'refund',
      'change',
      'month',
      'void order',
    ] as const),
  ),
  amount: fc.integer({ min: 1, max: 60 }),
})

test('whatever is paid, lost, noted, changed, refunded and spent, invoice, order, open items and spreadsheet agree', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 12 }), async (acts) => {
      const { caller, shop, planId, price, lose, note, pay, refund, standing, voidOrder } = await paidOrder()
      const work = {
        note: (amount: number) => note({ amount, refund: amount % 4 === 0 ? 'none' : 'credit' }),
        void: lose.void,
        'late failure': lose['late failure'],
        pay,
        refund,
        change: async (amount: number) => {
          const recurring_items = [{ recurring_item_id: await price(amount, 'inclusive'), quantity: 1 }]
          await recurring.change(caller, planId, { recurring_items })
        },
        month: () => shop.advance(shop.now.add({ hours: 24 * 31 }).toString()),
        'void order': voidOrder,
      }
      for (const { kind, amount } of acts) {
        try {
          await work[kind](amount)
        } catch (error) {
          // What the state forbids is refused.
          if (!(error instanceof RequestError) || ![402, 404, 409, 422].includes(error.status)) throw error
        }
        await standing()
      }
    }),
    { numRuns: 8 },
  )
}, 300_000)
