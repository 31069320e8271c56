import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import { canShow } from '#platform/documents/testing/can-show'
import { textsOfPdf } from '#platform/documents/testing/pdf-text'
import { png } from '#platform/testing/png'
import type { Invoice } from '../../model/invoice.ts'
import {
  exampleCreditNote,
  exampleInvoice,
  foreignInvoice,
  hongKongInvoice,
} from '../../testing/example-invoice.ts'
import { renderCii } from '../xml/render-cii.ts'
import type { PdfOptions } from './invoice-texts.ts'
import { TAX_ID_TYPES } from '#modules/taxes'
import { invoiceWords } from '../invoice-words.ts'
import { taxIdName } from '../tax-id-names.ts'
import { renderFacturX, renderPdf } from './render-pdf.ts'

const LINK = 'https://pay.example.com/pay/ord_1.biz_1.t0.k.signature'
const OPTIONS: PdfOptions = {
  language: 'en',
  timeZone: 'Europe/Berlin',
  isTest: false,
  logo: { type: 'image/png', content: png() },
  paymentLink: LINK,
  moved: [],
}
const PERIOD = { start: '2027-06-14T22:00:00Z', end: '2027-07-14T22:00:00Z' }

async function textOf(invoice: Invoice, options: Partial<PdfOptions> = {}): Promise<string> {
  return textsOfPdf(await renderPdf(invoice, { ...OPTIONS, ...options })).join('')
}

// Proves reference/billing-documents#pdf.
test('a PDF shows the parties, the lines with their periods, the taxes, what is due and the ways to pay it', async () => {
  const invoice = exampleInvoice(
    [
      { label: 'Gold plan', unitAmount: '100', period: PERIOD, discount: '12.75' },
      { label: 'Events', unitAmount: '0.000125', quantity: '1234567', rate: '7' },
      { label: 'Unused time', unitAmount: '39.90', quantity: '-1' },
    ],
    { prepaid: '10.00', members: { notes: ['Thank you'] } },
  )
  const text = await textOf(invoice)
  for (const part of [
    'Invoice',
    'INV-2027-000042',
    '15 Jun 2027',
    'Teehaus & Söhne GmbH',
    '20457 Hamburg',
    'VAT ID DE136695976',
    'Café Łódź SARL',
    'Bâtiment B',
    'France',
    'VAT ID FR40303265045',
    'Gold plan',
    '15 Jun 2027 – 14 Jul 2027',
    'Discount −12.75',
    '0.000125',
    '−39.90',
    'VAT 19%',
    'VAT 7%',
    'EUR 211.47 due by 15 Jul 2027',
    'Prepaid',
    'EUR 221.47',
    'DE89 3704 0044 0532 0130 00',
    'COBADEFFXXX',
    'RF18539007547034',
    'Scan to pay online',
    LINK,
    'Thank you',
    'Amtsgericht Hamburg HRB 123456',
  ]) {
    expect(text.replaceAll('\u00a0', ' ')).toContain(part)
  }
})

test('a PDF shows the tax in the currency of the seller, and the rate', async () => {
  const text = await textOf(foreignInvoice())
  expect(text).toContain('Tax in EUR')
  expect(text).toContain('17.54')
  expect(text).toContain('Exchange rate of 14 Jun 2027: 1 EUR = 1.0835 USD')
})

test('a credit note names its invoice with its date, the reason and where the money went, and asks for no payment', async () => {
  const text = await textOf(exampleCreditNote(exampleInvoice([{ unitAmount: '100' }])))
  for (const part of [
    'Credit note',
    'CN-2027-000007',
    'INV-2027-000042 (31 May 2027)',
    'Reason: The teapot came broken',
    'Refund to the card ending in 4242',
    '119.00',
  ]) {
    expect(text).toContain(part)
  }
  for (const part of ['Amount due', 'Due date', 'IBAN', LINK, 'Taken off', 'Credit for later bills'])
    expect(text).not.toContain(part)
})

