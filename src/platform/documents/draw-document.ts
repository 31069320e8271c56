import { setImmediate } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import { onOneLine } from '#kernel/one-line'
import { DocumentStructure, type Element, type Role } from './document-structure.ts'
import type { Attachment, DocumentTexts, Fact, Row, Sum, TaxRow } from './document-texts.ts'
import { drawCode } from './draw-code.ts'
import { pdfDate } from './pdf-date.ts'
import { type Piece, placePieces } from './place-pieces.ts'
import { pageDirection } from './text-direction.ts'
import { type Paragraph, type TextStyle, Typesetter } from './typesetter.ts'

/** In points; A4 is 595 by 842. */
const PAGE_WIDTH = 595
const MARGIN = 56
const RIGHT = PAGE_WIDTH - MARGIN
const WIDTH = RIGHT - MARGIN
const COLUMN_GAP = 10
const GREY = '#5c5f66'
const RULE = '#d3d5da'
const SMALL: TextStyle = { size: 9, color: GREY }
const BODY: TextStyle = { size: 10 }
const BOLD: TextStyle = { size: 10, weight: 700 }
const SUM_STYLES = { none: BODY, bold: BOLD, total: { ...BOLD, size: 12 } } as const
const QR_SIZE = 96
/** White paper around a code: 4 modules of a big one. */
const QR_BORDER = 8
/** Between two codes, phones need white paper of 4 modules. */
const CODE_WIDTH = QR_SIZE + 12
/** Of the opening: the seller with the document's title and dates on the right, then the parties. */
const HALF_WIDTH = (WIDTH - COLUMN_GAP) / 2
const LEFT_HALF: Column = { x: MARGIN, width: HALF_WIDTH }
const RIGHT_HALF: Column = { x: MARGIN + HALF_WIDTH + COLUMN_GAP, width: HALF_WIDTH }
const WHOLE: Column = { x: MARGIN, width: WIDTH }
const LOGO_WIDTH = 160
const LOGO_HEIGHT = 44
const TITLE: TextStyle = { size: 20, weight: 700 }
const NAME: TextStyle = { size: 15, weight: 700 }
const HEADLINE: TextStyle = { size: 14, weight: 700 }
const ADDRESS_GAP = 6
const CAPTION: TextStyle = { size: 7.5, weight: 700 }
const ADDRESS: TextStyle = { size: 7.5, color: GREY }
const FOOTER: TextStyle = { size: 8, color: GREY }
/** The line with the document's number and the page's, below the seller's footer. */
const PAGE_LINE_Y = 842 - 44
const FOOTER_BOTTOM = PAGE_LINE_Y - 6
const FOOTER_GAP = 10
const PAGE_NUMBER_WIDTH = 120
const FACT_LABEL_WIDTH = 170
const PADDING = 4
const RULE_HEIGHT = 5
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
const SUMS: Column = { x: RIGHT - SUM_WIDTH, width: SUM_WIDTH }
const DATES: Column = { x: MARGIN, width: 100 }
const DESCRIPTIONS: Column = { x: MARGIN + 105, width: 280 }
/** A longer text may continue on the next page. */
const MAX_LINES = 12
const MAX_NOTE_LINES = 4
const MAX_ROW_HEIGHT = 400

type Align = 'start' | 'end'
type Box = [left: number, top: number, right: number, bottom: number]

interface Code {
  readonly content: string
  readonly caption: string
}

/** @param place counted from the end of the line */
function columnOfCode(place: number): Column {
  return { x: RIGHT - place * CODE_WIDTH - (place - 1) * COLUMN_GAP, width: CODE_WIDTH }
}

