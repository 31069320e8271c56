import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { camt053 } from '../../src/modules/bank-transfers/testing/camt.ts'
import { startScenario } from '../harness/scenario.ts'

const { client } = await startScenario()
const BILLING = '/svc/billing/api/v1/openapi'
const INVOICES = `${BILLING}/invoices`
const VIENNA = { line1: 'Ring 1', postal_code: '1010', city: 'Wien', country: 'AT' }

// Proves reference/billing-invoices#drafts, reference/billing-invoices#lists, reference/billing-invoices#correction.
test('an invoice is previewed, drafted and issued, corrected to the address of its buyer, and paid by the number of the old one', async () => {
  const { legal_entity: entity } = await client.ok('POST', `${BILLING}/legal_entities`, {
    legal_entity: {
      name: 'Kiln GmbH',
      address: { line1: 'Gasse 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
      registrations: [{ country: 'DE' }],
    },
  })
  await client.ok('POST', `${BILLING}/tax_rates`, {
    tax_rate: { name: 'VAT', country: 'DE', percentage: 19, valid_from: '2020-01-01' },
  })
  const { uuid } = await client.createCustomer()
  const invoice = {
    customer_uuid: uuid,
    currency: 'EUR',
    lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
    legal_entity_id: entity.id,
    tax: 'automatic',
    collection: 'send_invoice',
    memo: 'Thank you',
  }
  const { invoice: previewed } = await client.ok('POST', `${INVOICES}/preview`, { invoice })
  expect(previewed).toMatchObject({ total: 119, memo: 'Thank you' })
  const { invoice: draft } = await client.ok('POST', INVOICES, { invoice: { ...invoice, draft: true } })
  expect(draft).toMatchObject({ state: 'draft', total: 119 })
  const { invoice: replaced } = await client.ok('PUT', `${INVOICES}/${draft.id}`, {
    invoice: { ...invoice, memo: 'Thank you very much' },
  })
  expect(replaced).toMatchObject({ id: draft.id, memo: 'Thank you very much' })
  const key = { idempotencyKey: randomUUID() }
  const { invoice: issued } = await client.ok('POST', `${INVOICES}/${draft.id}/issue`, undefined, key)
  const again = await client.ok('POST', `${INVOICES}/${draft.id}/issue`, undefined, key)
  expect(again.invoice).toEqual(issued)
  expect(issued).toMatchObject({ id: draft.id, state: 'open', total: 119 })
  for (const [method, path, body] of [
    ['PUT', '', { invoice }],
    ['DELETE', '', undefined],
    ['POST', '/issue', undefined],
  ] as const) {
    const refused = await client.call(method, `${INVOICES}/${draft.id}${path}`, body)
    expect(refused).toMatchObject({ status: 409, data: { error: { reason: 'invoice_issued' } } })
  }

  await client.ok('PUT', `${BILLING}/customers/${uuid}/billing_details`, {
    billing_details: { address: VIENNA, tax_ids: [{ type: 'vat', value: 'ATU13585627' }] },
  })
  const foreseen = await client.ok('POST', `${INVOICES}/${issued.id}/reissue/preview`, {})
  const { credit_note: note, invoice: corrected } = await client.ok(
    'POST',
    `${INVOICES}/${issued.id}/reissue`,
    {
      reason: 'Wrong address',
    },
  )
  expect(corrected).toMatchObject(foreseen.invoice)
  expect(note).toMatchObject({ total: 119, invoice_id: issued.id, reason: 'Wrong address' })
  expect(corrected).toMatchObject({
    total: 100,
    amount_due: 100,
    replaces: issued.id,
    memo: 'Thank you very much',
  })
  const { invoice: old } = await client.ok('GET', `${INVOICES}/${issued.id}`)
  expect(old).toMatchObject({ state: 'credited', replaced_by: corrected.id })
  expect(await client.call('POST', `${INVOICES}/${issued.id}/reissue`, {})).toMatchObject({
    status: 409,
    data: { error: { reason: 'invoice_has_notes' } },
  })

  const filter = encodeURIComponent('currency = EUR AND legal_entity_id = ' + entity.id)
  const { totals } = await client.ok('GET', `${INVOICES}/totals?filter=${filter}`)
  expect(totals).toEqual([
    { currency: 'EUR', documents: 3, net_total: 100, tax_total: 0, total: 100, amount_due: 100 },
  ])
  const { invoices: largest } = await client.ok('GET', `${INVOICES}?sort=-amount_due&limit=1`)
  expect(largest).toMatchObject([{ id: corrected.id }])
  const found = await client.ok(
    'GET',
    `${INVOICES}?filter=${encodeURIComponent('buyer_tax_id = ATU13585627')}`,
  )
  expect(found.invoices).toMatchObject([{ id: corrected.id }])

  const content = camt053([
    {
      amount: '100.00',
      reference: 'B1',
      details: [{ endToEndId: 'E1', remittance: `Invoice ${issued.number}` }],
    },
  ])
  await client.ok('POST', `${BILLING}/bank_statements`, { bank_statement: { format: 'camt053', content } })
  const { invoice: paid } = await client.ok('GET', `${INVOICES}/${corrected.id}`)
  expect(paid).toMatchObject({ state: 'paid', amount_due: 0 })
})
