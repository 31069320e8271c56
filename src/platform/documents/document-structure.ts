import type PDFDocument from 'pdfkit'

type Pdf = InstanceType<typeof PDFDocument>

export type Element = ReturnType<Pdf['struct']>

/** What an element is in PDF 1.7 (ISO 32000-1, 14.8.4). */
export type Role = 'Document' | 'H1' | 'H2' | 'P' | 'Table' | 'TR' | 'TH' | 'TD' | 'Figure' | 'Link'

interface RoleOptions {
  readonly alt?: string
  readonly scope?: 'Row' | 'Column'
  readonly bbox?: [left: number, top: number, right: number, bottom: number]
}

/** The types of pdfkit leave `scope` out. */
type Struct = (role: Role, options: RoleOptions) => Element

/**
 * The logical structure of a document, which screen readers follow. What is drawn outside of `draw` and `tag` has to be
 * an artifact.
 */
export class DocumentStructure {
  readonly #pdf: Pdf
  readonly root: Element

  constructor(pdf: Pdf) {
    this.#pdf = pdf
    this.root = pdf.struct('Document')
    pdf.addStructure(this.root)
  }

  /** Adds an element whose content follows. */
  open(parent: Element, role: Role, options: RoleOptions = {}): Element {
    const element = (this.#pdf.struct as Struct)(role, options)
    parent.add(element)
    return element
  }

  /** Draws on the current page; what an element draws on several pages, it draws by several calls. */
  draw(element: Element, draw: () => void): void {
    element.add(draw)
  }

  /** Adds an element and draws the whole of it. */
  tag(parent: Element, role: Role, draw: () => void, options: RoleOptions = {}): void {
    const element = this.open(parent, role, options)
    element.add(draw)
    element.end()
  }

  /** What belongs to the page and not to the text, such as rules, footers and repeated heads. */
  artifact(draw: () => void): void {
    this.#pdf.markContent('Artifact')
    draw()
    this.#pdf.endMarkedContent()
  }
}
