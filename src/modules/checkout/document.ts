import { setImmediate } from 'node:timers/promises'
import type PDFDocument from 'pdfkit'
import { encode } from 'uqr'
import { localDateOf, type TimeZone } from '#kernel/time-zone'
import type { PaymentToken } from '#modules/customers'
import { correspondenceState, type Transaction, unpaidTotal } from '#modules/payments'
import { type TextStyle, Typesetter } from './document-text.ts'
import type { Language } from './language.ts'
import { amountText, moneyText } from './money-text.ts'
import { summaryOf } from './order-summary.ts'
import type { PaymentView } from './payment-view.ts'
import { brandName } from './card-brand.ts'
import { say, type Words } from './words.ts'

export interface DocumentContent {
  readonly view: PaymentView
  readonly customerName: string | null
  /** What the stored tokens are that were charged, by token. */
  readonly tokenTypes: ReadonlyMap<string, PaymentToken['tokenType']>
  readonly timeZone: TimeZone
  /** Drawn as a QR code while the order is to be paid. */
  readonly paymentLink: string | null
  readonly language: Language
  readonly words: Words
}

/** Points; A4 is 595 by 842. */
const MARGIN = 56
const RIGHT = 595 - MARGIN
const BOTTOM = 842 - 72
const WIDTH = RIGHT - MARGIN
const GREY = '#5c5f66'
const RULE = '#d3d5da'
const SMALL: TextStyle = { size: 9, color: GREY }
const BODY: TextStyle = { size: 10 }
const BOLD: TextStyle = { size: 10, weight: 700 }
const QR_SIZE = 108
const COLUMNS = {
  item: { x: MARGIN, width: 240 },
  quantity: { x: MARGIN + 250, width: 50 },
  price: { x: MARGIN + 305, width: 85 },
  amount: { x: MARGIN + 395, width: WIDTH - 395 },
} as const
/** Of the amounts below the lines. */
const TOTAL_WIDTH = 140
const COLUMN_GAP = 10

/** The invoice while the order is unpaid, the receipt once it is paid, as a PDF. */
export async function renderDocument(content: DocumentContent): Promise<Buffer> {
  const { words, view } = content
  const title = isReceipt(view) ? words.receipt : words.invoice
  // Loaded with the first document: a service that makes none does without its 25 MB.
  const { default: Pdf } = await import('pdfkit')
  const pdf = new Pdf({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: content.language,
    info: {
      Title: `${title} ${view.order.referenceNumber}`,
      Author: view.businessName,
      Creator: 'Quittance',
    },
  })
  const parts: Buffer[] = []
  pdf.on('data', (part: Buffer) => parts.push(part))
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('end', resolve)
    pdf.on('error', reject)
  })
  await new DocumentLayout(pdf, content).draw(title)
  pdf.end()
  await ended
  return Buffer.concat(parts)
}

export function isReceipt({ order }: PaymentView): boolean {
  return order.state !== 'open' || correspondenceState(order) === 'paid'
}

class DocumentLayout {
  readonly #pdf: InstanceType<typeof PDFDocument>
  readonly #set: Typesetter
  readonly #content: DocumentContent
  #y = MARGIN

  constructor(pdf: InstanceType<typeof PDFDocument>, content: DocumentContent) {
    this.#pdf = pdf
    this.#set = new Typesetter(pdf, content.language)
    this.#content = content
  }

  async draw(title: string): Promise<void> {
    this.#heading(title)
    this.#facts()
    await this.#lines()
    await this.#totals()
    await this.#payments()
    await this.#code()
    this.#pageNumbers()
    await this.#set.embedFonts()
  }

