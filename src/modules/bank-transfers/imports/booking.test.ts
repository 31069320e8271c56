import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import type { Breach } from '#platform/verify'
import { reasonOf, refusalOf } from '#platform/testing/requests'
import { verifyPayments } from '../../payments/testing/fixture.ts'
import { CARDS, createFixture } from '../../billing/testing/fixture.ts'
import { inJson, openInvoiceShop } from '../../billing/testing/invoices.ts'
import { camt053 } from '../testing/camt.ts'
import { bankTransfersOf, verifyBankTransfers } from '../testing/fixture.ts'

// Proves reference/billing-transfers#statements, reference/billing-transfers#matching, reference/billing-transfers#booking,
// reference/billing-transfers#by-hand, reference/billing-transfers#returns.

const fixture = await createFixture()
const { admin, customers, db, invoices, payments } = fixture
const transfers = bankTransfersOf({ ...fixture.shared, customers, invoices, payments })
const START = '2031-06-15T02:00:00Z'
const SENT = { collection: 'send_invoice', days_until_due: 14 } as const

interface Row {
  readonly remittance: string
  readonly amount: string
  readonly iban?: string
  readonly reference?: string
}

const csv = (rows: readonly Row[]) =>
  [
    'booking_date,amount,currency,debtor_iban,bank_reference,remittance',
    ...rows.map(
      (row) => `2031-06-16,${row.amount},EUR,${row.iban ?? ''},${row.reference ?? ''},${row.remittance}`,
    ),
  ].join('\n')

async function open() {
  const opened = await openInvoiceShop(fixture, START)
  const { caller, customer, shop } = opened
  const create = async (members: object = SENT) => {
    const request = {
      customer_uuid: customer,
      currency: 'EUR',
      lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
      ...members,
    }
    return inJson(await invoices.create(caller, request)).invoice
  }
  const post = async (content: string, format: 'camt053' | 'csv' = 'csv') =>
    inJson(await transfers.import(caller, { format, content })).bank_statement
  const order = async (number: string) => {
    const found = await db.transact(caller.businessId, async (tx) => {
      const read = (await payments.findOrders(tx, [number])).get(number)
      return read && payments.renderOrder(read.order, read.transactions, tx.now)
    })
    if (found === undefined) throw new Error(`there is no order ${number}`)
    return inJson(found)
  }
  const invoice = async (id: string) => inJson(await invoices.get(caller, id)).invoice
  const entries = async (filter?: string) => inJson(await transfers.entries(caller, filter)).toReversed()
  const breaches = async (): Promise<Breach[]> => {
    const own = [verifyBankTransfers(db), verifyPayments(db)].map((verify) =>
      Array.fromAsync(verify(caller.businessId)),
    )
    return [...(await shop.breaches()), ...(await Promise.all(own)).flat()]
  }
  return { ...opened, create, post, order, invoice, entries, breaches }
}

test('a transfer that names an invoice pays it, with the events of the order, the invoice and the entry', async () => {
  const { create, post, order, invoice, entries, typesOf, breaches } = await open()
  const sent = await create()
  const content = camt053([
    {
      amount: '119.00',
      reference: 'B-1',
      details: [{ debtorName: 'Ada', debtorIban: 'DE02 1203 0000 0000 2020 51', remittance: sent.number }],
    },
  ])
  expect(await post(content, 'camt053')).toMatchObject({ entries: 1, new: 1, matched: 1, unmatched: 0 })
  const [entry] = await entries()
  expect(entry).toMatchObject({
    state: 'matched',
    booking_date: '2027-06-15',
    amount: 119,
    currency: 'EUR',
    debtor_name: 'Ada',
    debtor_iban: 'DE02120300000000202051',
    bank_reference: 'B-1',
    remittance: sent.number,
    invoices: [{ id: sent.id, number: sent.number, amount: 119 }],
    returned_on: null,
  })
  expect(await invoice(sent.id)).toMatchObject({
    state: 'paid',
    amount_due: 0,
    payments: [{ payer_name: 'Ada', reference: 'B-1' }],
  })
  const paid = await order(sent.order_number)
  expect(paid).toMatchObject({ state: 'completed', correspondence_state: 'paid', paid_total: '119.00' })
  expect(paid.transactions).toMatchObject([
    {
      type: 'Sales',
      value_date: '2027-06-15',
      success: true,
      amount: 119,
      payment_method: 'bank_transfer',
      allow_void: false,
      allow_refund: false,
      payment_data: { acquirer_type: 'bank', new_gateway_txn_id: 'B-1', transaction_state: 'succeeded' },
    },
  ])
  expect(await typesOf(sent.order_number)).toEqual(['order.created', 'transaction.succeeded', 'order.paid'])
  expect(await typesOf(sent.id)).toEqual(['invoice.issued', 'invoice.paid'])
  expect(await typesOf(entry?.id ?? '')).toEqual(['bank_entry.matched'])
  expect(await post(content, 'camt053')).toMatchObject({ entries: 1, new: 0, matched: 0, unmatched: 0 })
  expect(await breaches()).toEqual([])
})

