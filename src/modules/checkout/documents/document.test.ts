import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import type { NewLineItem, Order, Transaction } from '#modules/payments'
import type { Environment } from '#platform/caller'
import { EXAMPLE_BRAND } from '../testing/example-brand.ts'
import { wordsOf } from '../words/all-words.ts'
import { type DocumentContent, documentOf } from './document.ts'
import { runsOf } from '#platform/documents/document-fonts'
import type { Language } from '../words/language.ts'
import { DrawingThread } from '#platform/documents/drawing-thread'
import { drawDocument } from '#platform/documents/draw-document'
import { RenderedDocuments } from './rendered-documents.ts'
import { canShow } from '#platform/documents/testing/can-show'
import { png } from '#platform/testing/png'
import { exampleOrder, exampleTransaction, line } from '../testing/example-order.ts'
import { textsOfPdf } from '#platform/documents/testing/pdf-text'

const LINES: NewLineItem[] = [
  line('Charge', '1250.00', 2, '青瓷茶壺連杯 Chan’s teapot'),
  line('Charge', '-100.00', 1, 'Discount'),
  line('Charge', '120.00', 1, 'VAT 5%'),
]

interface DocumentOptions {
  readonly language?: Language
  readonly paymentLink?: string
  readonly customerName?: string
  readonly tokenTypes?: DocumentContent['tokenTypes']
  readonly logo?: DocumentContent['logo']
}

async function document(
  order: Order,
  transactions: readonly Transaction[],
  options: DocumentOptions = {},
): Promise<string[]> {
  const pdf = await drawDocument(documentOf(contentOf(order, transactions, options)))
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  return textsOfPdf(pdf)
}

function contentOf(
  order: Order,
  transactions: readonly Transaction[],
  options: DocumentOptions = {},
): DocumentContent {
  const language = options.language ?? 'en'
  return {
    view: {
      businessId: 'biz_1',
      businessName: '陳記茶行有限公司',
      environment: 'test',
      order,
      transactions,
      state: { kind: 'payable', lastFailed: null },
      now: order.createdAt,
      brand: EXAMPLE_BRAND,
      timeLeft: null,
      transfer: null,
      savedCardBecomesDefault: false,
    },
    language,
    customerName: options.customerName ?? null,
    logo: options.logo,
    timeZone: 'Asia/Hong_Kong',
    tokenTypes: options.tokenTypes ?? new Map(),
    paymentLink: options.paymentLink ?? null,
    words: wordsOf(language),
  }
}

// Proves reference/pages#documents, reference/orders#documents.
test('an invoice shows names, lines with tax and discount, totals and the payment link, all as readable text', async () => {
  const order = exampleOrder({ lines: LINES, dueDate: '2031-01-31' })
  const paymentLink = 'https://pay.example.com/pay/ord_1.biz_1.t0.k.signature'
  const texts = await document(order, [], { paymentLink, customerName: '龍鳳冰室 Dragon Café' })
  const text = texts.join('')
  for (const part of [
    '陳記茶行有限公司',
    '龍鳳冰室 Dragon Café',
    'Invoice',
    order.referenceNumber,
    '31 Jan 2031',
    '青瓷茶壺連杯',
    "Chan's teapot",
    '1,250.00',
    '2,500.00',
    'Discount',
    '−100.00',
    'VAT 5%',
    '120.00',
    'HKD 2,520.00',
    'Scan to pay',
  ]) {
    expect(text).toContain(part)
  }
  expect(text).toContain(paymentLink)
  expect(text).not.toContain('�')
})

