import type PDFDocument from 'pdfkit'
import { DocumentStructure, type Element, type Role } from './document-structure.ts'
import { pageDirection } from './text-direction.ts'
import { type Paragraph, type TextStyle, Typesetter } from './typesetter.ts'

/** In points; A4 is 595 by 842. */
const PAGE_WIDTH = 595
export const MARGIN = 56
export const RIGHT = PAGE_WIDTH - MARGIN
export const WIDTH = RIGHT - MARGIN
const RULE = '#d3d5da'

export interface Column {
  readonly x: number
  readonly width: number
}

export interface Cell {
  readonly column: Column
  readonly paragraph: Paragraph
}

export type Align = 'start' | 'end'

export type Pdf = InstanceType<typeof PDFDocument>

/** Places texts, cells and rules on the pages of a PDF, and tags them. */
export class Page {
  readonly pdf: Pdf
  readonly typesetter: Typesetter
  readonly structure: DocumentStructure
  readonly #isRightToLeft: boolean

  constructor(pdf: Pdf, language: string, { isArchive }: { readonly isArchive: boolean }) {
    this.pdf = pdf
    this.typesetter = new Typesetter(pdf, language, { isArchive })
    this.structure = new DocumentStructure(pdf)
    this.#isRightToLeft = pageDirection(language) === 'rtl'
  }

  /** An element that is added with the first block that draws it, so that the structure has the order of the text. */
  opened(role: Role): () => Element {
    return once(() => this.structure.open(this.structure.root, role))
  }

  clipped(text: string, width: number, style: TextStyle): Paragraph {
    const [first = ''] = this.break(text, width, style).lines
    return this.break(first, width, style)
  }

  tagged(role: Role, paragraph: Paragraph, column: Column, y: number): number {
    this.structure.tag(this.structure.root, role, () => this.place(paragraph, column, y))
    return y + paragraph.height
  }

  cell(line: Element, role: 'TH' | 'TD', cell: Cell, y: number, scope?: 'Row' | 'Column'): void {
    const draw = () => void this.place(cell.paragraph, cell.column, y)
    this.structure.tag(line, role, draw, scope === undefined ? {} : { scope })
  }

  /** Pages of right-to-left languages are mirrored: a column is as far from the right edge as it says from the left. */
  left({ x, width }: Column): number {
    return this.#isRightToLeft ? PAGE_WIDTH - x - width : x
  }

  place(paragraph: Paragraph, column: Column, y: number): number {
    return this.typesetter.place(paragraph, { x: this.left(column), y })
  }

  break(text: string, width: number, style: TextStyle, align: Align = 'start'): Paragraph {
    return this.typesetter.breakLines(text, width, { ...style, align: this.#sideOf(align) })
  }

  oneLine(text: string, width: number, style: TextStyle): Paragraph & { readonly inkWidth: number } {
    return this.typesetter.oneLine(text, width, { ...style, align: this.#sideOf('end') })
  }

  #sideOf(align: Align): 'left' | 'right' {
    return (align === 'start') === this.#isRightToLeft ? 'right' : 'left'
  }

  rule(y: number): void {
    this.structure.artifact(() => this.line(y))
  }

  line(y: number): void {
    this.pdf.moveTo(MARGIN, y).lineTo(RIGHT, y).lineWidth(0.5).strokeColor(RULE).stroke()
  }
}

export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

export function heightOf(cells: readonly Cell[]): number {
  return Math.max(...cells.map(({ paragraph }) => paragraph.height))
}