test.each([
  ['en', ['Reason: Order voided', 'Taken off what was due', 'Refund', 'Credit for later bills']],
  ['zh-HK', ['原因：訂單已作廢', '抵減應付金額', '退款', '轉為抵扣額，用於日後賬單']],
  ['zh-Hans', ['原因：订单已作废', '抵减应付金额', '退款', '转为抵扣额，用于以后的账单']],
])(
  'a credit note that came by itself says in %s why, and each place where its money went',
  async (language, parts) => {
    const note = exampleCreditNote(exampleInvoice([{ unitAmount: '100' }]))
    const settlement = {
      due: Money.ofDecimal('EUR', '20.00'),
      refunds: [{ amount: Money.ofDecimal('EUR', '90.00'), last4: null }],
      credit: Money.ofDecimal('EUR', '9.00'),
    }
    const text = await textOf(
      { ...note, note: { cause: 'void', reason: 'Order voided', settlement } },
      { language },
    )
    for (const part of [...parts, '20.00', '90.00', '9.00']) expect(text).toContain(part)
  },
)

test('a paid invoice says what was paid, and asks for nothing', async () => {
  const invoice = exampleInvoice([{ unitAmount: '100' }])
  const credited = Money.ofDecimal('EUR', '19.00')
  const text = await textOf({
    ...invoice,
    state: 'paid',
    amountDue: Money.zero('EUR'),
    creditedTotal: credited,
  })
  for (const part of ['Paid', 'Credited', '−19.00', 'Amount paid', '−100.00']) expect(text).toContain(part)
  for (const part of ['IBAN', LINK]) expect(text).not.toContain(part)
})

test('what a note gave as credit is not taken off what is due again', async () => {
  const invoice = exampleInvoice([{ unitAmount: '100' }])
  const creditedTotal = Money.ofDecimal('EUR', '19.00')
  const whole = await textOf({ ...invoice, creditedTotal })
  expect(whole).toContain('119.00')
  for (const part of ['Credited', 'Amount paid']) expect(whole).not.toContain(part)
  const part = await textOf({ ...invoice, creditedTotal, amountDue: Money.ofDecimal('EUR', '70.00') })
  for (const sum of ['Credited', '−19.00', 'Amount paid', '−30.00']) expect(part).toContain(sum)
})

test('a document without tax shows no rates, of the VAT ids only the seller’s, and why it has no tax', async () => {
  const text = await textOf(exampleInvoice([{ unitAmount: '100', treatment: 'not_registered' }]))
  expect(text).toContain('VAT ID DE136695976')
  expect(text).toContain('the seller is not registered for tax')
  for (const part of ['Tax', 'FR40303265045']) expect(text).not.toContain(part)
})

// Proves reference/billing-tax#legal-entities.
test('a seller in Hong Kong prints its registration and its account, and no postal code', async () => {
  const text = await textOf(hongKongInvoice())
  for (const part of [
    'RoadCentralHong Kong',
    'Business Registration No. 12345678',
    'ABN 51824753556',
    'Account holderHarbour Tea',
    'Account number808123456838',
    'BankHSBC',
    'Bank code004',
    'Branch code808',
    'FPS IDpay@tea.example',
  ]) {
    expect(text).toContain(part)
  }
  for (const part of ['IBAN', 'null', 'undefined']) expect(text).not.toContain(part)
  expect(await textOf(hongKongInvoice(), { language: 'zh-HK' })).toContain('商業登記號碼 12345678')
})

test('each tax id is printed with the name that its country gives it, in fonts that have it', async () => {
  const taxIds = TAX_ID_TYPES.map((type) => ({ type, value: type.toUpperCase() }))
  const invoice = hongKongInvoice()
  const text = await textOf({ ...invoice, seller: { ...invoice.seller, taxIds } })
  const { words } = invoiceWords('en')
  for (const type of TAX_ID_TYPES) {
    // A Thai vowel may be drawn by two glyphs or share one, and is read back as what these were made for.
    const name = taxIdName(type, words).replaceAll('า', '')
    expect(text.replaceAll('า', '')).toContain(`${name} ${type.toUpperCase()}`)
    expect(canShow(taxIdName(type, words))).toBe(true)
  }
})

test('a reverse charge is named, and a document of the test environment says so', async () => {
  const invoice = exampleInvoice([{ unitAmount: '100', treatment: 'reverse_charge' }])
  expect(await textOf(invoice)).toContain('Reverse charge: the recipient of the supply owes the tax.')
  expect(await textOf(invoice)).not.toContain('Test mode')
  expect(await textOf(invoice, { isTest: true })).toContain('Test mode')
})