export async function drawDocument(texts: DocumentTexts): Promise<Buffer> {
  const { attachment, language } = texts
  const info = {
    Title: onOneLine(`${texts.title} ${texts.referenceNumber}`),
    Author: onOneLine(texts.businessName),
  }
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    lang: language,
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    ...(attachment !== null && { subset: 'PDF/A-3b' }),
    info: {
      ...(attachment === null ? info : plainForXml(info)),
      Creator: 'Quittance',
      CreationDate: pdfDate(texts.createdAt),
    },
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

interface OpenedImage {
  readonly width: number
  readonly height: number
  readonly colorSpace?: string
}

/** The types of pdfkit leave `openImage` out. */
interface Images {
  openImage(source: string): OpenedImage
}

function attach(pdf: Pdf, { name, type, description, content, metadata }: Attachment): void {
  const { CreationDate: modifiedDate } = pdf.info
  const options = {
    name,
    type,
    description,
    relationship: 'Alternative' as const,
    ...(modifiedDate && { creationDate: modifiedDate, modifiedDate }),
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

/** A piece of the flow that knows how to draw itself. `head` is drawn again above it where it begins a page. */
interface Block extends Piece {
  readonly draw: (y: number) => void
  readonly drawHead?: () => void
}

interface Head {
  readonly block: Block
  readonly repeat: () => void
}

interface Cell {
  readonly column: Column
  readonly paragraph: Paragraph
}

class DocumentLayout {
  readonly #pdf: Pdf
  readonly #typesetter: Typesetter
  readonly #structure: DocumentStructure
  readonly #texts: DocumentTexts
  readonly #columns: Columns
  readonly #isRightToLeft: boolean
  readonly #footer: Paragraph | null
  #y = MARGIN

  constructor(pdf: Pdf, texts: DocumentTexts) {
    this.#pdf = pdf
    this.#typesetter = new Typesetter(pdf, texts.language, { isArchive: texts.attachment !== null })
    this.#structure = new DocumentStructure(pdf)
    this.#texts = texts
    this.#columns = texts.titles.tax === null ? COLUMNS : COLUMNS_WITH_TAX
    this.#isRightToLeft = pageDirection(texts.language) === 'rtl'
    this.#footer = texts.footer === null ? null : this.#break(texts.footer, WIDTH, FOOTER)
  }

  async draw(): Promise<void> {
    this.#heading()
    this.#parties()
    this.#headline()
    const blocks = [
      ...(await this.#rows()),
      ...this.#taxes(),
      ...this.#payments(),
      ...this.#waysToPay(),
      ...this.#notes(),
    ]
    await this.#flow(blocks)
    await this.#typesetter.embedFonts()
  }

  #heading(): void {
    const top = this.#y
    const { title, businessName, contacts, facts, testMode } = this.#texts
    const { width } = LEFT_HALF
    let beside = this.#tagged('H1', this.#break(title, width, TITLE), RIGHT_HALF, top) + 6
    this.#logo()
    let y = this.#tagged('P', this.#break(businessName, width, NAME), LEFT_HALF, this.#y + 4) + 1
    for (const contact of contacts) {
      y = this.#tagged('P', this.#break(contact, width, SMALL), LEFT_HALF, y) + 1
    }
    const dates = this.#facts(facts, RIGHT_HALF)
    dates.draw(beside)
    beside += dates.height
    this.#y = Math.max(y, beside) + 14
    if (testMode === null) return
    this.#y = this.#tagged('P', this.#break(testMode, WIDTH, BOLD), WHOLE, this.#y) + 10
  }

  #logo(): void {
    const { logo, businessName } = this.#texts
    if (logo === null) return
    try {
      const image = (this.#pdf as unknown as Images).openImage(logo)
      // An archive's colors are sRGB's (ISO 19005-3, 6.2.4.3), which the four inks of a JPEG are not.
      if (this.#texts.attachment !== null && image.colorSpace === 'DeviceCMYK') return
      const scale = Math.min(LOGO_WIDTH / image.width, LOGO_HEIGHT / image.height)
      const width = image.width * scale
      const x = this.#left({ x: MARGIN, width })
      const draw = () => void this.#pdf.image(image as never, x, this.#y, { width })
      const bbox: Box = [x, this.#y, x + width, this.#y + image.height * scale]
      this.#structure.tag(this.#structure.root, 'Figure', draw, { alt: businessName, bbox })
      this.#y += LOGO_HEIGHT + 6
    } catch {
      // A JPEG that PDF readers could not show. The document is worth more than its logo.
    }
  }

  /** Labels with their values. The labels share a column, as wide as its widest one and no wider than a third of the page. */
  #facts(facts: readonly Fact[], { x, width }: Column): Block {
    const widest = Math.max(0, ...facts.map(({ label }) => this.#typesetter.widthOf(label, SMALL)))
    const labels = { x, width: Math.min(widest + 1, FACT_LABEL_WIDTH, width / 2) }
    const values = { x: x + labels.width + COLUMN_GAP, width: width - labels.width - COLUMN_GAP }
    const rows = facts.map(({ label, value }) => ({
      label: this.#break(label, labels.width, SMALL),
      value: this.#break(value, values.width, BODY),
    }))
    const heights = rows.map(({ label, value }) => Math.max(label.height + 1, value.height) + 2)
    const draw = (top: number) => {
      if (rows.length === 0) return
      const table = this.#structure.open(this.#structure.root, 'Table')
      let y = top
      for (const [index, row] of rows.entries()) {
        const line = this.#structure.open(table, 'TR')
        this.#cell(line, 'TH', { column: labels, paragraph: row.label }, y + 1, 'Row')
        this.#cell(line, 'TD', { column: values, paragraph: row.value }, y)
        line.end()
        y += heights[index] ?? 0
      }
      table.end()
    }
    return { height: heights.reduce((sum, height) => sum + height, 0), draw }
  }

  #parties(): void {
    const { parties } = this.#texts
    if (parties.length === 0) return
    const width = (WIDTH - COLUMN_GAP * (parties.length - 1)) / parties.length
    const bottoms = parties.map(({ title, name, lines }, index) => {
      const column = { x: MARGIN + index * (width + COLUMN_GAP), width }
      let y = this.#tagged('H2', this.#break(title, width, SMALL), column, this.#y) + 1
      y = this.#tagged('P', this.#break(name, width, BOLD), column, y)
      for (const line of lines) y = this.#tagged('P', this.#break(line, width, BODY), column, y)
      return y
    })
    this.#y = Math.max(...bottoms) + 14
  }

  #headline(): void {
    const { headline } = this.#texts
    if (headline === null) return
    this.#y = this.#tagged('P', this.#break(headline, WIDTH, HEADLINE), WHOLE, this.#y) + 10
  }

  /** The lines and, on the page of the last of them, the sums. */
  async #rows(): Promise<Block[]> {
    const { titles, rows, sums } = this.#texts
    const table = this.#opened('Table')
    const head = this.#titles(titles, table)
    const blocks: Block[] = [head.block]
    const repeated = { head: head.block.height, drawHead: head.repeat }
    for (const row of rows) {
      blocks.push(...this.#row(row, table).map((block) => ({ ...block, ...repeated })))
      await setImmediate()
    }
    const last = blocks.pop()
    if (last !== undefined) blocks.push({ ...last, staysWithNext: true })
    return [...blocks, ...this.#sums(sums)]
  }

  #titles({ item, quantity, price, tax, amount }: Row, table: () => Element): Head {
    const cells = [
      this.#title('item', item, 'start'),
      this.#title('quantity', quantity, 'end'),
      this.#title('price', price, 'end'),
      ...(tax === null ? [] : [this.#title('tax', tax, 'end')]),
      this.#title('amount', amount, 'end'),
    ]
    const textHeight = Math.max(...cells.map(({ paragraph }) => paragraph.height)) + 3
    const bottomUp = ({ height }: Paragraph, y: number) => y + textHeight - 3 - height
    const height = textHeight + RULE_HEIGHT
    const draw = (y: number) => {
      const line = this.#structure.open(table(), 'TR')
      for (const cell of cells) this.#cell(line, 'TH', cell, bottomUp(cell.paragraph, y), 'Column')
      line.end()
      this.#rule(y + textHeight)
    }
    const repeat = () =>
      this.#structure.artifact(() => {
        for (const { column, paragraph } of cells) this.#place(paragraph, column, bottomUp(paragraph, MARGIN))
        this.#line(MARGIN + textHeight)
      })
    return { block: { height, draw, staysWithNext: true }, repeat }
  }

  #title(name: keyof Columns, text: string, align: Align): Cell {
    const column = this.#columns[name]
    return { column, paragraph: this.#break(text, column.width, SMALL, align) }
  }

  /** One block, unless its texts are longer than a page: then one for each part that fits. */
  #row({ item, details, quantity, price, tax, amount }: Row, table: () => Element): Block[] {
    const { width } = this.#columns.item
    const texts = [
      this.#break(item, width, BODY),
      ...details.map((detail) => this.#break(detail, width, SMALL)),
    ].flatMap((text) => this.#typesetter.parts(text, MAX_LINES))
    const figures = [
      this.#figure('quantity', quantity),
      this.#figure('price', price),
      ...(tax === null ? [] : [this.#figure('tax', tax)]),
      this.#figure('amount', amount),
    ]
    const isWhole = texts.reduce((sum, { height }) => sum + height, 0) <= MAX_ROW_HEIGHT
    const groups = isWhole ? [texts] : texts.map((text) => [text])
    const line = once(() => this.#structure.open(table(), 'TR'))
    const cell = once(() => this.#structure.open(line(), 'TD'))
    return groups.map((group, index) => {
      const isFirst = index === 0
      const isLast = index === groups.length - 1
      const textHeight = group.reduce((sum, { height }) => sum + height, 0)
      const draw = (top: number) => {
        this.#structure.draw(cell(), () => {
          let y = top
          for (const text of group) y = this.#place(text, this.#columns.item, y)
        })
        if (isFirst) for (const figure of figures) this.#cell(line(), 'TD', figure, top)
        if (!isLast) return
        cell().end()
        line().end()
        this.#rule(top + textHeight + PADDING)
      }
      return { height: textHeight + (isLast ? PADDING + RULE_HEIGHT : 0), draw }
    })
  }

  #figure(name: keyof Columns, text: string): Cell {
    const column = this.#columns[name]
    return { column, paragraph: this.#oneLine(text, column.width, BODY) }
  }

  #sums(sums: readonly Sum[]): Block[] {
    const table = this.#opened('Table')
    const { x } = this.#columns.quantity
    return sums.map(({ label, amount, emphasis }, index) => {
      const style = SUM_STYLES[emphasis]
      const figure = this.#oneLine(amount, SUM_WIDTH, style)
      const width = RIGHT - figure.inkWidth - COLUMN_GAP - x
      const name = this.#break(label, width, style)
      const draw = (y: number) => {
        const line = this.#structure.open(table(), 'TR')
        this.#cell(line, 'TH', { column: { x, width }, paragraph: name }, y, 'Row')
        this.#cell(line, 'TD', { column: SUMS, paragraph: figure }, y)
        line.end()
      }
      const isLast = index === sums.length - 1
      return { height: name.height + 3, gap: index === 0 ? 6 : 0, staysWithNext: !isLast, draw }
    })
  }

  #taxes(): Block[] {
    const { taxes } = this.#texts
    if (taxes === null) return []
    const table = this.#opened('Table')
    const titles = this.#taxRow(taxes.titles, SMALL, (cells, y) => {
      const line = this.#structure.open(table(), 'TR')
      for (const cell of cells) this.#cell(line, 'TH', cell, y, 'Column')
      line.end()
      this.#rule(y + heightOf(cells) + 3)
    })
    const repeat = () => {
      const cells = this.#taxCells(taxes.titles, SMALL)
      this.#structure.artifact(() => {
        for (const { column, paragraph } of cells) this.#place(paragraph, column, MARGIN)
        this.#line(MARGIN + heightOf(cells) + 3)
      })
    }
    const head = titles.height + RULE_HEIGHT
    return [
      { ...titles, height: head, gap: 18, staysWithNext: true },
      ...taxes.rows.map((row): Block => ({
        ...this.#taxRow(row, BODY, (cells, y) => {
          const line = this.#structure.open(table(), 'TR')
          for (const cell of cells) this.#cell(line, 'TD', cell, y)
          line.end()
        }),
        head,
        drawHead: repeat,
      })),
    ]
  }

  #taxRow(row: TaxRow, style: TextStyle, draw: (cells: readonly Cell[], y: number) => void): Block {
    const cells = this.#taxCells(row, style)
    return { height: heightOf(cells) + 3, draw: (y) => draw(cells, y) }
  }

  #taxCells({ name, base, amount }: TaxRow, style: TextStyle): Cell[] {
    const { item, price, amount: last } = this.#columns
    const names = { x: item.x, width: price.x - COLUMN_GAP - item.x }
    return [
      { column: names, paragraph: this.#break(name, names.width, style) },
      { column: price, paragraph: this.#oneLine(base, price.width, style) },
      { column: last, paragraph: this.#oneLine(amount, last.width, style) },
    ]
  }

  #payments(): Block[] {
    const { payments, paymentsTitle } = this.#texts
    if (payments.length === 0) return []
    const heading = this.#sectionTitle(paymentsTitle)
    const table = this.#opened('Table')
    const rows = payments.map(({ date, description, amount }): Block => {
      const cells = [
        { column: DATES, paragraph: this.#break(date, DATES.width, BODY) },
        { column: DESCRIPTIONS, paragraph: this.#break(description, DESCRIPTIONS.width, BODY) },
        this.#figure('amount', amount),
      ]
      const draw = (y: number) => {
        const line = this.#structure.open(table(), 'TR')
        for (const cell of cells) this.#cell(line, 'TD', cell, y)
        line.end()
      }
      return { height: heightOf(cells) + 3, draw }
    })
    return [heading, ...rows]
  }

  #sectionTitle(text: string): Block {
    const title = this.#break(text, WIDTH, BOLD)
    const draw = (y: number) => {
      this.#tagged('H2', title, WHOLE, y)
      this.#rule(y + title.height + PADDING)
    }
    return { height: title.height + PADDING + RULE_HEIGHT, gap: 18, staysWithNext: true, draw }
  }

  /** The account and the address of the link, with the codes of both on the right. */
  #waysToPay(): Block[] {
    const { transfer, transferTitle, transferCode, paymentLink, scanToPay } = this.#texts
    const link = paymentLink === null ? null : { content: paymentLink, caption: scanToPay }
    const given = [transferCode, link].filter((code) => code !== null)
    if (transfer.length === 0 && given.length === 0) return []
    const left = { x: MARGIN, width: WIDTH - given.length * (CODE_WIDTH + COLUMN_GAP) }
    const codes = given.map((code, index) => this.#code(code, columnOfCode(given.length - index)))
    const facts = this.#facts(transfer, left)
    const address = paymentLink === null ? null : this.#address(paymentLink, left)
    const leftHeight = facts.height + (address === null ? 0 : ADDRESS_GAP + address.height)
    return [
      this.#sectionTitle(transfer.length === 0 ? scanToPay : transferTitle),
      {
        height: Math.max(leftHeight, ...codes.map(({ height }) => height)),
        draw: (y) => {
          facts.draw(y)
          address?.draw(y + facts.height + ADDRESS_GAP)
          for (const code of codes) code.draw(y)
        },
      },
    ]
  }

  #code({ content, caption }: Code, column: Column): Block {
    const text = this.#break(caption, column.width, CAPTION)
    const draw = (y: number) => {
      const left = this.#left({ x: column.x, width: QR_SIZE })
      const bbox: Box = [left, y, left + QR_SIZE, y + QR_SIZE]
      const paint = () => drawCode(this.#pdf, content, { x: left, y, size: QR_SIZE })
      this.#structure.tag(this.#structure.root, 'Figure', paint, { alt: caption, bbox })
      this.#tagged('P', text, column, y + QR_SIZE + QR_BORDER)
    }
    return { height: QR_SIZE + QR_BORDER + text.height, draw }
  }

  /** The payment link, to be clicked. */
  #address(address: string, column: Column): Block {
    const text = this.#break(address, column.width, ADDRESS)
    const draw = (y: number) => {
      const element = this.#structure.open(this.#structure.root, 'Link')
      this.#structure.draw(element, () => {
        this.#place(text, column, y)
        const options = { structParent: element, Contents: new String(address) } as object
        this.#pdf.link(this.#left(column), y, column.width, text.height, address, options)
      })
      element.end()
    }
    return { height: text.height, draw }
  }

  /** A note goes over pages by its lines. */
  #notes(): Block[] {
    return this.#texts.notes.flatMap((note, index) => {
      const element = this.#opened('P')
      const parts = this.#typesetter.parts(this.#break(note, WIDTH, BODY), MAX_NOTE_LINES)
      return parts.map((part, place): Block => {
        const isLast = place === parts.length - 1
        const draw = (y: number) => {
          this.#structure.draw(element(), () => this.#place(part, WHOLE, y))
          if (isLast) element().end()
        }
        const gap = place > 0 ? 0 : index === 0 ? 18 : 4
        return { height: part.height, gap, draw }
      })
    })
  }

  /**
   * Yields after each block, because a document can have hundreds of rows. A page is finished before the next one begins, because
   * pdfkit then writes it: an unwritten page holds 1.5 MB.
   */
  async #flow(blocks: readonly Block[]): Promise<void> {
    const bottom = FOOTER_BOTTOM - (this.#footer?.height ?? 0) - FOOTER_GAP
    const places = placePieces(blocks, this.#y, { top: MARGIN, bottom })
    const last = places.at(-1)?.page ?? 0
    let current = 0
    for (const [index, { page, y }] of places.entries()) {
      const block = blocks[index]
      if (page > current) {
        this.#pageFooter(current, last)
        this.#pdf.addPage()
        block?.drawHead?.()
      }
      current = page
      block?.draw(y)
      await setImmediate()
    }
    this.#pageFooter(last, last)
  }

  /** Every page says whose it is, of which document, and which of how many. */
  #pageFooter(page: number, last: number): void {
    const { businessName, title, referenceNumber, pageNumber } = this.#texts
    const width = WIDTH - PAGE_NUMBER_WIDTH
    const name = this.#clipped(`${title} ${referenceNumber} · ${businessName}`, width, FOOTER)
    this.#sellerFooter(page === last)
    const text = pageNumber.replace('{page}', String(page + 1)).replace('{pages}', String(last + 1))
    const number = this.#break(text, PAGE_NUMBER_WIDTH, FOOTER, 'end')
    this.#structure.artifact(() => {
      this.#place(name, { x: MARGIN, width }, PAGE_LINE_Y)
      this.#place(number, { x: MARGIN + width, width: PAGE_NUMBER_WIDTH }, PAGE_LINE_Y)
    })
  }

  /** Read aloud once, at the end, however many pages show it. */
  #sellerFooter(isRead: boolean): void {
    const footer = this.#footer
    if (footer === null) return
    const y = FOOTER_BOTTOM - footer.height
    if (isRead) this.#tagged('P', footer, WHOLE, y)
    else this.#structure.artifact(() => this.#place(footer, WHOLE, y))
  }

  /** An element that is added with the first block that draws it, so that the structure has the order of the text. */
  #opened(role: Role): () => Element {
    return once(() => this.#structure.open(this.#structure.root, role))
  }

  #clipped(text: string, width: number, style: TextStyle): Paragraph {
    const [first = ''] = this.#break(text, width, style).lines
    return this.#break(first, width, style)
  }

  #tagged(role: Role, paragraph: Paragraph, column: Column, y: number): number {
    this.#structure.tag(this.#structure.root, role, () => this.#place(paragraph, column, y))
    return y + paragraph.height
  }

  #cell(line: Element, role: 'TH' | 'TD', cell: Cell, y: number, scope?: 'Row' | 'Column'): void {
    const draw = () => void this.#place(cell.paragraph, cell.column, y)
    this.#structure.tag(line, role, draw, scope === undefined ? {} : { scope })
  }

  /** Pages of right-to-left languages are mirrored: a column is as far from the right edge as it says from the left. */
  #left({ x, width }: Column): number {
    return this.#isRightToLeft ? PAGE_WIDTH - x - width : x
  }

  #place(paragraph: Paragraph, column: Column, y: number): number {
    return this.#typesetter.place(paragraph, { x: this.#left(column), y })
  }

  #break(text: string, width: number, style: TextStyle, align: Align = 'start'): Paragraph {
    return this.#typesetter.breakLines(text, width, { ...style, align: this.#sideOf(align) })
  }

  #oneLine(text: string, width: number, style: TextStyle): Paragraph & { readonly inkWidth: number } {
    return this.#typesetter.oneLine(text, width, { ...style, align: this.#sideOf('end') })
  }

  #sideOf(align: Align): 'left' | 'right' {
    return (align === 'start') === this.#isRightToLeft ? 'right' : 'left'
  }

  #rule(y: number): void {
    this.#structure.artifact(() => this.#line(y))
  }

  #line(y: number): void {
    this.#pdf.moveTo(MARGIN, y).lineTo(RIGHT, y).lineWidth(0.5).strokeColor(RULE).stroke()
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

function heightOf(cells: readonly Cell[]): number {
  return Math.max(...cells.map(({ paragraph }) => paragraph.height))
}
