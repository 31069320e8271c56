import type PDFDocument from 'pdfkit'
import { fontFile, runsOf } from './document-fonts.ts'
import type { Weight } from './document-fonts.ts'
import type { Language } from './language.ts'

type Pdf = InstanceType<typeof PDFDocument>

export interface TextStyle {
  readonly size: number
  readonly weight?: Weight
  readonly color?: string
  /** Default left. */
  readonly align?: 'left' | 'right'
}

const INK = '#1b1b1f'
const LINE_HEIGHT = 1.45

/** Sets texts of any script on a document: every piece in the font file that has its characters. */
export class Typesetter {
  readonly #pdf: Pdf
  readonly #language: Language
  readonly #registered = new Set<string>()

  constructor(pdf: Pdf, language: Language) {
    this.#pdf = pdf
    this.#language = language
  }

  /**
   * Writes a text into a column and answers the y below it. Long texts are broken, at spaces where there are any.
   * @param box where, in points; `width` is the column's
   */
  write(text: string, box: { x: number; y: number; width: number }, style: TextStyle): number {
    let { y } = box
    for (const line of this.#lines(text, box.width, style)) {
      const x = style.align === 'right' ? box.x + box.width - this.#width(line, style) : box.x
      this.#writeLine(line, x, y, style)
      y += style.size * LINE_HEIGHT
    }
    return y
  }

  /** How high `write` would be. */
  height(text: string, width: number, style: TextStyle): number {
    return this.#lines(text, width, style).length * style.size * LINE_HEIGHT
  }

  #writeLine(line: string, x: number, y: number, style: TextStyle): void {
    let left = x
    this.#pdf.fillColor(style.color ?? INK).fontSize(style.size)
    for (const run of runsOf(line, style.weight ?? 400, this.#language)) {
      this.#use(run.font)
      this.#pdf.text(run.text, left, y, { lineBreak: false })
      left += this.#pdf.widthOfString(run.text)
    }
  }

  #width(line: string, style: TextStyle): number {
    this.#pdf.fontSize(style.size)
    let width = 0
    for (const run of runsOf(line, style.weight ?? 400, this.#language)) {
      this.#use(run.font)
      width += this.#pdf.widthOfString(run.text)
    }
    return width
  }

  #lines(text: string, width: number, style: TextStyle): string[] {
    const lines: string[] = []
    let line = ''
    for (const piece of piecesOf(straightenQuotes(text))) {
      if (line !== '' && this.#width((line + piece).trimEnd(), style) > width) {
        lines.push(line.trimEnd())
        line = ''
      }
      line += piece
      while (this.#width(line.trimEnd(), style) > width && [...line].length > 1) {
        const fitting = this.#fitting(line, width, style)
        lines.push(fitting)
        line = line.slice(fitting.length)
      }
    }
    return [...lines, line.trimEnd()]
  }

  /** As much of a word as the column takes; at least one character. */
  #fitting(word: string, width: number, style: TextStyle): string {
    let fitting = ''
    for (const character of word) {
      if (fitting !== '' && this.#width(fitting + character, style) > width) break
      fitting += character
    }
    return fitting
  }

  #use(font: string): void {
    if (!this.#registered.has(font)) {
      this.#pdf.registerFont(font, fontFile(font).content)
      this.#registered.add(font)
    }
    this.#pdf.font(font)
  }
}

/** Words with the space behind them; Chinese is broken anywhere. */
function piecesOf(text: string): string[] {
  return (
    text.match(
      /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+\s*|\s+/g,
    ) ?? ['']
  )
}

/** The quotes of a Chinese font are as wide as its characters, which tears Latin words apart. */
function straightenQuotes(text: string): string {
  return text
    .replace(/(?<=\p{Script=Latin})[‘’]|[‘’](?=\p{Script=Latin})/gu, "'")
    .replace(/(?<=\p{Script=Latin})[“”]|[“”](?=\p{Script=Latin})/gu, '"')
}
