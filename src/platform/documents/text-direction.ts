import createBidi from 'bidi-js'

export type Direction = 'ltr' | 'rtl'

export interface DirectedText {
  readonly text: string
  readonly direction: Direction
}

// The package's types describe an ES module, but Node loads its CommonJS.
const bidi = (createBidi as unknown as typeof createBidi.default)()

export function isRightToLeft(text: string): boolean {
  return /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(text)
}

const RIGHT_TO_LEFT = /^(?:ar|fa|he|ur)\b/

/** @param language BCP 47 */
export function pageDirection(language: string): Direction {
  return RIGHT_TO_LEFT.test(language) ? 'rtl' : 'ltr'
}

/**
 * A paragraph has the direction of its first letter (Unicode Standard Annex 9, rules P2 and P3). On a page of a right-to-left language,
 * one with any such letter has the page's, because sentences may begin with an amount or a name.
 */
export function directionOf(text: string, language: string): Direction {
  if (!isRightToLeft(text)) return 'ltr'
  if (pageDirection(language) === 'rtl') return 'rtl'
  return bidi.getEmbeddingLevels(text, 'auto').paragraphs[0]?.level === 1 ? 'rtl' : 'ltr'
}

export function visualPieces(line: string, direction: Direction): DirectedText[] {
  if (!isRightToLeft(line)) return withDigits(line)
  const embedding = bidi.getEmbeddingLevels(line, direction)
  const pieces: { start: number; end: number; level: number }[] = []
  for (const index of bidi.getReorderedIndices(line, embedding)) {
    const level = embedding.levels[index] ?? 0
    const last = pieces.at(-1)
    if (last === undefined || last.level !== level || (index !== last.end && index !== last.start - 1)) {
      pieces.push({ start: index, end: index + 1, level })
    } else {
      last.start = Math.min(last.start, index)
      last.end = Math.max(last.end, index + 1)
    }
  }
  return pieces.flatMap(({ start, end, level }): DirectedText[] => {
    const text = line.slice(start, end)
    return level % 2 === 0 ? withDigits(text) : [{ text: mirrored(text), direction: 'rtl' }]
  })
}

/** The digits of Arabic and Persian, with their separators. */
const ARABIC_DIGITS = /([\u0660-\u066c\u06f0-\u06f9]+)/

/** Numbers run from left to right, but fontkit draws all that is Arabic from right to left: digits are handed to it reversed. */
function withDigits(text: string): DirectedText[] {
  return text.split(ARABIC_DIGITS).flatMap((part, index): DirectedText[] => {
    if (part === '') return []
    if (index % 2 === 0) return [{ text: part, direction: 'ltr' }]
    return [{ text: Array.from(part).reverse().join(''), direction: 'rtl' }]
  })
}

function mirrored(text: string): string {
  return text.replace(/\p{Bidi_Mirrored}/gu, (bracket) => bidi.getMirroredCharacter(bracket) ?? bracket)
}
