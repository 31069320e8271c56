import { setImmediate } from 'node:timers/promises'
import type PDFDocument from 'pdfkit'
import { fontFile, runsOf, type Weight } from './document-fonts.ts'
import type { Language } from './language.ts'

type Pdf = InstanceType<typeof PDFDocument>

export interface TextStyle {
  readonly size: number
  readonly weight?: Weight
  readonly color?: string
  /** Default left. */
  readonly align?: 'left' | 'right'
}

/** A text broken into the lines of a column. */
interface Paragraph {
  readonly lines: readonly string[]
  /** Of the column and of the lines, in points. */
  readonly width: number
  readonly height: number
  readonly style: TextStyle
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
   * Writes a text into a column and answers the y below it.
   * @param box where, in points; `width` is the column's
   */
  write(text: string, box: { x: number; y: number; width: number }, style: TextStyle): number {
    return this.place(this.breakLines(text, box.width, style), box)
  }

  /** Breaks a text into the lines of a column, at spaces where there are any. */
  breakLines(text: string, width: number, style: TextStyle): Paragraph {
    const lines = this.#lines(piecesOf(straightenQuotes(withoutControls(text))), width, style)
    return { lines, width, style, height: lines.length * style.size * LINE_HEIGHT }
  }

  /** An amount or a number, which no reader finds in two lines: set smaller where its column is too narrow for it. */
  oneLine(text: string, width: number, style: TextStyle): Paragraph & { readonly inkWidth: number } {
    const full = this.#width(text, style)
    const scale = Math.min(1, width / full)
    const size = style.size * scale
    const height = size * LINE_HEIGHT
    return { lines: [text], width, height, style: { ...style, size }, inkWidth: full * scale }
  }

  /** Writes what was broken into lines, and answers the y below it. */
  place({ lines, width, style }: Paragraph, at: { x: number; y: number }): number {
    let { y } = at
    for (const line of lines) {
      const x = style.align === 'right' ? at.x + width - this.#width(line, style) : at.x
      this.#writeLine(line, x, y, style)
      y += style.size * LINE_HEIGHT
    }
    return y
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

  #lines(pieces: string[], width: number, style: TextStyle): string[] {
    const lines: string[] = []
    let first = 0
    while (first < pieces.length) {
      const word = pieces[first] ?? ''
      const characters = [...word]
      if (characters.length > 1 && this.#width(word.trimEnd(), style) > width) {
        const fitting = characters.slice(0, this.#end(characters, 0, width, style)).join('')
        lines.push(fitting)
        pieces[first] = word.slice(fitting.length)
      } else {
        const end = this.#end(pieces, first, width, style)
        lines.push(pieces.slice(first, end).join('').trimEnd())
        first = end
      }
    }
    return lines
  }

  /**
   * The end of the parts from `first` on that fit into a line; at least one does. More parts are never narrower, so it is
   * found by doubling and then by halving: to measure the line at each of its characters costs seconds where they are many.
   */
  #end(parts: readonly string[], first: number, width: number, style: TextStyle): number {
    const fits = (end: number) => this.#width(parts.slice(first, end).join('').trimEnd(), style) <= width
    let fitting = first + 1
    let beyond = first + 2
    while (beyond <= parts.length && fits(beyond)) {
      fitting = beyond
      beyond = first + 2 * (beyond - first)
    }
    beyond = Math.min(beyond, parts.length + 1)
    while (beyond - fitting > 1) {
      const middle = (fitting + beyond) >> 1
      if (fits(middle)) fitting = middle
      else beyond = middle
    }
    return fitting
  }

  /**
   * Embeds the fonts one after the other, and lets others have their turn in between. At the end of a document pdfkit does
   * it at once, which takes half a second where its characters are of 170 files.
   */
  async embedFonts(): Promise<void> {
    for (const font of this.#registered) {
      this.#use(font)
      // The font in use is not in pdfkit's types.
      const { _font: used } = this.#pdf as unknown as { _font: { finalize(): void } }
      used.finalize()
      await setImmediate()
    }
  }

  #use(font: string): void {
    if (!this.#registered.has(font)) {
      this.#pdf.registerFont(font, fontFile(font))
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

/** A line break in a label is a space, as on the page; no font has a sign for it. */
function withoutControls(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}

/** The quotes of a Chinese font are as wide as its characters, which tears Latin words apart. */
function straightenQuotes(text: string): string {
  return text
    .replace(/(?<=\p{Script=Latin})[‘’]|[‘’](?=\p{Script=Latin})/gu, "'")
    .replace(/(?<=\p{Script=Latin})[“”]|[“”](?=\p{Script=Latin})/gu, '"')
}
