import Pdf from 'pdfkit'
import { expect, test, vi } from 'vitest'
import type { DocumentTexts } from './document-texts.ts'
import { drawDocument } from './draw-document.ts'
import { type PdfElement, structureOfPdf } from './testing/pdf-structure.ts'
import { textsOfPdf } from './testing/pdf-text.ts'

const startPage = Pdf.prototype.addPage
const ROW = { item: 'Tea', details: ['May'], quantity: '1', price: '9.00', tax: null, amount: '9.00' }
const TEXTS: DocumentTexts = {
  language: 'en',
  title: 'Invoice',
  businessName: 'Tea & Co',
  logo: null,
  contacts: [],
  testMode: null,
  referenceNumber: 'INV-7',
  createdAt: '2027-06-15T09:30:00Z',
  facts: [{ label: 'Number', value: 'INV-7' }],
  parties: [{ title: 'Bill to', name: 'Ada', lines: ['Hamburg'] }],
  headline: 'EUR 9.00 due',
  titles: {
    item: 'Description',
    details: [],
    quantity: 'Quantity',
    price: 'Price',
    tax: null,
    amount: 'Amount',
  },
  rows: [ROW],
  sums: [{ label: 'Total', amount: 'EUR 9.00', emphasis: 'total' }],
  taxes: null,
  paymentsTitle: 'Payments',
  payments: [{ date: '15 Jun', description: 'Cash', amount: '1.00' }],
  transferTitle: 'Pay by bank transfer',
  transfer: [{ label: 'IBAN', value: 'DE89' }],
  transferCode: { content: 'BCD', caption: 'Scan to transfer' },
  paymentLink: 'https://pay.example.com/pay/1',
  scanToPay: 'Scan to pay',
  notes: ['Thank you'],
  footer: 'HRB 1',
  pageNumber: 'Page {page} of {pages}',
  attachment: null,
}

/** Each text with the roles above it. */
function outline(elements: readonly PdfElement[], above = ''): string[] {
  return elements.flatMap(({ role, texts, children }) => [
    ...texts.map((text) => `${above}${role} ${text}`.trim()),
    ...outline(children, `${above}${role} `),
  ])
}

// Proves reference/billing-documents#pdf.
test('a PDF is tagged: its texts have the roles and the order in which they are read, without footers and rules', async () => {
  const pdf = await drawDocument(TEXTS)
  expect(outline(structureOfPdf(pdf))).toEqual([
    'Document H1 Invoice',
    'Document P Tea & Co',
    'Document Table TR TH Number',
    'Document Table TR TD INV-7',
    'Document H2 Bill to',
    'Document P Ada',
    'Document P Hamburg',
    'Document P EUR 9.00 due',
    ...['Description', 'Quantity', 'Price', 'Amount'].map((title) => `Document Table TR TH ${title}`),
    ...['TeaMay', '1', '9.00', '9.00'].map((text) => `Document Table TR TD ${text}`),
    'Document Table TR TH Total',
    'Document Table TR TD EUR 9.00',
    'Document H2 Payments',
    ...['15 Jun', 'Cash', '1.00'].map((text) => `Document Table TR TD ${text}`),
    'Document H2 Pay by bank transfer',
    'Document Table TR TH IBAN',
    'Document Table TR TD DE89',
    'Document Link https://pay.example.com/pay/1',
    'Document Figure',
    'Document P Scan to transfer',
    'Document Figure',
    'Document P Scan to pay',
    'Document P Thank you',
    'Document P HRB 1',
  ])
  const text = pdf.toString('latin1')
  for (const part of [
    '/Marked true',
    '/Lang (en)',
    '/DisplayDocTitle true',
    '/Alt (Scan to pay)',
    '/Scope /Column',
  ]) {
    expect(text).toContain(part)
  }
})

test('a title that is wider than its column is smaller, and stands on one line', async () => {
  const titled = async (title: string) => outline(structureOfPdf(await drawDocument({ ...TEXTS, title })))
  // A space at which a line is broken is not drawn.
  expect(await titled('Rechnungskorrektur (Storno)')).toContain('Document H1 Rechnungskorrektur (Storno)')
  expect(await titled('Rechnungskorrektur (Storno) und mehr')).toContain(
    'Document H1 Rechnungskorrektur (Storno) undmehr',
  )
})

test('every page has the document, the seller and its number, and heads are read once', async () => {
  const pdf = await drawDocument({ ...TEXTS, rows: Array.from({ length: 60 }, () => ROW) })
  const texts = textsOfPdf(pdf)
  const pages = texts.filter((text) => text.startsWith('Page '))
  expect(pages).toEqual(pages.map((_, index) => `Page ${index + 1} of ${pages.length}`))
  expect(pages.length).toBeGreaterThan(2)
  expect(texts.filter((text) => text === 'Description').length).toBeGreaterThan(1)
  const tagged = outline(structureOfPdf(pdf))
  expect(tagged.filter((text) => text.endsWith('Description'))).toHaveLength(1)
  expect(tagged.filter((text) => text.endsWith('TeaMay'))).toHaveLength(60)
  expect(texts.join('').split('Invoice INV-7').length - 1).toBe(pages.length)
})

test('a document of many pages keeps one of them in memory', async () => {
  const unwritten: number[] = []
  const addPage = vi.spyOn(Pdf.prototype, 'addPage').mockImplementation(function (
    this: typeof Pdf.prototype,
    options,
  ) {
    const pdf = startPage.call(this, options)
    unwritten.push(this.bufferedPageRange().count)
    return pdf
  })
  try {
    await drawDocument({ ...TEXTS, rows: Array.from({ length: 200 }, () => ROW) })
  } finally {
    addPage.mockRestore()
  }
  expect(unwritten.length).toBeGreaterThan(5)
  expect(Math.max(...unwritten)).toBe(1)
})

test('texts that are longer than a page go on on the next one', async () => {
  const words = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name}${index}`)
  const rows = [{ ...ROW, item: words('tea', 800).join(' ') }]
  const notes = [words('note', 2_000).join(' ')]
  const read = textsOfPdf(await drawDocument({ ...TEXTS, rows, notes })).join(' ')
  for (const word of [...words('tea', 800), ...words('note', 2_000)]) expect(read).toContain(word)
})

test('equal documents are equal files, whenever they are drawn', async () => {
  const attachment = { name: 'a.xml', type: 'text/xml', description: 'A', content: '<a/>', metadata: '' }
  for (const texts of [TEXTS, { ...TEXTS, attachment }]) {
    const first = await drawDocument(texts)
    vi.useFakeTimers({ toFake: ['Date'], now: 2_000_000_000_000 })
    try {
      expect((await drawDocument(texts)).equals(first)).toBe(true)
    } finally {
      vi.useRealTimers()
    }
  }
})
