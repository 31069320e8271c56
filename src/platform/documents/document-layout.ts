import { setImmediate } from 'node:timers/promises'
import type { DocumentStructure, Element } from './document-structure.ts'
import type { DocumentTexts, Fact, Row, Sum, TaxRow } from './document-texts.ts'
import { drawCode } from './draw-code.ts'
import {
  type Align,
  type Cell,
  type Column,
  heightOf,
  MARGIN,
  once,
  Page,
  type Pdf,
  RIGHT,
  WIDTH,
} from './page.ts'
import { type Piece, placePieces } from './place-pieces.ts'
import type { Paragraph, TextStyle, Typesetter } from './typesetter.ts'

const COLUMN_GAP = 10
const GREY = '#5c5f66'
const SMALL: TextStyle = { size: 9, color: GREY }
const BODY: TextStyle = { size: 10 }
const BOLD: TextStyle = { size: 10, weight: 700 }
const SUM_STYLES = { none: BODY, bold: BOLD, total: { ...BOLD, size: 12 } } as const
const QR_SIZE = 96
/** White paper around a code: 4 modules of a big one. */
const QR_BORDER = 8
/** Between two codes, phones need white paper of 4 modules. */
const CODE_WIDTH = QR_SIZE + 12
/** The opening has two halves: the seller with title and dates on the right, then the parties. */
const HALF_WIDTH = (WIDTH - COLUMN_GAP) / 2
const LEFT_HALF: Column = { x: MARGIN, width: HALF_WIDTH }
const RIGHT_HALF: Column = { x: MARGIN + HALF_WIDTH + COLUMN_GAP, width: HALF_WIDTH }
const WHOLE: Column = { x: MARGIN, width: WIDTH }
const LOGO_WIDTH = 160
const LOGO_HEIGHT = 44
const TITLE: TextStyle = { size: 20, weight: 700 }
const MIN_TITLE_SIZE = 14
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

type Box = [left: number, top: number, right: number, bottom: number]

interface Code {
  readonly content: string
  readonly caption: string
}

/** @param place counted from the end of the line */
function columnOfCode(place: number): Column {
  return { x: RIGHT - place * CODE_WIDTH - (place - 1) * COLUMN_GAP, width: CODE_WIDTH }
}

interface OpenedImage {
  readonly width: number
  readonly height: number
  readonly colorSpace?: string
}

/** The types of pdfkit leave `openImage` out. */
interface Images {
  openImage(source: string): OpenedImage
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

/** The sections of a document, from its heading to its notes. */
export class DocumentLayout {
  readonly #page: Page
  readonly #typesetter: Typesetter
  readonly #structure: DocumentStructure
  readonly #texts: DocumentTexts
  readonly #columns: Columns
  readonly #footer: Paragraph | null
  #y = MARGIN

  constructor(pdf: Pdf, texts: DocumentTexts) {
    this.#page = new Page(pdf, texts.language, { isArchive: texts.attachment !== null })
    this.#typesetter = this.#page.typesetter
    this.#structure = this.#page.structure
    this.#texts = texts
    this.#columns = texts.titles.tax === null ? COLUMNS : COLUMNS_WITH_TAX
    this.#footer = texts.footer === null ? null : this.#page.break(texts.footer, WIDTH, FOOTER)
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
    const heading = this.#page.break(title, width, this.#titleStyle(title, width))
    let beside = this.#page.tagged('H1', heading, RIGHT_HALF, top) + 6
    this.#logo()
    let y = this.#page.tagged('P', this.#page.break(businessName, width, NAME), LEFT_HALF, this.#y + 4) + 1
    for (const contact of contacts) {
      y = this.#page.tagged('P', this.#page.break(contact, width, SMALL), LEFT_HALF, y) + 1
    }
    const dates = this.#facts(facts, RIGHT_HALF)
    dates.draw(beside)
    beside += dates.height
    this.#y = Math.max(y, beside) + 14
    if (testMode === null) return
    this.#y = this.#page.tagged('P', this.#page.break(testMode, WIDTH, BOLD), WHOLE, this.#y) + 10
  }

  /** A long title, such as that of a Japanese credit note, is smaller rather than broken. */
  #titleStyle(title: string, width: number): TextStyle {
    const size = (TITLE.size * width) / this.#typesetter.widthOf(title, TITLE)
    return size < TITLE.size ? { ...TITLE, size: Math.max(Math.floor(size), MIN_TITLE_SIZE) } : TITLE
  }

