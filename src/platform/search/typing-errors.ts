/** With `LONG_WORD`: reference/search#typing-errors. */
const MIN_LENGTH = 4
const MAX_CORRECTED_WORDS = 3
const MAX_CORRECTIONS = 4
const LONG_WORD = 7

export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f'’]/g, '')
    .normalize('NFC')
}

export function wordsOf(folded: string): string[] {
  return folded.split(/[\s!-/:-@[-`{-~]+/).filter((word) => word !== '')
}

export function wordsToCorrect(folded: string): string[] {
  const words = folded.match(/[^\s!-@[-`{-~]+/g) ?? []
  return [...new Set(words)].filter((word) => word.length >= MIN_LENGTH).slice(0, MAX_CORRECTED_WORDS)
}

export function correctionsOf(
  folded: string,
  similar: readonly { readonly typed: string; readonly word: string }[],
): string[] {
  const alternatives = Map.groupBy(
    similar.filter(({ typed, word }) => typed !== word && isSimilar(typed, word)),
    ({ typed }) => typed,
  )
  let texts = [{ text: folded, errors: 0 }]
  for (const [typed, words] of alternatives) {
    const corrections = words
      .map(({ word }) => ({ word, errors: distance(typed, word) }))
      .toSorted((a, b) => a.errors - b.errors || (a.word < b.word ? -1 : 1))
      .slice(0, MAX_CORRECTIONS)
    texts = texts.flatMap(({ text, errors }) => [
      { text, errors },
      ...corrections.map((correction) => ({
        text: text.replace(typed, () => correction.word),
        errors: errors + correction.errors,
      })),
    ])
  }
  return texts
    .filter(({ errors }) => errors > 0)
    .toSorted((a, b) => a.errors - b.errors)
    .slice(0, MAX_TEXTS)
    .map(({ text }) => text)
}

const MAX_TEXTS = 20

function isSimilar(typed: string, word: string): boolean {
  return distance(typed, word) <= (typed.length >= LONG_WORD ? 2 : 1)
}

export function distance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, substitution)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1)
      row.push(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
