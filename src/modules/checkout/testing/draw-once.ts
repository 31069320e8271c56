import { documentOf } from '../documents/document.ts'
import { Drawing } from '../documents/drawing.ts'
import { WORDS } from '../words/all-words.ts'
import { exampleOrder } from './example-order.ts'

/** For tests: a process that draws one document, kept running by something else until then, and ends. */
const order = exampleOrder()
const texts = documentOf({
  view: {
    businessId: 'biz_1',
    businessName: 'Tea',
    environment: 'test',
    order,
    transactions: [],
    standing: { kind: 'payable', lastFailed: null },
    now: order.createdAt,
  },
  customerName: null,
  tokenTypes: new Map(),
  timeZone: 'Asia/Hong_Kong',
  paymentLink: null,
  language: 'en',
  words: WORDS.en,
})
const running = setInterval(() => {}, 1_000)
const pdf = await new Drawing().draw(texts)
clearInterval(running)
process.stdout.write(pdf.subarray(0, 5))
