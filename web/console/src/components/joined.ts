const isChinese = (language: string) => language.startsWith('zh')

/** Chinese sets no space after its full stop; a sentence that the API says in English is followed by one. */
export function joinSentences(language: string, sentences: readonly string[]): string {
  const joined = sentences.filter((sentence) => sentence !== '').join(' ')
  return isChinese(language) ? joined.replaceAll(/(?<=[。！？]) /g, '') : joined
}

export function joinParts(language: string, parts: readonly string[]): string {
  return parts.join(isChinese(language) ? '、' : ', ')
}

const WIDE = String.raw`[\p{sc=Han}\u3000-\u303f\uff00-\uffef]`
const STARTS_WIDE = new RegExp(`^${WIDE}`, 'u')
const ENDS_WIDE = new RegExp(`${WIDE}$`, 'u')

/** Chinese sets a space only beside words of other scripts. */
export function joinWords(words: readonly string[]): string {
  return words.reduce(
    (text, word) => text + (ENDS_WIDE.test(text) && STARTS_WIDE.test(word) ? '' : ' ') + word,
  )
}

/** A text with the space that separates it from the value after it. Full-width signs have theirs inside. */
export function beforeValue(text: string): string {
  return ENDS_WIDE.test(text) ? text : `${text} `
}

/** Texts have a space beside a value, which is one too many where both are Chinese. */
export function withoutWideSpaces(text: string, values: Readonly<Record<string, unknown>>): string {
  let shown = text
  for (const value of Object.values(values)) {
    if (typeof value !== 'string' || value === '') continue
    if (ENDS_WIDE.test(value)) {
      shown = shown.replaceAll(`${value} `, (found, at: number, whole: string) =>
        STARTS_WIDE.test(whole.slice(at + found.length)) ? value : found,
      )
    }
    if (STARTS_WIDE.test(value)) {
      shown = shown.replaceAll(` ${value}`, (found, at: number, whole: string) =>
        ENDS_WIDE.test(whole.slice(0, at)) ? value : found,
      )
    }
  }
  return shown
}
