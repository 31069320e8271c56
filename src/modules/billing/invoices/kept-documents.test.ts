import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { INVOICES_PERSONAL_DATA } from '../../invoices/testing/fixture.ts'
import { createFixture } from '../testing/fixture.ts'
import { inJson, openInvoiceShop } from '../testing/invoices.ts'

// Proves reference/billing-invoices#retention, reference/personal-data#erasure.

const fixture = await createFixture()

test('an erasure leaves an invoice as it was issued, without the metadata of the business, and the export shows it', async () => {
  const { caller, customer } = await openInvoiceShop(fixture, '2031-06-15T02:00:00Z')
  const lines = [{ label: 'Set-up', quantity: 1, unit_amount: 100 }]
  const metadata = { seat: '12' }
  const request = { customer_uuid: customer, currency: 'EUR', lines, metadata }
  const { invoice } = inJson(await fixture.invoices.create(caller, request))
  const subject = {
    uuid: customer,
    names: [],
    erasedName: '',
    texts: [invoice.buyer.name],
    objects: sql`select null as id`,
  }
  const [documents] = INVOICES_PERSONAL_DATA.sources
  const shown = await fixture.db.transact(caller.businessId, async (tx) => {
    await documents?.erase?.(tx, subject, '')
    return documents?.read(tx, subject, '')
  })
  expect(shown?.rows.join()).toContain(invoice.number)
  const { metadata: _, ...kept } = invoice
  expect(inJson(await fixture.invoices.get(caller, invoice.id)).invoice).toEqual(kept)
})

test('an invoice is found by its number', async () => {
  const { caller, customer } = await openInvoiceShop(fixture, '2031-06-15T02:00:00Z')
  const lines = [{ label: 'Set-up', quantity: 1, unit_amount: 100 }]
  const { invoice } = inJson(
    await fixture.invoices.create(caller, { customer_uuid: customer, currency: 'EUR', lines }),
  )
  const search = { text: 'inv-2031-0000', amountKey: undefined, lastFour: undefined, limit: 5 }
  const hits = await fixture.db.transact(caller.businessId, (tx) => fixture.invoices.search(tx, search))
  expect(hits).toMatchObject([{ type: 'invoice', id: invoice.id, title: 'INV-2031-000001' }])
})
