import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import { adminOf } from '#platform/testing/database'
import { verifyInvoices } from '../../invoices/testing/fixture.ts'
import { CARDS, createFixture } from '../testing/fixture.ts'
import { inJson, openInvoiceShop } from '../testing/invoices.ts'

// Proves reference/disputes#books, reference/billing-reports#exports, reference/billing-tax#closed-months.

const fixture = await createFixture()
const { db, invoices, payments } = fixture

const START = '2031-06-15T02:00:00Z'
const JUNE = { from: '2031-06-01', to: '2031-06-30' }
const JULY = { from: '2031-07-01', to: '2031-07-31' }
const ACCOUNTS = {
  receivables: '1400',
  bank: '1200',
  disputes: '1361',
  revenue: [{ percentage: 19, treatment: 'taxed' as const, account: '8400' }],
  tax: [],
}
const DATEV = { consultant: 1234567, client: 42, fiscal_year_start: '01-01', account_length: 4 }

/** An invoice of 119.00 that a card paid on 15 June. It is 20 June now. */
async function paidInJune() {
  const { caller, customer, shop, taxes } = await openInvoiceShop(fixture, START)
  const { order_number: order, number } = inJson(
    await invoices.create(caller, {
      customer_uuid: customer,
      currency: 'EUR',
      lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
      collection: 'send_invoice',
    }),
  ).invoice
  await shop.pay(order, await shop.bind(customer, CARDS.good))
  await shop.advance('2031-06-20T02:00:00Z')
  const found = await db.transact(caller.businessId, (tx) => payments.findOrders(tx, [order]))
  const transactionId = found.get(order)?.transactions[0]?.id ?? ''
  const move = (taken: number | null, before: number | null) => {
    const euros = (amount: number | null) =>
      amount === null ? null : Money.ofMinor('EUR', BigInt(amount * 100))
    const disputed = { disputeId: 'dsp_1', orderNumber: order, transactionId }
    return db.transact(caller.businessId, (tx) =>
      payments.recordDisputed(tx, { ...disputed, taken: euros(taken), before: euros(before) }),
    )
  }
  const linesOf = async (format: 'datev' | 'xero' | 'quickbooks', range: typeof JUNE) => {
    const file = await invoices.export(caller, { format, records: 'bank', ...range })
    const lines = file
      .toString(format === 'datev' ? 'latin1' : 'utf8')
      .trimEnd()
      .split('\r\n')
    return lines.slice(format === 'datev' ? 2 : 1)
  }
  const openItems = async () => (await invoices.report(caller, 'open', { at: '2031-07-31' })).open
  return { caller, taxes, shop, number, move, linesOf, openItems }
}

test('a dispute leaves the bank for its own account, and comes back when it is won, in the file of each program', async () => {
  const { taxes, caller, shop, number, move, linesOf, openItems } = await paidInJune()
  await taxes.editSettings(caller, { accounts: { ...ACCOUNTS, disputes: null }, datev: DATEV })
  await move(100, null)
  await expect(linesOf('xero', JUNE)).rejects.toMatchObject({
    reason: 'accounts_missing',
    detail: { data: { accounts: [{ kind: 'disputes' }] } },
  })
  await taxes.editSettings(caller, { accounts: ACCOUNTS })
  await shop.advance('2031-07-03T02:00:00Z')
  await move(null, 100)
  const ofDatev = async (range: typeof JUNE) =>
    (await linesOf('datev', range)).map((line) => {
      const fields = line.split(';')
      return [fields[0], fields[1], fields[6], fields[7], fields[9]].join(' ')
    })
  expect(await ofDatev(JUNE)).toEqual(['119,00 "S" 1200 1400 1506', '100,00 "H" 1200 1361 2006'])
  expect(await ofDatev(JULY)).toEqual(['100,00 "S" 1200 1361 0307'])
  expect((await linesOf('xero', JUNE)).at(1)).toBe(`20/06/2031,-100.00,Ada,Dispute,${number},Debit,1361,EUR`)
  expect(await linesOf('xero', JULY)).toEqual([
    `03/07/2031,100.00,Ada,Dispute reversal,${number},Credit,1361,EUR`,
  ])
  const journal = (await linesOf('quickbooks', JUNE)).slice(2).map((line) => line.split(','))
  expect(journal.map((fields) => fields.slice(1, 5).join(' '))).toEqual([
    '20/06/2031 1200  100.00',
    '20/06/2031 1361 100.00 ',
  ])
  const [back] = (await linesOf('quickbooks', JULY)).map((line) => line.split(','))
  expect(back?.[0]).toMatch(/^[0-9A-Za-z]{1,21}$/)
  expect(back?.[0]).not.toBe(journal[0]?.[0])
  expect(await openItems()).toEqual([])
})

test('a closed month keeps its files: what a dispute moves later counts on the first open day', async () => {
  const { taxes, caller, shop, move, linesOf } = await paidInJune()
  await taxes.editSettings(caller, { accounts: ACCOUNTS })
  await move(119, null)
  const before = await linesOf('xero', JUNE)
  expect(before.length).toBe(2)
  await taxes.editSettings(caller, { locked_until: '2031-06-30' })
  await move(null, 119)
  await move(50, null)
  expect(await linesOf('xero', JUNE)).toEqual(before)
  await shop.advance('2031-07-03T02:00:00Z')
  const amounts = (await linesOf('xero', JULY)).map((line) => line.split(',').slice(0, 2).join(' '))
  expect(amounts.toSorted()).toEqual(['01/07/2031 -50.00', '01/07/2031 119.00'])
  expect(await linesOf('xero', JUNE)).toEqual(before)
})

test('verify finds money of a dispute that changed a closed month', async () => {
  const { caller, taxes, move } = await paidInJune()
  const { businessId } = caller
  await taxes.editSettings(caller, { locked_until: '2031-06-19' })
  await move(100, null)
  expect(await Array.fromAsync(verifyInvoices(db)(businessId))).toEqual([])
  const admin = await adminOf(fixture, businessId)
  const { rows } = await admin.query<{ id: string }>(
    `update disputed_money set date = '2031-06-19', created_at = created_at + interval '1 hour' where business_id = $1 returning id`,
    [businessId],
  )
  const breaches = await Array.fromAsync(verifyInvoices(db)(businessId))
  expect(breaches.map(({ rule, object }) => [rule, object])).toEqual([
    ['closed_days_take_nothing_later', rows[0]?.id],
  ])
})