test.each([
  ['zh-HK', '發票'],
  ['zh-Hant', '發票'],
  ['zh', '发票'],
  ['en-GB', 'Invoice'],
  ['de-AT', 'Rechnung'],
  ['it', 'Fattura'],
  ['ja', '請求書'],
  ['ko-KR', '청구서'],
  ['fi', 'Invoice'],
])('the words of %s say %s', async (language, title) => {
  expect(await textOf(exampleInvoice([{ unitAmount: '100' }]), { language })).toContain(title)
})

test('every page of a long invoice has the heads of the columns, the footer and its number', async () => {
  const examples = Array.from({ length: 60 }, (_, index) => ({
    label: `Line no. ${index}`,
    unitAmount: '10',
  }))
  const text = await textOf(exampleInvoice(examples))
  const pages = Number(/Page 1 of (\d)/.exec(text)?.[1])
  const countOf = (part: string) => text.split(part).length - 1
  expect(pages).toBeGreaterThan(2)
  expect(countOf('Amtsgericht Hamburg')).toBe(pages)
  expect(countOf('Unit price')).toBeGreaterThan(1)
  for (let index = 0; index < 60; index++) expect(text).toContain(`Line no. ${index}`)
})

// Proves reference/billing-documents#factur-x.
test('Factur-X is a PDF/A-3b that carries the CII as its alternative', async () => {
  const invoice = exampleInvoice([{ unitAmount: '100', label: 'Tea \u{102a7}' }], {
    members: { number: 'A&\u0001B<1' },
  })
  const pdf = await renderFacturX(invoice, OPTIONS)
  const text = pdf.toString('latin1')
  expect(text.startsWith('%PDF-1.7')).toBe(true)
  for (const part of [
    '<pdfaid:part>3</pdfaid:part>',
    '<pdfaid:conformance>B</pdfaid:conformance>',
    '<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>',
    '<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>',
    '/S /GTS_PDFA1',
    '/AFRelationship /Alternative',
    '/Subtype /text#2Fxml',
    '/ModDate',
  ]) {
    expect(text).toContain(part)
  }
  const fonts = text.match(/\/Type \/FontDescriptor/g)?.length
  expect(text.match(/\/FontFile2 /g)?.length).toBe(fonts)
  const metadata = pdf.toString('utf8').match(/<rdf:li xml:lang="x-default">([^\n]*)<\/rdf:li>/)?.[1]
  expect(metadata).toBe('Invoice A＆ B‹1')
  expect(attachmentOf(pdf)).toBe(renderCii(invoice, OPTIONS.timeZone))
  expect(textsOfPdf(pdf).join('')).toContain('Tea □')
})

test('a logo in colors of print is not in an archive, and one in WebP in no PDF', async () => {
  const invoice = exampleInvoice([{ unitAmount: '100' }])
  const hasImage = async (render: typeof renderPdf, logo: PdfOptions['logo']) =>
    (await render(invoice, { ...OPTIONS, logo })).toString('latin1').includes('/Subtype /Image')
  const inks = { type: 'image/jpeg', content: jpegHeader(4) }
  expect(await hasImage(renderFacturX, OPTIONS.logo)).toBe(true)
  expect(await hasImage(renderPdf, inks)).toBe(true)
  expect(await hasImage(renderFacturX, inks)).toBe(false)
  expect(await hasImage(renderFacturX, { type: 'image/jpeg', content: jpegHeader(3) })).toBe(true)
  expect(await hasImage(renderPdf, { type: 'image/webp', content: Buffer.from('RIFF') })).toBe(false)
})

/** The markers that pdfkit reads of a JPEG of 8 × 8 pixels. */
function jpegHeader(components: number): Buffer {
  const frame = [0xff, 0xc0, 0, 8 + 3 * components, 8, 0, 8, 0, 8, components]
  return Buffer.from([0xff, 0xd8, ...frame, ...Array.from({ length: 3 * components }, () => 1), 0xff, 0xd9])
}

function attachmentOf(pdf: Buffer): string {
  const text = pdf.toString('latin1')
  const start = text.indexOf('/Type /EmbeddedFile')
  const stream = text.indexOf('stream\n', start) + 'stream\n'.length
  const length = Number(/\/Length (\d+)/.exec(text.slice(start, stream))?.[1])
  return inflateSync(pdf.subarray(stream, stream + length)).toString()
}