test('the sums of a document stand in the order in which they add up: subtotal, tips, total', async () => {
  const order = exampleOrder({ lines: [...LINES, line('RearTips', '80.00', 1, null)] })
  const texts = await document({ ...order, initialTips: Money.ofDecimal('HKD', '80.00') }, [])
  const words = texts.join('\n')
  const sums = ['Discount', 'VAT 5%', 'Subtotal', '2,520.00', 'Tips', 'Total', 'HKD 2,600.00']
  const places = sums.map((sum) => words.indexOf(sum))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('a receipt says in the reader’s language when and how the order was paid, and asks for no payment', async () => {
  const order = { ...exampleOrder({ lines: LINES }), state: 'completed' as const }
  const paid = { ...order, paidTotal: order.initialTotal }
  const texts = await document(paid, [exampleTransaction(paid)], { language: 'zh-Hant' })
  const text = texts.join('')
  for (const part of [
    '收據',
    '付款日期',
    '折扣',
    '總額',
    '已付',
    'Visa **** 4242',
    '收據編號 100000',
    '2,520.00',
  ])
    expect(text).toContain(part)
  expect(text).not.toContain('掃描付款')
})

test('a receipt writes dates and amounts as its readers do, and says how money came that no acquirer moved', async () => {
  const order = { ...exampleOrder({ lines: LINES }), state: 'completed' as const }
  const paid = { ...order, paidTotal: order.initialTotal }
  const byHand = (paymentMethod: 'cash' | 'bank_transfer') => {
    const transaction = exampleTransaction(paid)
    const instrument = {
      ...transaction.instrument,
      last4: null,
      brand: null,
      acquirerType: 'manual' as const,
    }
    return { ...transaction, paymentMethod, instrument, token: null, valueDate: '2031-02-03' }
  }
  const german = await document(paid, [byHand('cash')], { language: 'de' })
  const text = german.join('')
  for (const part of ['3. Feb. 2031', '2.520,00', 'Bar']) expect(text).toContain(part)
  expect(text).not.toContain('2031-02-03')
  const english = (await document(paid, [byHand('bank_transfer')])).join('')
  for (const part of ['3 Feb 2031', 'HKD 2,520.00', 'Bank transfer']) expect(english).toContain(part)
})

test('only a document of the test environment says that no money moves', async () => {
  const content = contentOf(exampleOrder({ lines: LINES }), [])
  const textOf = async (environment: Environment) => {
    const view = { ...content.view, environment }
    return textsOfPdf(await drawDocument(documentOf({ ...content, view }))).join('')
  }
  expect(await textOf('test')).toContain('no money moves')
  expect(await textOf('live')).not.toContain('no money moves')
})

test('a long order fills several pages, and no line is lost', async () => {
  const lines = Array.from({ length: 120 }, (_, index) => line('Charge', '1.00', 1, `Line no. ${index + 1}`))
  const texts = await document(exampleOrder({ lines }), [])
  const text = texts.join('\n')
  for (let index = 1; index <= 120; index++) expect(text).toContain(`Line no. ${index}`)
  expect(text).toContain('Page 1 of')
})

test('other documents are drawn between the rows of a long one', async () => {
  const lines = Array.from({ length: 120 }, () => line('Charge', '1.00', 1, 'Tea'))
  const turns = { taken: 0, areOver: false }
  const rendering = document(exampleOrder({ lines }), []).finally(() => (turns.areOver = true))
  for (; !turns.areOver; turns.taken++) await setImmediate()
  await rendering
  expect(turns.taken).toBeGreaterThan(120)
})

test('a document is drawn once until its content changes', async () => {
  const documents = new RenderedDocuments()
  const content = contentOf(exampleOrder({ lines: LINES }), [])
  const made = await documents.render(content)
  const later = { ...content, view: { ...content.view, now: content.view.now.add({ hours: 1 }) } }
  expect(await documents.render(later)).toBe(made)
  expect(await documents.render({ ...content, customerName: 'Ada' })).not.toBe(made)
  const paid = contentOf(content.view.order, [exampleTransaction(content.view.order)])
  expect(await documents.render(paid)).not.toBe(made)
})

test('a long document does not block the service', async () => {
  const lines = Array.from({ length: 500 }, (_, index) => line('Charge', '1.00', 1, `青瓷茶壺連杯 ${index}`))
  const content = contentOf(exampleOrder({ lines }), [])
  const before = performance.eventLoopUtilization()
  const pdf = await new RenderedDocuments().render(content)
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5)
  expect(textsOfPdf(pdf).join('')).toContain('青瓷茶壺連杯 499')
})

test('a thread that dies fails its document, and the next document gets a new thread', async () => {
  const drawing = new DrawingThread()
  const started = once(process, 'worker') as Promise<[Worker]>
  const texts = documentOf(contentOf(exampleOrder({ lines: LINES }), []))
  const lost = drawing.draw(texts).catch(String)
  const [thread] = await started
  await thread.terminate()
  expect(await lost).toContain('has ended')
  expect((await drawing.draw(texts)).subarray(0, 5).toString()).toBe('%PDF-')
})

test('the drawing thread does not keep the process running', async () => {
  const script = fileURLToPath(new URL('../testing/draw-once.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script], { timeout: 90_000 })
  expect(stdout).toBe('%PDF-')
})

test('the fonts have every character of the Traditional Chinese texts', () => {
  expect(canShow(JSON.stringify(wordsOf('zh-Hant')))).toBe(true)
})

test('Simplified Chinese and the commas of Japanese have the mainland’s shapes, everything else Hong Kong’s', () => {
  const fontsOf = (language: Language, text = '第 1 页，共 3 页') =>
    runsOf(text, 400, language).map(({ font }) => font)
  expect(fontsOf('zh-Hans').every((font) => font.startsWith('noto-sans-sc/'))).toBe(true)
  expect(fontsOf('ja', '第、')).toEqual([
    expect.stringMatching(/^noto-sans-hk\//),
    expect.stringMatching(/^noto-sans-sc\//),
  ])
  expect(fontsOf('zh-Hant')[0]).toMatch(/^noto-sans-hk\//)
})

test('an amount is never broken into two lines', async () => {
  const lines = [
    line('Charge', '123456789012345.67', 1, 'A ship'),
    line('Charge', '1.00', 1_000_000_000, 'Bolts'),
    line('Charge', '-99999999999.99', 1, 'Discount'),
  ]
  const texts = await document(exampleOrder({ lines }), [])
  for (const figure of [
    '123,456,789,012,345.67',
    '1000000000',
    '−99,999,999,999.99',
    'HKD 123,357,789,012,345.68',
  ]) {
    expect(texts).toContain(figure)
  }
})

test('payments and refunds of a stored wallet show the wallet’s name', async () => {
  const order = exampleOrder()
  const { instrument } = exampleTransaction(order)
  const wallet = { ...instrument, acquirerType: 'wallet' as const, brand: null, first6: null, last4: null }
  const stored = { paymentMethod: 'payment_token' as const, token: 'pmt_1', instrument: wallet }
  const payments = [
    exampleTransaction(order, stored),
    exampleTransaction(order, { ...stored, type: 'Refund', amount: order.initialTotal.negated() }),
  ]
  for (const [tokenType, name] of [
    ['WalletAPayAutoDebit', 'WalletA Pay'],
    ['WalletBAutoDebit', 'WalletB'],
  ] as const) {
    const texts = await document(order, payments, { tokenTypes: new Map([['pmt_1', tokenType]]) })
    expect(texts).toContain(`${name} · Receipt no. 100000`)
    expect(texts).toContain(`Refund · ${name} · Receipt no. 100000`)
  }
})

test('a line break in a label becomes a space', async () => {
  const texts = await document(exampleOrder({ lines: [line('Charge', '1.00', 1, 'Tea\r\nfor two')] }), [])
  expect(texts).toContain('Tea for two')
})

test('the merchant’s logo is in the document, and one that cannot be drawn leaves it as it is', async () => {
  const order = exampleOrder()
  const draw = (logo: DocumentContent['logo']) =>
    drawDocument(documentOf(contentOf(order, [], { ...(logo && { logo }) })))
  const hash = 'a'.repeat(64)
  const withLogo = await draw({ type: 'image/png', hash, content: png() })
  expect(withLogo.toString('latin1')).toContain('/Subtype /Image')
  const without = await draw(undefined)
  expect(without.toString('latin1')).not.toContain('/Subtype /Image')
  const damaged = await draw({ type: 'image/jpeg', hash, content: Buffer.from('ffd8ffff', 'hex') })
  expect(textsOfPdf(damaged)).toEqual(textsOfPdf(without))
})
