import { expect, test } from 'vitest'
import { refusalOf } from '#platform/testing/requests'
import { createFixture } from '../../billing/testing/fixture.ts'
import { inJson, openInvoiceShop } from '../../billing/testing/invoices.ts'
import { camt053 } from '../testing/camt.ts'
import { bankTransfersOf, verifyBankTransfers } from '../testing/fixture.ts'

const fixture = await createFixture()
const { customers, db, invoices, payments } = fixture
const transfers = bankTransfersOf({ ...fixture.shared, customers, invoices, payments })
const LOCKED_UNTIL = '2031-05-31'

async function open() {
  const { caller, customer, shop, taxes } = await openInvoiceShop(fixture, '2031-06-15T02:00:00Z')
  const create = async () => {
    const request = {
      customer_uuid: customer,
      currency: 'EUR',
      lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
      collection: 'send_invoice' as const,
    }
    return inJson(await invoices.create(caller, request)).invoice
  }
  const post = async (entries: Parameters<typeof camt053>[0]) =>
    inJson(await transfers.import(caller, { format: 'camt053', content: camt053(entries) })).bank_statement
  const datesOf = (orderNumber: string) =>
    db.transact(caller.businessId, async (tx) => {
      const found = (await payments.findOrders(tx, [orderNumber])).get(orderNumber)
      return found?.transactions.map(({ state, valueDate, returnedOn }) => ({ state, valueDate, returnedOn }))
    })
  return {
    caller,
    taxes,
    create,
    post,
    datesOf,
    entries: async (filter?: string) => inJson(await transfers.entries(caller, filter)).toReversed(),
    close: (date: string) => taxes.editSettings(caller, { locked_until: date }),
    breaches: async () => [
      ...(await shop.breaches()),
      ...(await Array.fromAsync(verifyBankTransfers(db)(caller.businessId))),
    ],
  }
}

const credit = (remittance: string, date: string, reference: string) => ({
  amount: '119.00',
  date,
  reference,
  details: [{ endToEndId: reference, debtorIban: 'DE02120300000000202051', remittance }],
})

// Proves reference/billing-tax#closed-months.
test('a statement that comes later counts on the first open day, and says so', async () => {
  const { close, create, post, datesOf, entries, breaches } = await open()
  const [closed, last, current] = [await create(), await create(), await create()]
  await close(LOCKED_UNTIL)
  const statement = [
    credit(closed.number, '2031-03-10', 'B-1'),
    credit(last.number, LOCKED_UNTIL, 'B-2'),
    credit(current.number, '2031-06-01', 'B-3'),
    credit('thank you', '2031-04-30', 'B-4'),
  ]
  expect(await post(statement)).toMatchObject({ new: 4, matched: 3, unmatched: 1, counted_later: 2 })
  const paidOn = async (sent: { order_number: string }) => (await datesOf(sent.order_number))?.[0]?.valueDate
  expect(await paidOn(closed)).toBe('2031-06-01')
  expect(await paidOn(last)).toBe('2031-06-01')
  expect(await paidOn(current)).toBe('2031-06-01')
  const later = [
    { booking_date: '2031-03-10', counted_on: '2031-06-01' },
    { booking_date: LOCKED_UNTIL, counted_on: '2031-06-01' },
  ]
  expect(await entries('counted_on:*')).toMatchObject(later)
  expect(await entries('counted_on = "2031-06-01"')).toMatchObject(later)
  expect(await entries('NOT counted_on:*')).toMatchObject([{ counted_on: null }, { counted_on: null }])
  expect(await breaches()).toEqual([])
})

