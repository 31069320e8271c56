import { setImmediate } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import { encode } from 'uqr'
import type { DocumentTexts } from './document.ts'
import { type TextStyle, Typesetter } from './typesetter.ts'
import { say } from '../words/words.ts'

/** In points; A4 is 595 by 842. */
const MARGIN = 56
const RIGHT = 595 - MARGIN
const BOTTOM = 842 - 72
const WIDTH = RIGHT - MARGIN
const GREY = '#5c5f66'
const RULE = '#d3d5da'
const SMALL: TextStyle = { size: 9, color: GREY }
const BODY: TextStyle = { size: 10 }
const BOLD: TextStyle = { size: 10, weight: 700 }
const SUM_STYLES = { none: BODY, bold: BOLD, total: { ...BOLD, size: 12 } } as const
const QR_SIZE = 108
const LOGO_WIDTH = 160
const LOGO_HEIGHT = 44
const COLUMNS = {
  item: { x: MARGIN, width: 240 },
  quantity: { x: MARGIN + 250, width: 50 },
  price: { x: MARGIN + 305, width: 85 },
  amount: { x: MARGIN + 395, width: WIDTH - 395 },
} as const
const SUM_WIDTH = 140
const COLUMN_GAP = 10

export async function drawDocument(texts: DocumentTexts): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: texts.language,
    info: {
      Title: `${texts.title} ${texts.referenceNumber}`,
      Author: texts.businessName,
      Creator: 'Quittance',
    },
  })
  const parts: Buffer[] = []
  pdf.on('data', (part: Buffer) => parts.push(part))
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('end', resolve)
    pdf.on('error', reject)
  })
  await new DocumentLayout(pdf, texts).draw()
  pdf.end()
  await ended
  return Buffer.concat(parts)
}

class DocumentLayout {
  readonly #pdf: InstanceType<typeof PDFDocument>
  readonly #typesetter: Typesetter
  readonly #texts: DocumentTexts
  #y = MARGIN

  constructor(pdf: InstanceType<typeof PDFDocument>, texts: DocumentTexts) {
    this.#pdf = pdf
    this.#typesetter = new Typesetter(pdf, texts.language)
    this.#texts = texts
  }

  async draw(): Promise<void> {
    this.#heading()
    this.#facts()
    await this.#rows()
    await this.#sums()
    await this.#payments()
    await this.#code()
    this.#pageNumbers()
    await this.#typesetter.embedFonts()
  }

