import { expect, test } from 'vitest'
import { refusalOf } from '#platform/testing/requests'
import { createFixture } from '../testing/fixture.ts'
import { openInvoiceShop } from '../testing/invoices.ts'

// Proves reference/billing-documents#pdf, reference/billing-documents#electronic-invoices.

const START = '2031-06-15T02:00:00Z'

test('an invoice is downloaded as PDF, and as an electronic invoice once nothing is missing', async () => {
  const fixture = await createFixture()
  const { shop, caller, customer, entity, taxes, plan, price, only, documents } = await openInvoiceShop(
    fixture,
    START,
  )
  const { id } = await plan([await price(100)])
  await shop.advance(START)
  const { id: incomplete, number } = await only()
  const pdf = await fixture.invoices.document(caller, incomplete, 'pdf')
  expect(Buffer.from(pdf.content).subarray(0, 5).toString()).toBe('%PDF-')
  const refused = fixture.invoices.document(caller, incomplete, 'ubl')
  await expect(refused).rejects.toMatchObject({
    detail: { data: { missing: ['seller.tax_ids', 'buyer.address'] } },
  })
  expect(await refusalOf(fixture.invoices.document(caller, incomplete, 'facturx'))).toBe(
    '409 einvoice_incomplete',
  )
  expect(await refusalOf(fixture.invoices.document(caller, 'inv_none', 'pdf'))).toBe('404 invoice_not_found')

  const address = { line1: 'Gasse 1', postal_code: '10115', city: 'Berlin', country: 'DE' }
  await taxes.editEntity(caller, entity.id, { tax_ids: [{ type: 'vat', value: 'DE136695976' }] })
  await taxes.editDetails(caller, customer, { address })
  await shop.advance('2031-07-15T02:00:00Z')
  const complete = (await documents()).find((one) => one.plan_id === id && one.number !== number)
  const ubl = await fixture.invoices.document(caller, complete?.id ?? '', 'ubl')
  expect(ubl.content).toContain(`<cbc:ID>${complete?.number}</cbc:ID>`)
  const cii = await fixture.invoices.document(caller, complete?.id ?? '', 'cii')
  expect(cii.content).toContain('<ram:GrandTotalAmount>119.00</ram:GrandTotalAmount>')
  const facturx = await fixture.invoices.document(caller, complete?.id ?? '', 'facturx')
  expect(Buffer.from(facturx.content).toString('latin1')).toContain('factur-x.xml')
})
