import { documentOf } from '../documents/document.ts'
import { DrawingThread } from '#platform/documents/drawing-thread'
import { EXAMPLE_BRAND } from './example-brand.ts'
import { wordsOf } from '../words/all-words.ts'
import { exampleOrder } from './example-order.ts'

const order = exampleOrder()
const texts = documentOf({
  view: {
    businessId: 'biz_1',
    businessName: 'Tea',
    environment: 'test',
    order,
    transactions: [],
    state: { kind: 'payable', lastFailed: null },
    now: order.createdAt,
    brand: EXAMPLE_BRAND,
    timeLeft: null,
    transfer: null,
    savedCardBecomesDefault: false,
  },
  customerName: null,
  logo: undefined,
  tokenTypes: new Map(),
  timeZone: 'Asia/Hong_Kong',
  paymentLink: null,
  language: 'en',
  words: wordsOf('en'),
})
const running = setInterval(() => {}, 1_000)
const pdf = await new DrawingThread().draw(texts)
clearInterval(running)
process.stdout.write(pdf.subarray(0, 5))
