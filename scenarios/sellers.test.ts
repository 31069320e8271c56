import { expect, test } from 'vitest'
import { textsOfPdf } from '#platform/documents/testing/pdf-text'
import { monthly, PAYMENTS } from './harness/client.ts'
import { startScenario } from './harness/scenario.ts'

const BILLING = '/svc/billing/api/v1/openapi'
const { client } = await startScenario()

const GERMAN_ADDRESS = { line1: 'Hauptstr. 1', postal_code: '10115', city: 'Berlin', country: 'DE' }

async function entityOf(members: object): Promise<string> {
  const { legal_entity } = await client.ok('POST', `${BILLING}/legal_entities`, { legal_entity: members })
  return legal_entity.id
}

async function customerWith(details: object): Promise<string> {
  const { uuid } = await client.createCustomer({ name: 'Café Łódź' })
  await client.ok('PUT', `${BILLING}/customers/${uuid}/billing_details`, { billing_details: details })
  return uuid
}

async function issue(members: object) {
  const { invoice } = await client.ok('POST', `${BILLING}/invoices`, {
    invoice: {
      currency: 'EUR',
      collection: 'send_invoice',
      lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
      ...members,
    },
  })
  return invoice
}

async function download(id: string, format: string): Promise<Buffer> {
  const { base_url, api_key } = client.sandbox
  const response = await fetch(`${base_url}${BILLING}/invoices/${id}/document?format=${format}`, {
    headers: { authorization: `Bearer ${api_key}` },
  })
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

async function reasonOf(method: string, path: string, body?: unknown) {
  const { status, data } = await client.call(method, `${BILLING}${path}`, body)
  return { status, reason: data?.error?.reason, data }
}

// Proves reference/billing-tax#postal-codes.
test('a seller in Hong Kong prints its account and registration, and nothing invented', async () => {
  const entity = await entityOf({
    name: 'Harbour Tea Limited',
    address: { line1: '8 Queens Road', city: 'Central', country: 'HK' },
    registrations: [],
    tax_ids: [{ type: 'hk_br', value: '12345678' }],
    bank: { account_number: '808123456838', bank_code: '004', bank_name: 'HSBC', fps_id: '1234567' },
  })
  const customer = await customerWith({
    address: { line1: 'Rua Central 1', city: 'Macau', country: 'MO' },
    tax_ids: [{ type: 'au_abn', value: '51824753556' }],
  })
  const invoice = await issue({ customer_uuid: customer, legal_entity_id: entity, currency: 'HKD' })
  expect(invoice.seller).toMatchObject({
    address: { postal_code: null, country: 'HK' },
    tax_ids: [{ type: 'hk_br', value: '12345678' }],
    bank: { account_number: '808123456838', bank_code: '004', bank_name: 'HSBC', fps_id: '1234567' },
  })
  const text = textsOfPdf(await download(invoice.id, 'pdf')).join('')
  for (const part of [
    'Business Registration No. 12345678',
    '808123456838',
    'HSBC',
    '1234567',
    'ABN 51824753556',
  ]) {
    expect(text).toContain(part)
  }
  const ubl = (await download(invoice.id, 'ubl')).toString()
  expect(ubl).toContain('<cbc:ID>808123456838</cbc:ID>')
  expect(ubl).not.toContain('PostalZone')
})

// Proves reference/pages#payment-page.
test('the payment page of an invoice that was sent shows where a transfer goes, in the language of the page', async () => {
  const entity = await entityOf({
    name: 'Harbour Tea Limited',
    address: { line1: '8 Queens Road', city: 'Central', country: 'HK' },
    registrations: [],
    bank: { account_number: '808123456838', bank_code: '004', bank_name: 'HSBC', fps_id: '1234567' },
  })
  const customer = await customerWith({})
  const pageOf = async ({
    isOverdue = false,
    ...members
  }: {
    isOverdue?: boolean
    [member: string]: unknown
  }) => {
    const given = { customer_uuid: customer, legal_entity_id: entity, currency: 'HKD', ...members }
    const invoice = await issue(given)
    if (isOverdue) await client.advanceBy('P2D')
    const { payment_link: link } = await client.ok(
      'POST',
      `${PAYMENTS}/orders/check?with_payment_link=true`,
      { order: { number: invoice.order_number } },
    )
    const page = await (await fetch(`${link}?lang=de`)).text()
    return { page, reference: invoice.payment_reference }
  }
  const sent = await pageOf({ collection: 'send_invoice' })
  for (const part of ['Per Überweisung bezahlen', '808123456838', 'HSBC', '1234567', sent.reference]) {
    expect(sent.page).toContain(part)
  }
  const overdue = await pageOf({ days_until_due: 0, isOverdue: true })
  for (const part of ['808123456838', overdue.reference]) expect(overdue.page).toContain(part)
  expect((await pageOf({ collection: 'automatic' })).page).not.toContain('808123456838')
})

// Proves reference/billing-tax#removing-a-rate.
test('a rate that taxed a document stays, and one that taxed nothing goes', async () => {
  const entity = await entityOf({
    name: 'Kiln GmbH',
    address: GERMAN_ADDRESS,
    registrations: [{ country: 'DE' }],
    tax_ids: [{ type: 'vat', value: 'DE136695976' }],
  })
  const customer = await customerWith({ address: GERMAN_ADDRESS })
  const rate = (members: object) => ({ tax_rate: { name: 'VAT', country: 'DE', percentage: 19, ...members } })
  const { tax_rate: old } = await client.ok(
    'POST',
    `${BILLING}/tax_rates`,
    rate({ valid_from: '2020-01-01' }),
  )
  const invoice = await issue({ customer_uuid: customer, legal_entity_id: entity, tax: 'automatic' })
  expect(invoice.taxes).toMatchObject([{ name: 'VAT', percentage: 19, amount: 19 }])
  const path = `/tax_rates/${old.id}`
  expect(await reasonOf('DELETE', path)).toMatchObject({ status: 409, reason: 'tax_rate_used' })
  const taken = { tax_rate: { valid_until: '2019-12-31' } }
  expect(await reasonOf('PUT', path, taken)).toMatchObject({ status: 409, reason: 'tax_rate_used' })

  const later = (await client.now())
    .add({ hours: 24 * 400 })
    .toString()
    .slice(0, 10)
  const next = { name: 'MwSt', percentage: 16, valid_from: later }
  const refused = await reasonOf('POST', '/tax_rates', rate(next))
  expect(refused).toMatchObject({ status: 409, reason: 'tax_rate_adds_up' })
  expect(refused.data).toMatchObject({ rates: [{ id: old.id }], sum: 35 })
  const key = { idempotencyKey: 'rate-1' }
  const replacing = rate({ ...next, replaces: old.id })
  const made = await client.ok('POST', `${BILLING}/tax_rates`, replacing, key)
  expect(await client.ok('POST', `${BILLING}/tax_rates`, replacing, key)).toEqual(made)
  const { tax_rate: ended } = await client.ok('GET', `${BILLING}${path}`)
  expect(Temporal.PlainDate.from(ended.valid_until).add({ days: 1 }).toString()).toBe(later)
  await client.ok('DELETE', `${BILLING}/tax_rates/${made.tax_rate.id}`)
  expect(await reasonOf('GET', `/tax_rates/${made.tax_rate.id}`)).toMatchObject({ status: 404 })
})

// Proves reference/billing-documents#networks.
test('an invoice says what a network needs and it lacks, and goes once the next one has it, of a plan too', async () => {
  const entity = await entityOf({
    name: 'Kiln GmbH',
    address: GERMAN_ADDRESS,
    registrations: [],
    tax_ids: [{ type: 'vat', value: 'DE136695976' }],
    bank: { iban: 'DE89370400440532013000' },
  })
  const customer = await customerWith({ address: GERMAN_ADDRESS })
  const bare = await issue({ customer_uuid: customer, legal_entity_id: entity })
  const document = (id: string, format: string) =>
    reasonOf('GET', `/invoices/${id}/document?format=${format}`)
  for (const format of ['peppol', 'xrechnung']) {
    expect(await document(bare.id, format)).toMatchObject({
      status: 409,
      reason: 'einvoice_incomplete',
      data: {
        missing: [
          'seller.electronic_address',
          'buyer.electronic_address',
          'buyer_reference',
          'seller.contact',
        ],
      },
    })
  }
  await client.ok('PUT', `${BILLING}/legal_entities/${entity}`, {
    legal_entity: {
      electronic_address: { scheme: '9930', value: 'DE136695976' },
      contact: { name: 'Ada', phone: '+49 30 1234', email: 'ada@kiln.example' },
    },
  })
  await client.ok('PUT', `${BILLING}/customers/${customer}/billing_details`, {
    billing_details: { electronic_address: { scheme: '0204', value: '04011000-12345-03' } },
  })
  const references = { buyer_reference: '04011000-12345-03', purchase_order: 'PO-7' }
  const invoice = await issue({ customer_uuid: customer, legal_entity_id: entity, ...references })
  expect(invoice).toMatchObject(references)
  for (const format of ['peppol', 'xrechnung']) {
    const xml = (await download(invoice.id, format)).toString()
    expect(xml).toContain('<cbc:EndpointID schemeID="9930">DE136695976</cbc:EndpointID>')
    expect(xml).toContain('<cbc:BuyerReference>04011000-12345-03</cbc:BuyerReference>')
    expect(xml).toMatch(/<cac:OrderReference>\s*<cbc:ID>PO-7</)
  }
  const { credit_note } = await client.ok('POST', `${BILLING}/invoices/${invoice.id}/credit_notes`, {
    credit_note: { amount: 10, reason: 'Broken' },
  })
  expect((await download(credit_note.id, 'xrechnung')).toString()).toContain('<cbc:Note>Broken')

  const item = await client.createItem(50, 'EUR')
  const plan = await client.createPlan({
    reference_number: 'network',
    customer_uuid: customer,
    start_date: (await client.now()).add({ minutes: 10 }).toString(),
    invoicing: { legal_entity_id: entity, collection: 'send_invoice', ...references },
    recurring_cycles: monthly(item),
  })
  expect(plan.invoicing).toMatchObject(references)
  await client.advanceTo((await client.now()).add({ hours: 1 }).toString())
  const { invoices } = await client.ok(
    'GET',
    `${BILLING}/invoices?filter=${encodeURIComponent(`plan_id = "${plan.id}"`)}`,
  )
  expect(invoices).toMatchObject([references])
  expect((await download(invoices[0].id, 'xrechnung')).toString()).toContain('PO-7')
})
