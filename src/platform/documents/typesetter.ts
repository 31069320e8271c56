import { setImmediate } from 'node:timers/promises'
import type PDFDocument from 'pdfkit'
import { withoutOverrides } from '#kernel/one-line'
import { charactersIn, fontFile, type Run, runsOf, type Weight } from './document-fonts.ts'
import {
  type DirectedText,
  type Direction,
  directionOf,
  visualPieces,
  isRightToLeft,
} from './text-direction.ts'

type Pdf = InstanceType<typeof PDFDocument>

export interface TextStyle {
  readonly size: number
  readonly weight?: Weight
  readonly color?: string
  readonly align?: 'left' | 'right'
}

export interface Paragraph {
  readonly lines: readonly string[]
  readonly direction: Direction
  readonly width: number
  readonly height: number
  readonly style: TextStyle
}

const INK = '#1b1b1f'
const EMPTY_BOX = '\u25a1'
const LINE_HEIGHT = 1.45
/** The ascent of Noto Sans HK, for every font, so that all fonts of a line share one baseline. */
const ASCENT = 1.16

export class Typesetter {
  readonly #pdf: Pdf
  readonly #language: string
  readonly #isArchive: boolean
  readonly #registered = new Set<string>()

  constructor(pdf: Pdf, language: string, { isArchive = false } = {}) {
    this.#pdf = pdf
    this.#language = language
    this.#isArchive = isArchive
  }

  write(text: string, box: { x: number; y: number; width: number }, style: TextStyle): number {
    return this.place(this.breakLines(text, box.width, style), box)
  }