test('transfers of less or more than is due are booked whole, invoices that sum to one are each paid, and others wait', async () => {
  const { create, post, order, invoice, entries, breaches } = await open()
  const [less, more, first, second, paid] = [
    await create(),
    await create(),
    await create(),
    await create(),
    await create(),
  ]
  const iban = 'FR7630006000011234567890189'
  const statement = csv([
    { remittance: less.payment_reference, amount: '19.00', iban },
    { remittance: more.number.replaceAll('-', ' ').toLowerCase(), amount: '200.00' },
    { remittance: `${first.number} + ${second.number}`, amount: '238.00' },
    { remittance: 'thank you', amount: '119.00', iban },
    { remittance: 'thank you', amount: '7.00', iban },
  ])
  expect(await post(statement)).toMatchObject({ entries: 5, new: 5, matched: 3, unmatched: 2 })
  expect(await invoice(less.id)).toMatchObject({ state: 'open', amount_due: 100 })
  expect(await order(more.order_number)).toMatchObject({
    correspondence_state: 'over_paid',
    paid_total: '200.00',
  })
  expect(await invoice(more.id)).toMatchObject({ state: 'paid', amount_due: 0 })
  expect([(await invoice(first.id)).state, (await invoice(second.id)).state]).toEqual(['paid', 'paid'])
  expect(await entries('state != "matched"')).toMatchObject([
    { state: 'suggested', invoices: [{ id: paid.id, number: paid.number, amount: 119 }] },
    { state: 'unmatched', invoices: [] },
  ])
  const again = csv([{ remittance: more.number, amount: '1.00' }])
  expect(await post(again)).toMatchObject({ matched: 0, unmatched: 1 })
  expect(await breaches()).toEqual([])
})

test('any overlap of statements counts each transfer once, and equal transfers each', async () => {
  const { create, post, entries, breaches } = await open()
  const sent = await create()
  const all: Row[] = [
    ...Array.from({ length: 4 }, () => ({ remittance: sent.number, amount: '1.00' })),
    ...Array.from({ length: 4 }, (_, index) => ({ remittance: 'x', amount: '2.00', reference: `R${index}` })),
  ]
  const range = fc
    .tuple(fc.nat(4), fc.nat({ max: 8 }))
    .map(([from, to]) => [from, Math.max(from, to)] as const)
  // A statement that begins among equal transfers without a reference does not show which of them it has.
  const overlaps =
    fc.sample(fc.array(range, { minLength: 3, maxLength: 6 }), { numRuns: 1, seed: 41 })[0] ?? []
  const parts = overlaps.map(([from, to]) =>
    from === 0 ? all.slice(0, to) : all.slice(Math.max(4, from), to),
  )
  const posted = await Promise.all(
    [...parts, all].filter((part) => part.length > 0).map((part) => post(csv(part))),
  )
  expect(posted.reduce((sum, statement) => sum + statement.new, 0)).toBe(8)
  expect(await entries()).toHaveLength(8)
  expect(await entries('state = "matched"')).toHaveLength(4)
  expect(await breaches()).toEqual([])
})