  #heading(): void {
    const half = WIDTH / 2 - 10
    const top = this.#y
    this.#logo()
    const name = { x: MARGIN, y: this.#y + 4, width: half }
    const under = this.#typesetter.write(this.#texts.businessName, name, { size: 15, weight: 700 })
    const contacts = this.#texts.contacts.reduce(
      (y, contact) => this.#typesetter.write(contact, { x: MARGIN, y: y + 1, width: half }, SMALL),
      under,
    )
    const beside = { x: MARGIN + WIDTH - half, y: top, width: half }
    const other = this.#typesetter.write(this.#texts.title, beside, { size: 22, weight: 700, align: 'right' })
    this.#y = Math.max(contacts, other) + 18
    const { testMode } = this.#texts
    if (testMode !== null)
      this.#y = this.#typesetter.write(testMode, { x: MARGIN, y: this.#y, width: WIDTH }, BOLD) + 10
  }

  #logo(): void {
    const { logo } = this.#texts
    if (logo === null) return
    try {
      this.#pdf.image(logo, MARGIN, this.#y, { fit: [LOGO_WIDTH, LOGO_HEIGHT] })
      this.#y += LOGO_HEIGHT + 6
    } catch {
      // A JPEG that PDF readers could not show. The document is worth more than its logo.
    }
  }

  #facts(): void {
    for (const { label, value } of this.#texts.facts) {
      this.#typesetter.write(label, { x: MARGIN, y: this.#y + 1, width: 100 }, SMALL)
      this.#y = this.#typesetter.write(value, { x: MARGIN + 105, y: this.#y, width: WIDTH - 105 }, BODY) + 2
    }
    this.#y += 18
  }

  async #rows(): Promise<void> {
    this.#titles()
    for (const { item, quantity, price, amount } of this.#texts.rows) {
      const label = this.#typesetter.breakLines(item, COLUMNS.item.width, BODY)
      await this.#makeRoom(label.height + 12, () => this.#titles())
      const y = this.#y
      const below = this.#typesetter.place(label, { x: COLUMNS.item.x, y })
      this.#figure('quantity', quantity, y)
      this.#figure('price', price, y)
      this.#figure('amount', amount, y)
      this.#y = below + 4
      this.#rule()
    }
  }

  #titles(): void {
    const { item, quantity, price, amount } = this.#texts.titles
    this.#cell('item', item, this.#y, SMALL)
    this.#cell('quantity', quantity, this.#y, { ...SMALL, align: 'right' })
    this.#cell('price', price, this.#y, { ...SMALL, align: 'right' })
    this.#y = this.#cell('amount', amount, this.#y, { ...SMALL, align: 'right' }) + 3
    this.#rule()
  }

  #cell(column: keyof typeof COLUMNS, text: string, y: number, style: TextStyle): number {
    return this.#typesetter.write(text, { ...COLUMNS[column], y }, style)
  }

  #figure(column: keyof typeof COLUMNS, text: string, y: number): void {
    const { x, width } = COLUMNS[column]
    this.#typesetter.place(this.#typesetter.oneLine(text, width, { ...BODY, align: 'right' }), { x, y })
  }

  async #sums(): Promise<void> {
    this.#y += 6
    const { x } = COLUMNS.quantity
    for (const { label, amount, emphasis } of this.#texts.sums) {
      const style = SUM_STYLES[emphasis]
      const figure = this.#typesetter.oneLine(amount, SUM_WIDTH, { ...style, align: 'right' })
      const name = this.#typesetter.breakLines(label, RIGHT - figure.inkWidth - COLUMN_GAP - x, style)
      await this.#makeRoom(name.height + 3)
      const y = this.#y
      this.#y = this.#typesetter.place(name, { x, y }) + 3
      this.#typesetter.place(figure, { x: RIGHT - SUM_WIDTH, y })
    }
  }

  async #payments(): Promise<void> {
    const { payments, paymentsTitle } = this.#texts
    if (payments.length === 0) return
    await this.#makeRoom(60)
    this.#y = this.#typesetter.write(paymentsTitle, { x: MARGIN, y: this.#y + 18, width: WIDTH }, BOLD) + 4
    this.#rule()
    for (const { date, description, amount } of payments) {
      await this.#makeRoom(18)
      const y = this.#y
      this.#typesetter.write(date, { x: MARGIN, y, width: 100 }, BODY)
      this.#y = this.#typesetter.write(description, { x: MARGIN + 105, y, width: 280 }, BODY) + 3
      this.#figure('amount', amount, y)
    }
  }

  async #code(): Promise<void> {
    const { paymentLink, scanToPay } = this.#texts
    if (paymentLink === null) return
    await this.#makeRoom(QR_SIZE + 50)
    const y = this.#y + 26
    const { data, size } = encode(paymentLink, { ecc: 'M', border: 0 })
    const module = QR_SIZE / size
    this.#pdf.fillColor('#000000')
    data.forEach((row, rowIndex) =>
      row.forEach((isDark, column) => {
        // Slightly wider than the grid, because PDF readers draw seams between squares that only touch.
        if (isDark)
          this.#pdf.rect(MARGIN + column * module, y + rowIndex * module, module + 0.1, module + 0.1)
      }),
    )
    this.#pdf.fill()
    this.#pdf.link(MARGIN, y, QR_SIZE, QR_SIZE, paymentLink)
    const beside = { x: MARGIN + QR_SIZE + 18, y: y + 4, width: WIDTH - QR_SIZE - 18 }
    const below = this.#typesetter.write(scanToPay, beside, BOLD)
    this.#typesetter.write(paymentLink, { ...beside, y: below + 2 }, { size: 7.5, color: GREY })
    this.#y = y + QR_SIZE
  }

  #pageNumbers(): void {
    const { count } = this.#pdf.bufferedPageRange()
    if (count < 2) return
    for (let page = 0; page < count; page++) {
      this.#pdf.switchToPage(page)
      const text = say(this.#texts.pageNumber, { page: String(page + 1), pages: String(count) })
      this.#typesetter.write(text, { x: MARGIN, y: 842 - 48, width: WIDTH }, { ...SMALL, align: 'right' })
    }
  }

  /** Starts a new page when `height` does not fit on this one. Yields, because a document can have hundreds of rows. */
  async #makeRoom(height: number, onNewPage: () => void = () => {}): Promise<void> {
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