  #heading(title: string): void {
    const half = WIDTH / 2 - 10
    const name = { x: MARGIN, y: this.#y + 4, width: half }
    const under = this.#set.write(this.#content.view.businessName, name, { size: 15, weight: 700 })
    const beside = { x: MARGIN + WIDTH - half, y: this.#y, width: half }
    const other = this.#set.write(title, beside, { size: 22, weight: 700, align: 'right' })
    this.#y = Math.max(under, other) + 18
  }

  #facts(): void {
    const { view, words, timeZone, customerName } = this.#content
    const { order } = view
    const paidAt = isReceipt(view) ? lastPaidAt(view.transactions) : null
    const facts: [string, string | null][] = [
      [words.documentNumber, order.id],
      [words.referenceNumber, order.referenceNumber],
      [words.issuedOn, localDateOf(order.createdAt, timeZone).toString()],
      [words.dueOn, paidAt === null ? order.dueDate : null],
      [words.paidOn, paidAt === null ? null : localDateOf(paidAt, timeZone).toString()],
      [words.billedTo, customerName],
    ]
    for (const [label, value] of facts) {
      if (value === null || value === '') continue
      this.#set.write(label, { x: MARGIN, y: this.#y + 1, width: 100 }, SMALL)
      this.#y = this.#set.write(value, { x: MARGIN + 105, y: this.#y, width: WIDTH - 105 }, BODY) + 2
    }
    this.#y += 18
  }