test('a plan that is past due is active again once a transfer pays, and past due once the transfer is returned', async () => {
  const { shop, plan, price, only, post, entries, order, invoice, breaches } = await open()
  const { id } = await plan([await price(100)], {
    grace_period: 90,
    invoicing: { collection: 'send_invoice', days_until_due: 0 },
  })
  await shop.advance('2031-06-16T02:00:00Z')
  expect((await shop.get(id)).state).toBe('past_due')
  const sent = await only()
  const transfer = {
    amount: '119.00',
    date: '2031-06-16',
    details: [{ endToEndId: 'E-1', remittance: sent.number }],
  }
  await post(camt053([{ ...transfer, reference: 'B-1' }]), 'camt053')
  expect((await shop.get(id)).state).toBe('active')
  const back = {
    amount: '119.00',
    direction: 'DBIT',
    reversal: true,
    date: '2031-06-18',
    reference: 'B-2',
  } as const
  const returned = camt053([{ ...back, details: [{ endToEndId: 'E-1' }] }])
  expect(await post(returned, 'camt053')).toMatchObject({ entries: 0, new: 0 })
  const [entry] = await entries()
  expect(entry).toMatchObject({ state: 'unmatched', returned_on: '2031-06-18', invoices: [] })
  expect(await invoice(sent.id)).toMatchObject({ state: 'open', amount_due: 119 })
  const reopened = await order(sent.order_number)
  expect(reopened).toMatchObject({ state: 'open', paid_total: '0.00', amount_due: '119.00' })
  expect(reopened.transactions).toMatchObject([
    {
      success: false,
      note: 'Returned by the bank on 2031-06-18',
      payment_data: { transaction_state: 'voided' },
    },
  ])
  await shop.advance('2031-06-16T02:00:01Z')
  expect((await shop.get(id)).state).toBe('past_due')
  await post(returned, 'camt053')
  expect(await order(sent.order_number)).toMatchObject({ state: 'open', paid_total: '0.00' })
  const { caller } = shop
  const again = transfers.match(caller, entry?.id ?? '', { invoices: [{ id: sent.id, amount: 119 }] })
  expect(await reasonOf(again)).toBe('match_invalid')
  expect(await breaches()).toEqual([])
})

test('a transfer whose invoice was reissued is returned or unmatched, and the new invoice is due again', async () => {
  const { caller, create, post, order, entries, invoice, breaches } = await open()
  const { id, number, order_number: orderNumber } = await create()
  const transfer = (amount: string, endToEndId: string) => ({
    amount,
    date: '2031-06-16',
    reference: `IN-${endToEndId}`,
    details: [{ endToEndId, remittance: number }],
  })
  await post(camt053([transfer('60.00', 'E-1'), transfer('59.00', 'E-2')]), 'camt053')
  const { invoice: reissued } = inJson(await invoices.reissue(caller, id, undefined))
  expect(await invoice(reissued.id)).toMatchObject({ state: 'paid', amount_due: 0 })
  const back = { amount: '60.00', direction: 'DBIT', date: '2031-06-18', reference: 'OUT' } as const
  await post(camt053([{ ...back, details: [{ endToEndId: 'E-1', returned: true }] }]), 'camt053')
  expect(await order(orderNumber)).toMatchObject({ paid_total: '59.00', amount_due: '60.00' })
  const [first, second] = await entries()
  expect(first).toMatchObject({ state: 'unmatched', returned_on: '2031-06-18', invoices: [] })
  await transfers.unmatch(caller, second?.id ?? '')
  expect(await invoice(reissued.id)).toMatchObject({ state: 'open', amount_due: 119 })
  expect(await breaches()).toEqual([])
})

test('a return that comes before its credit undoes it, too', async () => {
  const { create, post, entries, invoice, breaches } = await open()
  const sent = await create()
  const details = [{ endToEndId: 'E-9', remittance: sent.number }]
  await post(
    camt053([
      {
        amount: '119.00',
        direction: 'DBIT',
        date: '2031-06-18',
        details: [{ ...details[0], returned: true }],
      },
    ]),
    'camt053',
  )
  await post(camt053([{ amount: '119.00', date: '2031-06-16', details }]), 'camt053')
  expect(await entries()).toMatchObject([{ state: 'unmatched', returned_on: '2031-06-18' }])
  expect(await invoice(sent.id)).toMatchObject({ state: 'open', amount_due: 119 })
  expect(await breaches()).toEqual([])
})

