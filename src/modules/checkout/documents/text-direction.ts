import createBidi from 'bidi-js'

export type Direction = 'ltr' | 'rtl'

/** A text that is read in one direction. */
export interface DirectedText {
  readonly text: string
  readonly direction: Direction
}

// The package's types describe an ES module, and Node loads its CommonJS.
const bidi = (createBidi as unknown as typeof createBidi.default)()

/** Whether some of a text is read from the right. */
export function runsLeft(text: string): boolean {
  return /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(text)
}

/** The direction of a paragraph: of its first letter (Unicode Standard Annex 9, rules P2 and P3). */
export function directionOf(text: string): Direction {
  if (!runsLeft(text)) return 'ltr'
  return bidi.getEmbeddingLevels(text, 'auto').paragraphs[0]?.level === 1 ? 'rtl' : 'ltr'
}

/** The pieces of a line in the order in which they stand, from the left (Unicode Standard Annex 9). */
export function leftToRight(line: string, direction: Direction): DirectedText[] {
  if (!runsLeft(line)) return [{ text: line, direction: 'ltr' }]
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
  return pieces.map(({ start, end, level }) => {
    const text = line.slice(start, end)
    return level % 2 === 0 ? { text, direction: 'ltr' } : { text: mirrored(text), direction: 'rtl' }
  })
}

/** Brackets as they stand between words that run left. */
function mirrored(text: string): string {
  return text.replace(/\p{Bidi_Mirrored}/gu, (bracket) => bidi.getMirroredCharacter(bracket) ?? bracket)
}
