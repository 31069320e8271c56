import { setImmediate } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import { encode } from 'uqr'
import { onOneLine } from '#kernel/one-line'
import type { Attachment, DocumentTexts, Fact, TaxRow } from './document-texts.ts'
import { type TextStyle, Typesetter } from './typesetter.ts'

/** In points; A4 is 595 by 842. */
const MARGIN = 56
const RIGHT = 595 - MARGIN
const BOTTOM = 842 - 72
const WIDTH = RIGHT - MARGIN
const COLUMN_GAP = 10
const GREY = '#5c5f66'
const RULE = '#d3d5da'
const SMALL: TextStyle = { size: 9, color: GREY }
const BODY: TextStyle = { size: 10 }
const BOLD: TextStyle = { size: 10, weight: 700 }
const SUM_STYLES = { none: BODY, bold: BOLD, total: { ...BOLD, size: 12 } } as const
const QR_SIZE = 108
const HALF = WIDTH / 2 + COLUMN_GAP
const LOGO_WIDTH = 160
const LOGO_HEIGHT = 44
const HEADLINE: TextStyle = { size: 14, weight: 700 }
const FOOTER: TextStyle = { size: 8, color: GREY }
const FOOTER_Y = 842 - 48
const FOOTER_WIDTH = WIDTH - 100
/** What fits between the text and the margin below. */
const FOOTER_HEIGHT = 24
interface Column {
  readonly x: number
  readonly width: number
}

type Columns = Readonly<Record<'item' | 'quantity' | 'price' | 'tax' | 'amount', Column>>

const COLUMNS: Columns = {
  item: { x: MARGIN, width: 240 },
  quantity: { x: MARGIN + 250, width: 50 },
  price: { x: MARGIN + 305, width: 85 },
  tax: { x: MARGIN + 390, width: 0 },
  amount: { x: MARGIN + 395, width: WIDTH - 395 },
}
const COLUMNS_WITH_TAX: Columns = {
  item: { x: MARGIN, width: 195 },
  quantity: { x: MARGIN + 205, width: 45 },
  price: { x: MARGIN + 255, width: 80 },
  tax: { x: MARGIN + 340, width: 55 },
  amount: COLUMNS.amount,
}
const SUM_WIDTH = 140

export async function drawDocument(texts: DocumentTexts): Promise<Buffer> {
  const { attachment, language } = texts
  const info = {
    Title: onOneLine(`${texts.title} ${texts.referenceNumber}`),
    Author: onOneLine(texts.businessName),
  }
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: language,
    ...(attachment !== null && { subset: 'PDF/A-3b', pdfVersion: '1.7' }),
    info: { ...(attachment === null ? info : plainForXml(info)), Creator: 'Quittance' },
  })
  if (attachment !== null) attach(pdf, attachment)
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

type Pdf = InstanceType<typeof PDFDocument>

/** The types of pdfkit leave `openImage` out. */
interface Images {
  openImage(source: string): PDFKit.Mixins.ImageSrc & { readonly colorSpace?: string }
}

function attach(pdf: Pdf, { name, type, description, content, metadata }: Attachment): void {
  const { CreationDate: modifiedDate } = pdf.info
  const options = {
    name,
    type,
    description,
    relationship: 'Alternative' as const,
    ...(modifiedDate && { modifiedDate }),
  }
  pdf.file(Buffer.from(content), options)
  pdf.appendXML(metadata)
}

/** pdfkit 0.20.2 writes the title and the author into the XMP packet as they are. */
function plainForXml<T extends Readonly<Record<string, string>>>(info: T): T {
  const entries = Object.entries(info).map(([key, text]) => [
    key,
    text.replaceAll('&', '\uff06').replaceAll('<', '\u2039'),
  ])
  return Object.fromEntries(entries) as T
}

class DocumentLayout {
  readonly #pdf: Pdf
  readonly #typesetter: Typesetter
  readonly #texts: DocumentTexts
  readonly #columns: Columns
  readonly #footerHeight: number
  #y = MARGIN

  constructor(pdf: Pdf, texts: DocumentTexts) {
    this.#pdf = pdf
    this.#typesetter = new Typesetter(pdf, texts.language, { isArchive: texts.attachment !== null })
    this.#texts = texts
    this.#columns = texts.titles.tax === null ? COLUMNS : COLUMNS_WITH_TAX
    this.#footerHeight =
      texts.footer === null ? 0 : this.#typesetter.breakLines(texts.footer, FOOTER_WIDTH, FOOTER).height
  }

