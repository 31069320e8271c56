import { expect, test } from 'vitest'
import { adminOf } from '#platform/testing/database'
import { verifyInvoices } from '../../invoices/testing/fixture.ts'
import { verifyPayments } from '../../payments/testing/fixture.ts'
import { CARDS, createFixture } from '../testing/fixture.ts'
import { inJson, openInvoiceShop } from '../testing/invoices.ts'

// Proves reference/billing-tax#closed-months, reference/payments#value-dates, reference/billing-reports#open-items.

const fixture = await createFixture()
const { db, invoices, payments } = fixture
const failed = new Set<string>()
fixture.shared.acquirers.laterFailure = async (_tx, _account, { key }) =>
  failed.has(key) ? { responseCode: 'capture_failed', responseMessage: 'Capture Failed' } : null

const START = '2031-06-15T02:00:00Z'
const JUNE = { from: '2031-06-01', to: '2031-06-30' }
const JULY = { from: '2031-07-01', to: '2031-07-31' }
const ACCOUNTS = {
  receivables: '1400',
  bank: '1200',
  revenue: [{ percentage: 19, treatment: 'taxed' as const, account: '8400' }],
  tax: [],
}

/** An invoice of 119.00 that a card paid on 15 June, and 19.00 of which were refunded on 20 June. It is 5 July now. */
async function paidInJune({ isClosed }: { readonly isClosed: boolean }) {
  const { caller, customer, shop, taxes } = await openInvoiceShop(fixture, START)
  await taxes.editSettings(caller, { accounts: ACCOUNTS })
  const { id, order_number: order } = inJson(
    await invoices.create(caller, {
      customer_uuid: customer,
      currency: 'EUR',
      lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
      collection: 'send_invoice',
    }),
  ).invoice
  const token = await shop.bind(customer, CARDS.good)
  const pay = () => shop.pay(order, token)
  await pay()
  const transactions = async () => {
    const found = await db.transact(caller.businessId, (tx) => payments.findOrders(tx, [order]))
    return found.get(order)?.transactions ?? []
  }
  const [payment] = await transactions()
  await shop.advance('2031-06-20T02:00:00Z')
  await payments.refund(caller, { transaction: { uuid: payment?.id ?? '' }, amount: 19 })
  await shop.advance('2031-07-05T02:00:00Z')
  if (isClosed) await taxes.editSettings(caller, { locked_until: '2031-06-30' })
  await shop.advance('2031-07-05T03:00:00Z')
  const fail = async (type: 'Sales' | 'Refund') => {
    const key = (await transactions()).find((one) => one.type === type && one.state === 'succeeded')?.id ?? ''
    failed.add(key)
    const subject = { kind: 'failure', reference: 'PSP1', key } as const
    await db.transact(caller.businessId, (tx) =>
      payments.handleNotice(tx, { accountId: 'simulator', subject }),
    )
    return key
  }
  /** Dates and amounts of the file for the bank account. */
  const moneyOf = async (range: typeof JUNE) => {
    const file = await invoices.export(caller, { format: 'xero', records: 'bank', ...range })
    const [, ...lines] = file.toString('utf8').trimEnd().split('\r\n')
    return lines.map((line) => line.split(',').slice(0, 2).join(' '))
  }
  const dueAt = async (at: string) => {
    const { open = [] } = await invoices.report(caller, 'open', { at })
    return open.map(({ due }) => Number(due))
  }
  const standing = async () => {
    const breaches = await Array.fromAsync(verifyPayments(db)(caller.businessId))
    expect([...(await shop.breaches()), ...breaches]).toEqual([])
    const { invoice } = inJson(await invoices.get(caller, id))
    const { state, amount_due: due } = invoice
    return [state, Number(due), ...(await dueAt('2031-07-31'))]
  }
  return { caller, fail, moneyOf, dueAt, standing, pay }
}

const ofJune = ['15/06/2031 119.00', '20/06/2031 -19.00']

test('what failed after its month was closed stays there, and counts as returned on the first open day', async () => {
  const { fail, moneyOf, dueAt, standing, pay } = await paidInJune({ isClosed: true })
  expect(await moneyOf(JUNE)).toEqual(ofJune)
  await fail('Sales')
  expect(await moneyOf(JUNE)).toEqual(ofJune)
  expect(await moneyOf(JULY)).toEqual(['05/07/2031 -119.00'])
  expect(await dueAt('2031-06-30')).toEqual([])
  await fail('Refund')
  expect(await moneyOf(JUNE)).toEqual(ofJune)
  expect(await moneyOf(JULY)).toEqual(['05/07/2031 -119.00', '05/07/2031 19.00'])
  expect(await standing()).toEqual(['open', 100, 100])
  await pay()
  expect(await dueAt('2031-06-30')).toEqual([])
  expect(await standing()).toEqual(['paid', 0])
})

test('a refund that failed after its month was closed is paid again on the first open day', async () => {
  const { fail, moneyOf, standing } = await paidInJune({ isClosed: true })
  await fail('Refund')
  expect(await moneyOf(JUNE)).toEqual(ofJune)
  expect(await moneyOf(JULY)).toEqual(['05/07/2031 19.00'])
  expect(await standing()).toEqual(['paid', 0])
})

test('what failed later in an open month no longer counts', async () => {
  const { fail, moneyOf, dueAt } = await paidInJune({ isClosed: false })
  await fail('Sales')
  expect([await moneyOf(JUNE), await moneyOf(JULY)]).toEqual([['20/06/2031 -19.00'], []])
  expect(await dueAt('2031-06-30')).toEqual([119])
})

test('verify finds a late failure that changed a closed month', async () => {
  const { caller, fail } = await paidInJune({ isClosed: false })
  const { businessId } = caller
  const admin = await adminOf(fixture, businessId)
  const key = await fail('Sales')
  await admin.query(
    `update billing_settings set locked_until = '2031-06-30', locked_at = '2031-07-04T00:00:00Z' where business_id = $1`,
    [businessId],
  )
  const breaches = await Array.fromAsync(verifyInvoices(db)(businessId))
  expect(breaches.map(({ rule, object }) => [rule, object])).toEqual([
    ['closed_days_take_nothing_later', key],
  ])
})
