import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { taxesModule } from '#modules/taxes'
import type { Caller } from '#platform/caller'
import { refusalOf } from '#platform/testing/requests'
import { readZip } from '../../invoices/testing/read-zip.ts'
import { invoicesOf } from '../../invoices/testing/fixture.ts'
import { createFixture } from '../testing/fixture.ts'
import { inJson, openInvoiceShop } from '../testing/invoices.ts'

// Proves reference/billing-documents#months.

const fixture = await createFixture()
const { invoices } = fixture
type ArchiveQuery = Parameters<typeof invoices.exportMonth>[1]

const START = '2031-06-15T02:00:00Z'
const SENT = {
  currency: 'EUR',
  collection: 'send_invoice' as const,
  lines: [{ label: 'Set-up', quantity: 1, unit_amount: 100 }],
}

async function open() {
  const opened = await openInvoiceShop(fixture, START)
  const { caller, customer } = opened
  const create = async (members: object = {}) =>
    inJson(await invoices.create(caller, { customer_uuid: customer, ...SENT, ...members })).invoice
  return { ...opened, create }
}

async function filesOf(caller: Caller, query: ArchiveQuery) {
  const { content } = await invoices.exportMonth(caller, query)
  const files = readZip(Buffer.concat(await Array.fromAsync(content)))
  const [header = '', ...rows] = (files.get('index.csv')?.toString() ?? '').trimEnd().split('\r\n')
  const names = header.replace('\uFEFF', '').split(',')
  const index = rows.map((row) => Object.fromEntries(row.split(',').map((value, at) => [names[at], value])))
  return { files, names: [...files.keys()], index }
}

test('a month has the PDFs of what it issued by the local date, credit notes included, and an index of them', async () => {
  const { shop, caller, create } = await open()
  const first = await create()
  await invoices.creditNote(caller, first.id, { amount: 19, reason: 'Late' })
  await shop.advance('2031-06-30T15:59:59Z')
  await create()
  await shop.advance('2031-06-30T16:00:00Z')
  await create()
  const june = await filesOf(caller, { month: '2031-06' })
  expect(june.names.toSorted()).toEqual([
    'CN-2031-000001.pdf',
    'INV-2031-000001.pdf',
    'INV-2031-000002.pdf',
    'index.csv',
  ])
  expect(june.files.get('INV-2031-000002.pdf')?.subarray(0, 5).toString()).toBe('%PDF-')
  expect(june.index).toMatchObject([
    {
      number: 'INV-2031-000001',
      type: 'invoice',
      state: 'open',
      issue_date: '2031-06-15',
      seller: 'Example GmbH',
      currency: 'EUR',
      net_total: '100.00',
      tax_total: '19.00',
      total: '119.00',
      credited_total: '19.00',
      amount_due: '100.00',
      files: 'INV-2031-000001.pdf',
    },
    {
      number: 'CN-2031-000001',
      type: 'credit_note',
      net_total: '-15.97',
      tax_total: '-3.03',
      total: '-19.00',
      amount_due: '0.00',
      invoice_number: 'INV-2031-000001',
    },
    { number: 'INV-2031-000002', issue_date: '2031-06-30' },
  ])
  expect((await filesOf(caller, { month: '2031-07' })).names).toEqual(['INV-2031-000003.pdf', 'index.csv'])
  expect(await filesOf(caller, { month: '2031-05' })).toMatchObject({ names: ['index.csv'], index: [] })
  const other = await open()
  expect((await filesOf(other.caller, { month: '2031-06' })).names).toEqual(['index.csv'])
})

test('electronic invoices come beside or in the PDFs; what one lacks is in the index', async () => {
  const { caller, create, taxes, customer, entity } = await open()
  await create()
  const address = { line1: 'Gasse 1', postal_code: '10115', city: 'Berlin', country: 'DE' }
  await taxes.editEntity(caller, entity.id, { tax_ids: [{ type: 'vat', value: 'DE136695976' }] })
  await taxes.editDetails(caller, customer, { address })
  await create()
  const withUbl = await filesOf(caller, { month: '2031-06', format: 'ubl' })
  expect(withUbl.names.toSorted()).toEqual([
    'INV-2031-000001.pdf',
    'INV-2031-000002-ubl.xml',
    'INV-2031-000002.pdf',
    'index.csv',
  ])
  expect(withUbl.files.get('INV-2031-000002-ubl.xml')?.toString()).toContain(
    '<cbc:ID>INV-2031-000002</cbc:ID>',
  )
  expect(withUbl.index).toMatchObject([
    { files: 'INV-2031-000001.pdf', missing: 'seller.tax_ids buyer.address' },
    { files: 'INV-2031-000002.pdf INV-2031-000002-ubl.xml', missing: '', buyer_country: 'DE' },
  ])
  const facturX = await filesOf(caller, { month: '2031-06', format: 'facturx' })
  expect(facturX.files.get('INV-2031-000002-facturx.pdf')?.toString('latin1')).toContain('factur-x.xml')
  expect(facturX.names).toContain('INV-2031-000001.pdf')
})

test('no number becomes a path or replaces the file of another seller, and one seller can be asked for', async () => {
  const { caller, create, taxes, entity } = await open()
  const series = [{ key: 'a', invoice_format: '../R/{SEQ:3}', credit_note_format: 'C{SEQ:3}' }]
  await taxes.editEntity(caller, entity.id, { series })
  const { legal_entity: second } = await taxes.createEntity(caller, {
    name: 'Kiln SARL',
    address: { line1: 'Rue 1', postal_code: '75002', city: 'Paris', country: 'FR' },
    registrations: [],
    series: [{ key: 'a', invoice_format: 'r-{SEQ:3}', credit_note_format: 'C{SEQ:3}' }],
  })
  const older = await create()
  await create({ legal_entity_id: second.id })
  expect((await filesOf(caller, { month: '2031-06' })).names).toEqual([
    'r-001.pdf',
    `R-001-${older.id}.pdf`,
    'index.csv',
  ])
  const ofSecond = await filesOf(caller, { month: '2031-06', legal_entity_id: second.id })
  expect(ofSecond.names).toEqual(['r-001.pdf', 'index.csv'])
  const asked = (query: ArchiveQuery) => refusalOf(invoices.exportMonth(caller, query))
  const other = await open()
  expect(await asked({ month: '2031-06', legal_entity_id: other.entity.id })).toBe(
    '404 legal_entity_not_found legal_entity_id',
  )
  expect(await asked({ month: '2031-07' })).toBe('422 invalid_date_range month')
  expect(await asked({ month: '1969-12' })).toBe('422 invalid_date_range month')
})

test('nothing more is read or drawn for a reader that has gone', async () => {
  const { caller, create } = await open()
  const count = 60
  for (let made = 0; made < count; made++) await create()
  let pages = 0
  const { taxes } = taxesModule.connect({ ...fixture.shared, customers: fixture.customers })
  const counted = invoicesOf({
    ...fixture.shared,
    customers: fixture.customers,
    payments: fixture.payments,
    taxes,
    businesses: {
      ...fixture.shared.businesses,
      logo: () => {
        pages++
        return fixture.shared.businesses.logo()
      },
    },
  })
  const { content } = await counted.exportMonth(caller, { month: '2031-06' })
  const download = Readable.from(content)
  for await (const chunk of download) {
    expect(chunk).toBeInstanceOf(Uint8Array)
    break
  }
  await finished(download).catch(() => undefined)
  expect(await content.next()).toEqual({ done: true, value: undefined })
  expect(pages).toBe(1)
})