const PAYERS = { ada: 'DE02120300000000202051', bob: 'FR7630006000011234567890189' } as const

const transferBy = (payer: keyof typeof PAYERS, remittance: string) => ({
  amount: '119.00',
  date: '2031-06-16',
  reference: `BANK-${payer}`,
  details: [{ endToEndId: 'E-1', debtorName: payer, debtorIban: PAYERS[payer], remittance }],
})

const returned = (members: object, reference = 'BACK-1') => ({
  amount: '119.00',
  date: '2031-06-18',
  direction: 'DBIT' as const,
  reference,
  details: [{ endToEndId: 'E-1', returned: true, ...members }],
})

test.each([
  ['the debtor', { debtorIban: PAYERS.ada }],
  ['the creditor, to whom it goes back', { debtorIban: 'DE89370400440532013000', creditorIban: PAYERS.ada }],
])('a return that names the first payer as %s leaves the transfer of the second', async (_, members) => {
  const { create, post, invoice, entries, breaches } = await open()
  const [one, two] = [await create(), await create()]
  const statements = [[transferBy('ada', one.number)], [returned(members)], [transferBy('bob', two.number)]]
  for (const statement of statements) await post(camt053(statement), 'camt053')
  expect([(await invoice(one.id)).state, (await invoice(two.id)).state]).toEqual(['open', 'paid'])
  expect(await entries()).toMatchObject([
    { state: 'unmatched', returned_on: '2031-06-18' },
    { state: 'matched', returned_on: null },
  ])
  expect(await breaches()).toEqual([])
})

test('a return that names neither of two payers undoes none, until a person ignores the transfer that came back', async () => {
  const { caller, create, post, invoice, entries, breaches } = await open()
  const [one, two] = [await create(), await create()]
  const statement = [transferBy('ada', one.number), transferBy('bob', two.number), returned({})]
  await post(camt053(statement), 'camt053')
  const [ada, bob] = await entries()
  expect([(await invoice(one.id)).state, (await invoice(two.id)).state]).toEqual(['paid', 'paid'])
  expect(await transfers.ambiguousReturns(caller)).toMatchObject([
    { entryId: bob?.id, endToEndId: 'E-1', bookedOn: '2031-06-18' },
  ])
  expect(await breaches()).toEqual([])
  await transfers.unmatch(caller, ada?.id ?? '')
  expect(await transfers.ambiguousReturns(caller)).toHaveLength(1)
  expect(inJson(await transfers.ignore(caller, ada?.id ?? '')).bank_entry).toMatchObject({
    state: 'ignored',
    returned_on: '2031-06-18',
  })
  expect(await transfers.ambiguousReturns(caller)).toEqual([])
  expect([(await invoice(one.id)).state, (await invoice(two.id)).state]).toEqual(['open', 'paid'])
  expect(await breaches()).toEqual([])
})

test('the return of the second payer leaves one payer for a return that names none', async () => {
  const { caller, create, post, invoice, breaches } = await open()
  const [one, two] = [await create(), await create()]
  await post(camt053([transferBy('ada', one.number), transferBy('bob', two.number), returned({})]), 'camt053')
  await post(camt053([returned({ debtorIban: PAYERS.bob }, 'BACK-2')]), 'camt053')
  expect([(await invoice(one.id)).state, (await invoice(two.id)).state]).toEqual(['open', 'open'])
  expect(await transfers.ambiguousReturns(caller)).toEqual([])
  expect(await breaches()).toEqual([])
})

test.each(['csv', 'camt053'] as const)(
  'the same transfer in CSV and camt.053 is booked once, %s first, and its return undoes it',
  async (first) => {
    const { create, post, order, invoice, entries, breaches } = await open()
    const sent = await create()
    const transfer = transferBy('ada', sent.number)
    const contents = {
      csv: csv([{ remittance: sent.number, amount: '119.00', reference: transfer.reference }]),
      camt053: camt053([transfer]),
    }
    const second = first === 'csv' ? 'camt053' : 'csv'
    const counts = []
    for (const format of [first, second, first, second] as const)
      counts.push((await post(contents[format], format)).new)
    expect(counts).toEqual([1, 0, 0, 0])
    expect(await entries()).toHaveLength(1)
    expect(await order(sent.order_number)).toMatchObject({ paid_total: '119.00' })
    await post(camt053([returned({ debtorIban: PAYERS.ada })]), 'camt053')
    expect(await invoice(sent.id)).toMatchObject({ state: 'open', amount_due: 119 })
    expect(await breaches()).toEqual([])
  },
)