  breakLines(text: string, width: number, style: TextStyle): Paragraph {
    const shown = this.#drawable(straightenQuotes(withoutControls(text.normalize())), style)
    const fits = this.#width(shown.trimEnd(), style) <= width
    const lines = fits ? [shown.trimEnd()] : this.#lines(piecesOf(shown), width, style)
    return {
      lines,
      width,
      style,
      direction: directionOf(shown, this.#language),
      height: lines.length * style.size * LINE_HEIGHT,
    }
  }

  oneLine(line: string, width: number, style: TextStyle): Paragraph & { readonly inkWidth: number } {
    const text = this.#drawable(line, style)
    const full = this.#width(text, style)
    const scale = Math.min(1, width / full)
    const size = style.size * scale
    const height = size * LINE_HEIGHT
    return {
      lines: [text],
      width,
      height,
      direction: 'ltr',
      style: { ...style, size },
      inkWidth: full * scale,
    }
  }

  /** Parts of a paragraph, each with at most so many lines. */
  parts(paragraph: Paragraph, maxLines: number): Paragraph[] {
    const { lines, style } = paragraph
    if (lines.length <= maxLines) return [paragraph]
    return Array.from({ length: Math.ceil(lines.length / maxLines) }, (_, index) => {
      const part = lines.slice(index * maxLines, (index + 1) * maxLines)
      return { ...paragraph, lines: part, height: part.length * style.size * LINE_HEIGHT }
    })
  }

  widthOf(line: string, style: TextStyle): number {
    return this.#width(this.#drawable(line, style), style)
  }

  /** An archive must not use the empty box that fonts draw for a character that they lack (ISO 19005-3, 6.2.11.8). */
  #drawable(text: string, style: TextStyle): string {
    if (!this.#isArchive) return text
    return runsOf(text, style.weight ?? 400, this.#language)
      .map((run) => {
        const known = charactersIn(run.font)
        return Array.from(run.text, (one) => (known.has(one.codePointAt(0) ?? 0) ? one : EMPTY_BOX)).join('')
      })
      .join('')
  }

  place({ lines, direction, width, style }: Paragraph, at: { x: number; y: number }): number {
    let { y } = at
    for (const line of lines) {
      const x = style.align === 'right' ? at.x + width - this.#width(line, style) : at.x
      let left = x
      for (const piece of visualPieces(line, direction)) left = this.#writePiece(piece, left, y, style)
      y += style.size * LINE_HEIGHT
    }
    return y
  }

  #writePiece({ text, direction }: DirectedText, x: number, y: number, style: TextStyle): number {
    let left = x
    const baseline = y + style.size * ASCENT
    this.#pdf.fillColor(style.color ?? INK).fontSize(style.size)
    const runs = runsOf(text, style.weight ?? 400, this.#language)
    for (const run of direction === 'rtl' ? inVisualOrder(runs) : runs) {
      this.#use(run.font)
      this.#pdf.text(run.text, left, baseline, { lineBreak: false, baseline: 'alphabetic' })
      left += this.#pdf.widthOfString(run.text)
    }
    return left
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
    let length = 1
    while (first < pieces.length) {
      const word = pieces[first] ?? ''
      const characters = graphemesOf(word)
      let line: string
      if (characters.length > 1 && this.#width(word.trimEnd(), style) > width) {
        line = characters.slice(0, this.#end(characters, 0, width, style, length)).join('')
        pieces[first] = word.slice(line.length)
      } else {
        const end = this.#end(pieces, first, width, style, length)
        line = pieces.slice(first, end).join('').trimEnd()
        first = end
      }
      lines.push(line)
      length = line.length
    }
    return lines
  }

  /**
   * Finds how many parts from `first` on fit into a line, at least one. The search begins at the length of the line before, in steps
   * that double and then halve: each text that is measured costs time, and memory until the document ends.
   */
  #end(
    parts: readonly string[],
    first: number,
    width: number,
    style: TextStyle,
    lengthBefore: number,
  ): number {
    const fits = (end: number) => this.#width(parts.slice(first, end).join('').trimEnd(), style) <= width
    const expected = endOfLength(parts, first, lengthBefore)
    let fitting = first + 1
    let beyond = parts.length + 1
    if (expected > fitting && !fits(expected)) {
      beyond = expected
      for (let step = 1; beyond - step > fitting; step *= 2) {
        if (fits(beyond - step)) fitting = beyond - step
        else beyond -= step
      }
    } else {
      fitting = Math.max(fitting, expected)
      for (let step = 1; fitting + step < beyond; step *= 2) {
        if (fits(fitting + step)) fitting += step
        else beyond = fitting + step
      }
    }
    while (beyond - fitting > 1) {
      const middle = (fitting + beyond) >> 1
      if (fits(middle)) fitting = middle
      else beyond = middle
    }
    return fitting
  }

  /**
   * Embeds the fonts one by one, so that other documents are drawn in between. pdfkit would embed them all at once, which
   * takes half a second for a document of 170 font files.
   */
  async embedFonts(): Promise<void> {
    for (const font of this.#registered) {
      this.#use(font)
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

/** Returns the index after the last part from `first` on that fits into `length` UTF-16 units. */
function endOfLength(parts: readonly string[], first: number, length: number): number {
  let left = length
  let end = first
  for (const part of parts.slice(first, first + length)) {
    if (part.trimEnd().length > left) break
    left -= part.length
    end++
  }
  return end
}

const WIDE = String.raw`\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef`
/** No line of Chinese or Japanese begins with one of these, or ends with an opening bracket. */
const CLOSING = String.raw`、。，．：；！？）」』】〉》〕ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ`
const OPENING = String.raw`（「『【〈《〔`
const PIECE = new RegExp(String.raw`[${OPENING}]*(?:[${WIDE}]|[^\s${WIDE}]+)[${CLOSING}]*\s*|\s+`, 'g')

function piecesOf(text: string): string[] {
  const pieces = text.match(PIECE) ?? ['']
  return pieces.flatMap((piece) => (/\p{Script=Thai}/u.test(piece) ? segmentsOf(piece, THAI_WORDS) : piece))
}

const THAI_WORDS = new Intl.Segmenter('th', { granularity: 'word' })
const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' })

function segmentsOf(text: string, segmenter: Intl.Segmenter): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

function graphemesOf(text: string): string[] {
  return segmentsOf(text, CHARACTERS)
}

function withoutControls(text: string): string {
  return withoutOverrides(text.replace(/\p{Cc}+/gu, ' '))
}

/** pdfkit reverses right-to-left letters itself, but not the runs and signs between them, such as `!?`. */
function inVisualOrder(runs: readonly Run[]): Run[] {
  return runs.toReversed().map(({ text, font }) => ({
    font,
    text: isRightToLeft(text) ? text : graphemesOf(text).toReversed().join(''),
  }))
}

/** Curly quotes of a Chinese font are as wide as its characters and would leave gaps in Latin words. */
function straightenQuotes(text: string): string {
  return text
    .replace(/(?<=\p{Script=Latin})[‘’]|[‘’](?=\p{Script=Latin})/gu, "'")
    .replace(/(?<=\p{Script=Latin})[“”]|[“”](?=\p{Script=Latin})/gu, '"')
}