  async draw(): Promise<void> {
    this.#heading()
    this.#facts(this.#texts.facts, WIDTH)
    this.#y += 18
    this.#parties()
    this.#headline()
    await this.#rows()
    await this.#sums()
    await this.#taxes()
    await this.#payments()
    await this.#waysToPay()
    await this.#notes()
    this.#footers()
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
      const image = (this.#pdf as unknown as Images).openImage(logo)
      // An archive's colors are sRGB's (ISO 19005-3, 6.2.4.3), which the four inks of a JPEG are not.
      if (this.#texts.attachment !== null && image.colorSpace === 'DeviceCMYK') return
      this.#pdf.image(image, MARGIN, this.#y, { fit: [LOGO_WIDTH, LOGO_HEIGHT] })
      this.#y += LOGO_HEIGHT + 6
    } catch {
      // A JPEG that PDF readers could not show. The document is worth more than its logo.
    }
  }

  #facts(facts: readonly Fact[], width: number): void {
    for (const { label, value } of facts) {
      this.#typesetter.write(label, { x: MARGIN, y: this.#y + 1, width: 100 }, SMALL)
      const box = { x: MARGIN + 105, y: this.#y, width: width - 105 }
      this.#y = this.#typesetter.write(value, box, BODY) + 2
    }
  }

  #parties(): void {
    const { parties } = this.#texts
    if (parties.length === 0) return
    const width = (WIDTH - COLUMN_GAP * (parties.length - 1)) / parties.length
    const bottoms = parties.map(({ title, name, lines }, index) => {
      const box = { x: MARGIN + index * (width + COLUMN_GAP), width }
      const under = this.#typesetter.write(title, { ...box, y: this.#y }, SMALL) + 1
      const below = this.#typesetter.write(name, { ...box, y: under }, BOLD)
      return lines.reduce((y, line) => this.#typesetter.write(line, { ...box, y }, BODY), below)
    })
    this.#y = Math.max(...bottoms) + 18
  }

  #headline(): void {
    const { headline } = this.#texts
    if (headline === null) return
    this.#y = this.#typesetter.write(headline, { x: MARGIN, y: this.#y, width: WIDTH }, HEADLINE) + 14
  }

  async #rows(): Promise<void> {
    this.#titles()
    for (const { item, details, quantity, price, tax, amount } of this.#texts.rows) {
      const { width } = this.#columns.item
      const label = this.#typesetter.breakLines(item, width, BODY)
      const below = details.map((detail) => this.#typesetter.breakLines(detail, width, SMALL))
      const height = below.reduce((sum, detail) => sum + detail.height, label.height)
      await this.#makeRoom(height + 12, () => this.#titles())
      const y = this.#y
      const { x } = this.#columns.item
      const bottom = [label, ...below].reduce((top, text) => this.#typesetter.place(text, { x, y: top }), y)
      this.#figure('quantity', quantity, y)
      this.#figure('price', price, y)
      if (tax !== null) this.#figure('tax', tax, y)
      this.#figure('amount', amount, y)
      this.#y = bottom + 4
      this.#rule()
    }
  }

  #titles(): void {
    const { item, quantity, price, tax, amount } = this.#texts.titles
    const right = { ...SMALL, align: 'right' } as const
    this.#cell('item', item, this.#y, SMALL)
    this.#cell('quantity', quantity, this.#y, right)
    this.#cell('price', price, this.#y, right)
    if (tax !== null) this.#cell('tax', tax, this.#y, right)
    this.#y = this.#cell('amount', amount, this.#y, right) + 3
    this.#rule()
  }