  #logo(): void {
    const { logo, businessName } = this.#texts
    if (logo === null) return
    try {
      const image = (this.#page.pdf as unknown as Images).openImage(logo)
      // An archive's colors are sRGB's (ISO 19005-3, 6.2.4.3), which the four inks of a JPEG are not.
      if (this.#texts.attachment !== null && image.colorSpace === 'DeviceCMYK') return
      const scale = Math.min(LOGO_WIDTH / image.width, LOGO_HEIGHT / image.height)
      const width = image.width * scale
      const x = this.#page.left({ x: MARGIN, width })
      const draw = () => void this.#page.pdf.image(image as never, x, this.#y, { width })
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
      label: this.#page.break(label, labels.width, SMALL),
      value: this.#page.break(value, values.width, BODY),
    }))
    const heights = rows.map(({ label, value }) => Math.max(label.height + 1, value.height) + 2)
    const draw = (top: number) => {
      if (rows.length === 0) return
      const table = this.#structure.open(this.#structure.root, 'Table')
      let y = top
      for (const [index, row] of rows.entries()) {
        const line = this.#structure.open(table, 'TR')
        this.#page.cell(line, 'TH', { column: labels, paragraph: row.label }, y + 1, 'Row')
        this.#page.cell(line, 'TD', { column: values, paragraph: row.value }, y)
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
      let y = this.#page.tagged('H2', this.#page.break(title, width, SMALL), column, this.#y) + 1
      y = this.#page.tagged('P', this.#page.break(name, width, BOLD), column, y)
      for (const line of lines) y = this.#page.tagged('P', this.#page.break(line, width, BODY), column, y)
      return y
    })
    this.#y = Math.max(...bottoms) + 14
  }

  #headline(): void {
    const { headline } = this.#texts
    if (headline === null) return
    this.#y = this.#page.tagged('P', this.#page.break(headline, WIDTH, HEADLINE), WHOLE, this.#y) + 10
  }

  /** The lines and, on the page of the last of them, the sums. */
  async #rows(): Promise<Block[]> {
    const { titles, rows, sums } = this.#texts
    const table = this.#page.opened('Table')
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
      for (const cell of cells) this.#page.cell(line, 'TH', cell, bottomUp(cell.paragraph, y), 'Column')
      line.end()
      this.#page.rule(y + textHeight)
    }
    const repeat = () =>
      this.#structure.artifact(() => {
        for (const { column, paragraph } of cells)
          this.#page.place(paragraph, column, bottomUp(paragraph, MARGIN))
        this.#page.line(MARGIN + textHeight)
      })
    return { block: { height, draw, staysWithNext: true }, repeat }
  }

  #title(name: keyof Columns, text: string, align: Align): Cell {
    const column = this.#columns[name]
    return { column, paragraph: this.#page.break(text, column.width, SMALL, align) }
  }

  /** One block, unless its texts are longer than a page: then one for each part that fits. */
  #row({ item, details, quantity, price, tax, amount }: Row, table: () => Element): Block[] {
    const { width } = this.#columns.item
    const texts = [
      this.#page.break(item, width, BODY),
      ...details.map((detail) => this.#page.break(detail, width, SMALL)),
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
          for (const text of group) y = this.#page.place(text, this.#columns.item, y)
        })
        if (isFirst) for (const figure of figures) this.#page.cell(line(), 'TD', figure, top)
        if (!isLast) return
        cell().end()
        line().end()
        this.#page.rule(top + textHeight + PADDING)
      }
      return { height: textHeight + (isLast ? PADDING + RULE_HEIGHT : 0), draw }
    })
  }

  #figure(name: keyof Columns, text: string): Cell {
    const column = this.#columns[name]
    return { column, paragraph: this.#page.oneLine(text, column.width, BODY) }
  }

  #sums(sums: readonly Sum[]): Block[] {
    const table = this.#page.opened('Table')
    const { x } = this.#columns.quantity
    return sums.map(({ label, amount, emphasis }, index) => {
      const style = SUM_STYLES[emphasis]
      const figure = this.#page.oneLine(amount, SUM_WIDTH, style)
      const width = RIGHT - figure.inkWidth - COLUMN_GAP - x
      const name = this.#page.break(label, width, style)
      const draw = (y: number) => {
        const line = this.#structure.open(table(), 'TR')
        this.#page.cell(line, 'TH', { column: { x, width }, paragraph: name }, y, 'Row')
        this.#page.cell(line, 'TD', { column: SUMS, paragraph: figure }, y)
        line.end()
      }
      const isLast = index === sums.length - 1
      return { height: name.height + 3, gap: index === 0 ? 6 : 0, staysWithNext: !isLast, draw }
    })
  }

  #taxes(): Block[] {
    const { taxes } = this.#texts
    if (taxes === null) return []
    const table = this.#page.opened('Table')
    const titles = this.#taxRow(taxes.titles, SMALL, (cells, y) => {
      const line = this.#structure.open(table(), 'TR')
      for (const cell of cells) this.#page.cell(line, 'TH', cell, y, 'Column')
      line.end()
      this.#page.rule(y + heightOf(cells) + 3)
    })
    const repeat = () => {
      const cells = this.#taxCells(taxes.titles, SMALL)
      this.#structure.artifact(() => {
        for (const { column, paragraph } of cells) this.#page.place(paragraph, column, MARGIN)
        this.#page.line(MARGIN + heightOf(cells) + 3)
      })
    }
    const head = titles.height + RULE_HEIGHT
    return [
      { ...titles, height: head, gap: 18, staysWithNext: true },
      ...taxes.rows.map((row): Block => ({
        ...this.#taxRow(row, BODY, (cells, y) => {
          const line = this.#structure.open(table(), 'TR')
          for (const cell of cells) this.#page.cell(line, 'TD', cell, y)
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
      { column: names, paragraph: this.#page.break(name, names.width, style) },
      { column: price, paragraph: this.#page.oneLine(base, price.width, style) },
      { column: last, paragraph: this.#page.oneLine(amount, last.width, style) },
    ]
  }

  #payments(): Block[] {
    const { payments, paymentsTitle } = this.#texts
    if (payments.length === 0) return []
    const heading = this.#sectionTitle(paymentsTitle)
    const table = this.#page.opened('Table')
    const rows = payments.map(({ date, description, amount }): Block => {
      const cells = [
        { column: DATES, paragraph: this.#page.break(date, DATES.width, BODY) },
        { column: DESCRIPTIONS, paragraph: this.#page.break(description, DESCRIPTIONS.width, BODY) },
        this.#figure('amount', amount),
      ]
      const draw = (y: number) => {
        const line = this.#structure.open(table(), 'TR')
        for (const cell of cells) this.#page.cell(line, 'TD', cell, y)
        line.end()
      }
      return { height: heightOf(cells) + 3, draw }
    })
    return [heading, ...rows]
  }

  #sectionTitle(text: string): Block {
    const title = this.#page.break(text, WIDTH, BOLD)
    const draw = (y: number) => {
      this.#page.tagged('H2', title, WHOLE, y)
      this.#page.rule(y + title.height + PADDING)
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
    const text = this.#page.break(caption, column.width, CAPTION)
    const draw = (y: number) => {
      const left = this.#page.left({ x: column.x, width: QR_SIZE })
      const bbox: Box = [left, y, left + QR_SIZE, y + QR_SIZE]
      const paint = () => drawCode(this.#page.pdf, content, { x: left, y, size: QR_SIZE })
      this.#structure.tag(this.#structure.root, 'Figure', paint, { alt: caption, bbox })
      this.#page.tagged('P', text, column, y + QR_SIZE + QR_BORDER)
    }
    return { height: QR_SIZE + QR_BORDER + text.height, draw }
  }

  /** The payment link, to be clicked. */
  #address(address: string, column: Column): Block {
    const text = this.#page.break(address, column.width, ADDRESS)
    const draw = (y: number) => {
      const element = this.#structure.open(this.#structure.root, 'Link')
      this.#structure.draw(element, () => {
        this.#page.place(text, column, y)
        const options = { structParent: element, Contents: new String(address) } as object
        this.#page.pdf.link(this.#page.left(column), y, column.width, text.height, address, options)
      })
      element.end()
    }
    return { height: text.height, draw }
  }

  /** A note goes over pages by its lines. */
  #notes(): Block[] {
    return this.#texts.notes.flatMap((note, index) => {
      const element = this.#page.opened('P')
      const parts = this.#typesetter.parts(this.#page.break(note, WIDTH, BODY), MAX_NOTE_LINES)
      return parts.map((part, place): Block => {
        const isLast = place === parts.length - 1
        const draw = (y: number) => {
          this.#structure.draw(element(), () => this.#page.place(part, WHOLE, y))
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
        this.#page.pdf.addPage()
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
    const name = this.#page.clipped(`${title} ${referenceNumber} · ${businessName}`, width, FOOTER)
    this.#sellerFooter(page === last)
    const text = pageNumber.replace('{page}', String(page + 1)).replace('{pages}', String(last + 1))
    const number = this.#page.break(text, PAGE_NUMBER_WIDTH, FOOTER, 'end')
    this.#structure.artifact(() => {
      this.#page.place(name, { x: MARGIN, width }, PAGE_LINE_Y)
      this.#page.place(number, { x: MARGIN + width, width: PAGE_NUMBER_WIDTH }, PAGE_LINE_Y)
    })
  }

  /** Read aloud once, at the end, however many pages show it. */
  #sellerFooter(isRead: boolean): void {
    const footer = this.#footer
    if (footer === null) return
    const y = FOOTER_BOTTOM - footer.height
    if (isRead) this.#page.tagged('P', footer, WHOLE, y)
    else this.#structure.artifact(() => this.#page.place(footer, WHOLE, y))
  }
}