  async #lines(): Promise<void> {
    const { view, words } = this.#content
    this.#lineTitles()
    for (const item of summaryOf(view.order, words).items) {
      const label = this.#set.breakLines(item.label, COLUMNS.item.width, BODY)
      await this.#room(label.height + 12, () => this.#lineTitles())
      const y = this.#y
      const below = this.#set.place(label, { x: COLUMNS.item.x, y })
      this.#figure('quantity', String(item.quantity), y)
      this.#figure('price', amountText(item.price), y)
      this.#figure('amount', amountText(item.total), y)
      this.#y = below + 4
      this.#rule()
    }
  }

  #lineTitles(): void {
    const { words, view } = this.#content
    this.#cell('item', words.item, this.#y, SMALL)
    this.#cell('quantity', words.quantity, this.#y, { ...SMALL, align: 'right' })
    this.#cell('price', words.price, this.#y, { ...SMALL, align: 'right' })
    const amount = `${words.amount} (${view.order.currency})`
    this.#y = this.#cell('amount', amount, this.#y, { ...SMALL, align: 'right' }) + 3
    this.#rule()
  }

  #cell(column: keyof typeof COLUMNS, text: string, y: number, style: TextStyle): number {
    return this.#set.write(text, { ...COLUMNS[column], y }, style)
  }

  #figure(column: keyof typeof COLUMNS, text: string, y: number): void {
    const { x, width } = COLUMNS[column]
    this.#set.place(this.#set.oneLine(text, width, { ...BODY, align: 'right' }), { x, y })
  }

  async #totals(): Promise<void> {
    const { view, words } = this.#content
    const { order } = view
    const { adjustments, subtotal, tips, total } = summaryOf(order, words)
    this.#y += 6
    for (const line of adjustments) await this.#total(line.label, amountText(line.total), BODY)
    if (subtotal !== null) await this.#total(words.subtotal, amountText(subtotal), BODY)
    for (const line of tips) await this.#total(line.label, amountText(line.total), BODY)
    await this.#total(words.total, moneyText(total), { ...BOLD, size: 12 })
    if (order.paidTotal.isZero()) return
    await this.#total(words.alreadyPaid, amountText(order.paidTotal), BODY)
    if (order.state === 'open') await this.#total(words.leftToPay, moneyText(unpaidTotal(order)), BOLD)
  }

  async #total(name: string, amount: string, style: TextStyle): Promise<void> {
    const { x } = COLUMNS.quantity
    const figure = this.#set.oneLine(amount, TOTAL_WIDTH, { ...style, align: 'right' })
    const label = this.#set.breakLines(name, RIGHT - figure.inkWidth - COLUMN_GAP - x, style)
    await this.#room(label.height + 3)
    const y = this.#y
    this.#y = this.#set.place(label, { x, y }) + 3
    this.#set.place(figure, { x: RIGHT - TOTAL_WIDTH, y })
  }

  async #payments(): Promise<void> {
    const { view, words, timeZone } = this.#content
    const moved = view.transactions.filter(
      ({ type, state }) => state === 'succeeded' && type !== 'Authorization',
    )
    if (moved.length === 0) return
    await this.#room(60)
    this.#y = this.#set.write(words.payments, { x: MARGIN, y: this.#y + 18, width: WIDTH }, BOLD) + 4
    this.#rule()
    for (const transaction of moved) {
      await this.#room(18)
      const date = localDateOf(transaction.succeededAt ?? transaction.createdAt, timeZone).toString()
      const y = this.#y
      this.#set.write(date, { x: MARGIN, y, width: 100 }, BODY)
      const method = this.#methodOf(transaction)
      this.#y = this.#set.write(method, { x: MARGIN + 105, y, width: 260 }, BODY) + 3
      this.#figure('amount', amountText(transaction.amount), y)
    }
  }

  #methodOf(transaction: Transaction): string {
    const { words, tokenTypes } = this.#content
    const { instrument, paymentMethod, token, type } = transaction
    const kind = type === 'Refund' ? `${words.refund} · ` : ''
    if (instrument.last4 !== null) {
      return `${kind}${brandName(instrument.brand ?? '', words)} **** ${instrument.last4}`
    }
    const isWalletB = paymentMethod === 'wallet_b' || tokenTypes.get(token ?? '') === 'WalletBAutoDebit'
    return kind + (isWalletB ? words.walletB : words.walletAPay)
  }

  /** The payment link as a QR code, which is a link itself where the document is read on a screen. */
  async #code(): Promise<void> {
    const { paymentLink, words } = this.#content
    if (paymentLink === null) return
    await this.#room(QR_SIZE + 50)
    const y = this.#y + 26
    const { data, size } = encode(paymentLink, { ecc: 'M', border: 0 })
    const module = QR_SIZE / size
    this.#pdf.fillColor('#000000')
    data.forEach((row, rowIndex) =>
      row.forEach((isDark, column) => {
        // A hair wider than the grid: readers draw seams between squares that only touch.
        if (isDark)
          this.#pdf.rect(MARGIN + column * module, y + rowIndex * module, module + 0.1, module + 0.1)
      }),
    )
    this.#pdf.fill()
    this.#pdf.link(MARGIN, y, QR_SIZE, QR_SIZE, paymentLink)
    const beside = { x: MARGIN + QR_SIZE + 18, y: y + 4, width: WIDTH - QR_SIZE - 18 }
    const below = this.#set.write(words.scanToPay, beside, BOLD)
    this.#set.write(paymentLink, { ...beside, y: below + 2 }, { size: 7.5, color: GREY })
    this.#y = y + QR_SIZE
  }

  #pageNumbers(): void {
    const { words } = this.#content
    const { count } = this.#pdf.bufferedPageRange()
    if (count < 2) return
    for (let page = 0; page < count; page++) {
      this.#pdf.switchToPage(page)
      const text = say(words.page, { page: String(page + 1), pages: String(count) })
      this.#set.write(text, { x: MARGIN, y: 842 - 48, width: WIDTH }, { ...SMALL, align: 'right' })
    }
  }

  /**
   * Goes to the next page unless this much fits on this one. Between the rows of a document, which may be hundreds, others
   * get their turn.
   */
  async #room(height: number, onNewPage: () => void = () => {}): Promise<void> {
    await setImmediate()
    if (this.#y + height <= BOTTOM) return
    this.#pdf.addPage()
    this.#y = MARGIN
    onNewPage()
  }

  #rule(): void {
    this.#pdf.moveTo(MARGIN, this.#y).lineTo(RIGHT, this.#y).lineWidth(0.5).strokeColor(RULE).stroke()
    this.#y += 5
  }
}

function lastPaidAt(transactions: readonly Transaction[]): Transaction['succeededAt'] {
  return (
    transactions.findLast(({ type, state }) => state === 'succeeded' && type !== 'Refund')?.succeededAt ??
    null
  )
}