  #cell(column: keyof Columns, text: string, y: number, style: TextStyle): number {
    return this.#typesetter.write(text, { ...this.#columns[column], y }, style)
  }

  #figure(column: keyof Columns, text: string, y: number): void {
    const { x, width } = this.#columns[column]
    this.#typesetter.place(this.#typesetter.oneLine(text, width, { ...BODY, align: 'right' }), { x, y })
  }

  async #sums(): Promise<void> {
    this.#y += 6
    const { x } = this.#columns.quantity
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

  async #taxes(): Promise<void> {
    const { taxes } = this.#texts
    if (taxes === null) return
    await this.#makeRoom(70)
    this.#y += 18
    this.#taxRow(taxes.titles, SMALL)
    this.#rule()
    for (const row of taxes.rows) {
      await this.#makeRoom(30, () => this.#taxRow(taxes.titles, SMALL))
      this.#taxRow(row, BODY)
    }
  }

  #taxRow({ name, base, amount }: TaxRow, style: TextStyle): void {
    const { item, price } = this.#columns
    const label = this.#typesetter.breakLines(name, price.x - COLUMN_GAP - item.x, style)
    const y = this.#y
    const figure = { ...style, align: 'right' } as const
    this.#typesetter.place(this.#typesetter.oneLine(base, price.width, figure), { x: price.x, y })
    this.#typesetter.place(this.#typesetter.oneLine(amount, this.#columns.amount.width, figure), {
      x: this.#columns.amount.x,
      y,
    })
    this.#y = this.#typesetter.place(label, { x: item.x, y }) + 3
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

  /** The QR code is on the right of the bank account. Without one it has the whole line. */
  async #waysToPay(): Promise<void> {
    const { transfer, transferTitle, paymentLink } = this.#texts
    const hasTransfer = transfer.length > 0
    const height = hasTransfer ? 50 + 18 * transfer.length : 0
    if (!hasTransfer && paymentLink === null) return
    await this.#makeRoom(paymentLink === null ? height : Math.max(height, QR_SIZE + 50))
    this.#y += 26
    const top = this.#y
    if (hasTransfer) {
      this.#y = this.#typesetter.write(transferTitle, { x: MARGIN, y: top, width: HALF }, BOLD) + 4
      this.#facts(transfer, paymentLink === null ? WIDTH : HALF)
    }
    if (paymentLink === null) return
    this.#code(paymentLink, { x: hasTransfer ? MARGIN + HALF : MARGIN, y: top })
    this.#y = Math.max(this.#y, top + QR_SIZE)
  }

  async #notes(): Promise<void> {
    const { notes } = this.#texts
    if (notes.length > 0) this.#y += 18
    for (const note of notes) {
      const text = this.#typesetter.breakLines(note, WIDTH, BODY)
      await this.#makeRoom(text.height + 4)
      this.#y = this.#typesetter.place(text, { x: MARGIN, y: this.#y }) + 4
    }
  }

  #code(paymentLink: string, { x, y }: { readonly x: number; readonly y: number }): void {
    const { data, size } = encode(paymentLink, { ecc: 'M', border: 0 })
    const module = QR_SIZE / size
    this.#pdf.fillColor('#000000')
    data.forEach((row, rowIndex) =>
      row.forEach((isDark, column) => {
        // Slightly wider than the grid, because PDF readers draw seams between squares that only touch.
        if (isDark) this.#pdf.rect(x + column * module, y + rowIndex * module, module + 0.1, module + 0.1)
      }),
    )
    this.#pdf.fill()
    this.#pdf.link(x, y, QR_SIZE, QR_SIZE, paymentLink)
    const left = x + QR_SIZE + 18
    const beside = { x: left, y: y + 4, width: RIGHT - left }
    const below = this.#typesetter.write(this.#texts.scanToPay, beside, BOLD)
    this.#typesetter.write(paymentLink, { ...beside, y: below + 2 }, { size: 7.5, color: GREY })
  }

  #footers(): void {
    const { footer, pageNumber } = this.#texts
    const { count } = this.#pdf.bufferedPageRange()
    if (count < 2 && footer === null) return
    for (let page = 0; page < count; page++) {
      this.#pdf.switchToPage(page)
      const y = FOOTER_Y - Math.max(0, this.#footerHeight - FOOTER_HEIGHT)
      if (footer !== null) this.#typesetter.write(footer, { x: MARGIN, y, width: FOOTER_WIDTH }, FOOTER)
      if (count < 2) continue
      const text = pageNumber.replace('{page}', String(page + 1)).replace('{pages}', String(count))
      this.#typesetter.write(text, { x: MARGIN, y: FOOTER_Y, width: WIDTH }, { ...SMALL, align: 'right' })
    }
  }

  /** Starts a new page when `height` does not fit on this one. Yields, because a document can have hundreds of rows. */
  async #makeRoom(height: number, onNewPage: () => void = () => {}): Promise<void> {
    await setImmediate()
    if (this.#y + height <= BOTTOM - Math.max(0, this.#footerHeight - FOOTER_HEIGHT)) return
    this.#pdf.addPage()
    this.#y = MARGIN
    onNewPage()
  }

  #rule(): void {
    this.#pdf.moveTo(MARGIN, this.#y).lineTo(RIGHT, this.#y).lineWidth(0.5).strokeColor(RULE).stroke()
    this.#y += 5
  }
}