// Proves reference/billing-transfers#suggestions.
test('an entry is suggested what its remittance, amount, payer or name leads to, until it is matched', async () => {
  const { caller, customer, create, post } = await open()
  const iban = 'FR7630006000011234567890189'
  const [paid, due, other] = [
    await create(),
    await create(),
    await create({ ...SENT, lines: [{ label: 'Tea', quantity: 1, unit_amount: 10 }] }),
  ]
  await post(csv([{ remittance: paid.number, amount: '119.00', iban }]))
  await post(
    csv([
      { remittance: 'thank you', amount: '119.00' },
      { remittance: `${other.number} ${due.number}`, amount: '7.00' },
      { remittance: 'thank you', amount: '5.00', iban },
      { remittance: 'x'.repeat(200), amount: '1234.00' },
    ]),
  )
  const named =
    'booking_date,amount,currency,debtor_name,remittance\n2031-06-16,3.00,EUR,"LOVELACE, Ada",hello'
  await post(named)
  const read = async () =>
    inJson(await transfers.entries(caller, 'state != "matched"', true))
      .toReversed()
      .map(({ suggestions = [] }) =>
        suggestions.map(({ invoices: all, reasons }) => [all[0]?.number, ...reasons]),
      )
  const byPayer = [due, other].map(({ number }) => [number, 'payer'])
  expect(await read()).toEqual([
    [[due.number, 'amount']],
    [
      [due.number, 'reference'],
      [other.number, 'reference'],
    ],
    byPayer,
    [],
    [due, other].map(({ number }) => [number, 'name']),
  ])
  const [first] = inJson(await transfers.entries(caller, 'amount = 119 AND state != "matched"', true))
  expect(first?.suggestions).toEqual([
    {
      invoices: [
        { id: due.id, number: due.number, order_number: due.order_number, amount_due: 119, amount: 119 },
      ],
      customer_uuid: customer,
      customer_name: due.buyer.name,
      reasons: ['amount'],
    },
  ])
  const shares =
    first?.suggestions?.[0]?.invoices.map(({ id, amount }) => ({ id, amount: Number(amount) })) ?? []
  const matched = inJson(await transfers.match(caller, first?.id ?? '', { invoices: shares })).bank_entry
  expect(matched).not.toHaveProperty('suggestions')
  expect(inJson(await transfers.entries(caller, 'amount = 119', true)).map((one) => one.suggestions)).toEqual(
    [[], []],
  )
})

test('a transfer that was sent twice waits, pays nothing else, and says so first', async () => {
  const { customer, caller, create, post, invoice, breaches } = await open()
  const iban = 'FR7630006000011234567890189'
  const [paid, due] = [await create(), await create()]
  const transfer = { remittance: paid.number, amount: '119.00', iban, reference: 'A' }
  await post(csv([transfer]))
  expect(await post(csv([{ ...transfer, reference: 'B' }]))).toMatchObject({ matched: 0, unmatched: 1 })
  const [entry] = inJson(await transfers.entries(caller, 'state = "unmatched"', true))
  expect(entry).toMatchObject({
    state: 'unmatched',
    invoices: [],
    suggestions: [
      { invoices: [], customer_uuid: customer, customer_name: paid.buyer.name, reasons: ['paid_twice'] },
    ],
  })
  expect(entry?.suggestions).toHaveLength(1)
  expect(await invoice(due.id)).toMatchObject({ state: 'open', amount_due: 119 })
  const [first] = inJson(await transfers.entries(caller, 'state = "matched"'))
  await transfers.unmatch(caller, first?.id ?? '')
  const [alone] = inJson(await transfers.entries(caller, 'bank_reference = "B"', true))
  expect(alone?.suggestions?.[0]).toMatchObject({
    invoices: [{ id: paid.id }],
    reasons: ['reference', 'amount'],
  })
  expect(await breaches()).toEqual([])
})