test('a match by hand of a transfer of a closed month counts on the first open day', async () => {
  const { caller, close, create, post, datesOf, entries, breaches } = await open()
  const sent = await create()
  await post([credit('thank you', '2031-04-30', 'B-4')])
  await close(LOCKED_UNTIL)
  const [entry] = await entries()
  const shares = { invoices: [{ id: sent.id, amount: 119 }] }
  expect(inJson(await transfers.match(caller, entry?.id ?? '', shares)).bank_entry).toMatchObject({
    booking_date: '2031-04-30',
    counted_on: '2031-06-01',
  })
  expect(await datesOf(sent.order_number)).toMatchObject([{ valueDate: '2031-06-01' }])
  expect(inJson(await transfers.unmatch(caller, entry?.id ?? '')).bank_entry).toMatchObject({
    counted_on: null,
  })
  expect(await breaches()).toEqual([])
})

test('a match of a closed month is not undone, but its return counts on the first open day', async () => {
  const { caller, close, create, post, datesOf, entries, breaches } = await open()
  const sent = await create()
  await post([credit(sent.number, '2031-05-20', 'B-1')])
  await close(LOCKED_UNTIL)
  const [entry] = await entries()
  expect(await refusalOf(transfers.unmatch(caller, entry?.id ?? ''))).toBe('409 period_locked')
  expect(await entries()).toMatchObject([{ state: 'matched' }])
  const back = { amount: '119.00', date: '2031-05-28', direction: 'DBIT' as const, reference: 'R-1' }
  await post([{ ...back, details: [{ endToEndId: 'B-1', returned: true }] }])
  expect(await entries()).toMatchObject([{ state: 'unmatched', returned_on: '2031-05-28' }])
  expect(await datesOf(sent.order_number)).toEqual([
    { state: 'voided', valueDate: '2031-05-20', returnedOn: '2031-06-01' },
  ])
  expect(await breaches()).toEqual([])
})

test('a request issues no invoice and no credit note on a closed day', async () => {
  const { caller, close, create } = await open()
  const sent = await create()
  await close('2031-06-15')
  expect(await refusalOf(create())).toBe('409 period_locked')
  const note = { reason: 'error', amount: 19 }
  expect(await refusalOf(invoices.creditNote(caller, sent.id, note))).toBe('409 period_locked')
})

// Proves reference/billing-reports#open-items, reference/billing-reports#exports.
test('a transfer that the bank took back pays its invoice until then, in open items and in files', async () => {
  const { caller, taxes, create, post, breaches } = await open()
  const invoice = await create()
  const back = { endToEndId: 'B-1', debtorIban: 'DE02120300000000202051', returned: true }
  const files = (range: object) =>
    Promise.all(
      (['xero', 'quickbooks'] as const).map(async (format) => {
        const file = await invoices.export(caller, { format, records: 'bank', ...range })
        return file
          .toString()
          .trimEnd()
          .split('\r\n')
          .slice(1)
          .map((line) => line.split(','))
      }),
    )
  const MAY = { from: '2031-05-01', to: '2031-05-31' }
  await taxes.editSettings(caller, { accounts: { receivables: '1400', bank: '1200' } })
  await post([credit(invoice.number, '2031-05-20', 'B-1')])
  const before = await files(MAY)
  await post([{ amount: '119.00', date: '2031-06-10', direction: 'DBIT', reference: 'R-1', details: [back] }])
  expect(await files(MAY)).toEqual(before)
  const [xero, quickbooks] = await files({ from: '2031-06-01', to: '2031-06-30' })
  expect(xero?.map(([date, amount, , description]) => [date, amount, description])).toEqual([
    ['10/06/2031', '-119.00', 'Return'],
  ])
  const numbers = new Set([...(before[1] ?? []), ...(quickbooks ?? [])].map(([number]) => number))
  expect(numbers.size).toBe(2)
  const { open: items } = await invoices.report(caller, 'open')
  expect(items).toMatchObject([{ number: invoice.number, paid: 0, due: 119 }])
  const { rows } = await invoices.report(caller, 'open/rows')
  expect(rows?.map(({ line, date, amount }) => [line, date, amount])).toEqual([
    ['invoice', '2031-06-15', 119],
    ['payment', '2031-05-20', -119],
    ['refund', '2031-06-10', 119],
  ])
  expect(await breaches()).toEqual([])
})