test('by hand an entry is matched, unmatched and ignored, and what does not fit is refused', async () => {
  const { caller, create, post, entries, invoice, typesOf, breaches } = await open()
  const [one, two] = [await create(), await create()]
  await post(csv([{ remittance: 'Tea', amount: '130.00' }]))
  const [entry] = await entries()
  const id = entry?.id ?? ''
  const match = (shares: readonly [id: string, amount: number][]) =>
    transfers.match(caller, id, {
      invoices: shares.map(([invoiceId, amount]) => ({ id: invoiceId, amount })),
    })
  for (const shares of [
    [[one.id, 100]],
    [
      [one.id, 65],
      [one.id, 65],
    ],
    [
      [one.id, 130],
      [two.id, 0],
    ],
    [[one.id, 130.001]],
  ] as [string, number][][])
    expect(await reasonOf(match(shares))).toBe('match_invalid')
  expect(await refusalOf(match([['inv_none', 130]]))).toBe('404 invoice_not_found invoices[0].id')
  expect(await reasonOf(transfers.unmatch(caller, id))).toBe('match_invalid')
  expect(inJson(await transfers.ignore(caller, id)).bank_entry.state).toBe('ignored')
  expect(inJson(await transfers.unmatch(caller, id)).bank_entry.state).toBe('unmatched')
  const matched = inJson(
    await match([
      [one.id, 119],
      [two.id, 11],
    ]),
  ).bank_entry
  expect(matched).toMatchObject({ state: 'matched', invoices: [{ amount: 119 }, { amount: 11 }] })
  expect([(await invoice(one.id)).amount_due, (await invoice(two.id)).amount_due]).toEqual([0, 108])
  expect(await reasonOf(match([[two.id, 130]]))).toBe('match_invalid')
  expect(await reasonOf(transfers.ignore(caller, id))).toBe('match_invalid')
  expect(inJson(await transfers.unmatch(caller, id)).bank_entry).toMatchObject({
    state: 'unmatched',
    invoices: [],
  })
  expect([(await invoice(one.id)).amount_due, (await invoice(two.id)).amount_due]).toEqual([119, 119])
  expect(await typesOf(id)).toEqual(['bank_entry.matched', 'bank_entry.unmatched'])
  expect(await breaches()).toEqual([])
})

test('a transfer is refunded by hand, also through a credit note, and is not voided with its order', async () => {
  const { caller, create, post, order, breaches } = await open()
  const sent = await create()
  await post(csv([{ remittance: sent.number, amount: '119.00' }]))
  const [transfer] = (await order(sent.order_number)).transactions
  const uuid = transfer?.uuid ?? ''
  expect(await reasonOf(payments.refund(caller, { transaction: { uuid } }))).toBe('refund_by_hand')
  const note = { reason: 'Returned', refund: 'payment' } as const
  expect(await reasonOf(invoices.creditNote(caller, sent.id, note))).toBe('refund_by_hand')
  expect(await reasonOf(payments.voidOrder(caller, { number: sent.order_number }))).toBe('already_settled')
  expect(await breaches()).toEqual([])
})

test('a card payment, a void and a transfer of one order at a time have one outcome each', async () => {
  const { shop, customer, caller, create, post, order, invoice, breaches } = await open()
  const token = await shop.bind(customer, CARDS.good)
  for (let round = 0; round < 6; round++) {
    const sent = await create()
    const other =
      round % 2 === 0
        ? shop.pay(sent.order_number, token)
        : payments.voidOrder(caller, { number: sent.order_number })
    const [competing, statement] = await Promise.all([
      refusalOf(other),
      post(csv([{ remittance: sent.number, amount: '119.00', reference: `race-${round}` }])),
    ])
    const { state, paid_total, transactions } = await order(sent.order_number)
    const succeeded = transactions.filter(({ success }) => success)
    expect(Number(paid_total)).toBe(119 * succeeded.length)
    expect(succeeded.length).toBe(statement.matched + (round % 2 === 0 && competing === 'done' ? 1 : 0))
    expect(state).toBe(succeeded.length > 0 ? 'completed' : 'voided')
    expect((await invoice(sent.id)).state).toBe(succeeded.length > 0 ? 'paid' : 'credited')
  }
  expect(await breaches()).toEqual([])
})

test.each([
  ['a date before 1900', '0000-01-01,119.00,EUR,,,Tea'],
  ['a text of more than 10,000 characters', `2031-06-16,119.00,EUR,,,${'9'.repeat(10_001)}`],
  ['an amount that is none', '2031-06-16,much,EUR,,,Tea'],
])('a statement whose last entry has %s leaves nothing', async (_, last) => {
  const { caller, create, post, invoice, entries } = await open()
  const sent = await create()
  const rows = Array.from({ length: 600 }, (__, index) => ({
    remittance: sent.number,
    amount: `${index + 1}.00`,
  }))
  const refused = post(`${csv(rows)}\n${last}`)
  await expect(refused).rejects.toMatchObject({
    reason: 'statement_invalid',
    detail: { data: { line: 602 } },
  })
  expect(await entries()).toEqual([])
  expect(inJson(await transfers.statements(caller))).toEqual([])
  expect(await invoice(sent.id)).toMatchObject({ state: 'open', amount_due: 119 })
})

test('texts of 10,000 characters are stored, also the reference of a transfer that pays', async () => {
  const { create, post, order, breaches } = await open()
  const sent = await create()
  const text = Array.from({ length: 10_000 }, () =>
    String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000)),
  ).join('')
  const remittance = `${sent.number} ${text}`.slice(0, 10_000)
  const statement = csv([{ remittance, amount: '119.00', reference: text }])
  expect(await post(statement)).toMatchObject({ new: 1, matched: 1 })
  expect((await order(sent.order_number)).transactions).toMatchObject([
    { payment_data: { new_gateway_txn_id: text } },
  ])
  expect(await post(statement)).toMatchObject({ new: 0 })
  expect(await breaches()).toEqual([])
})

test('a statement whose import broke off is completed when it is posted again', async () => {
  const { caller, create, post, entries, breaches } = await open()
  const sent = await create()
  const rows = Array.from({ length: 1_200 }, (_, index) => ({
    remittance: index === 1_100 ? sent.number : `Tea ${index}`,
    amount: '119.00',
    reference: `T-${index}`,
  }))
  let transactions = 0
  const breaking = bankTransfersOf({
    ...fixture.shared,
    customers,
    invoices,
    payments,
    db: new Proxy(db, {
      get: (target, name) => {
        if (name !== 'transact') return Reflect.get(target, name, target) as unknown
        return (...args: Parameters<typeof db.transact>) => {
          if (++transactions > 2) throw new Error('killed')
          return target.transact(...args)
        }
      },
    }),
  })
  await expect(breaking.import(caller, { format: 'csv', content: csv(rows) })).rejects.toThrow('killed')
  expect(await post(csv(rows))).toMatchObject({ entries: 1_200, new: 700, matched: 1, unmatched: 699 })
  expect(await entries(`invoice_id = "${sent.id}"`)).toHaveLength(1)
  expect(inJson(await transfers.statements(caller))).toMatchObject([{ new: 700 }, { new: 500 }])
  expect(await breaches()).toEqual([])
})

test('a transfer that names invoices and pays none waits for nobody who changes their orders', async () => {
  const { create, post } = await open()
  const [first, second] = [await create(), await create()]
  await admin.query('begin')
  try {
    await admin.query('select id from orders where id = $1 for update', [first.order_number])
    const remittance = `${first.number} ${second.number}`
    expect(await post(csv([{ remittance, amount: '1.00' }]))).toMatchObject({ new: 1, unmatched: 1 })
  } finally {
    await admin.query('rollback')
  }
})

test('of open invoices of a customer and amount the oldest are found, up to a limit, without those that are named', async () => {
  const { caller, customer, create } = await open()
  const [named, ...others] = [await create(), await create(), await create(), await create()]
  const found = await db.transact(caller.businessId, (tx) =>
    invoices.findOpenInvoicesOf(tx, {
      customerUuids: [customer],
      dues: [Money.ofDecimal('EUR', '119.00'), Money.ofDecimal('EUR', '1.00')],
      without: [named.id],
      limit: 2,
    }),
  )
  const ids = others.map(({ id }) => id)
  expect(found.map(({ id }) => id)).toEqual(ids.toSorted().slice(0, 2))
})
