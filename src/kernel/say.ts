const WIDE = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uffef]`
const STARTS_WIDE = new RegExp(`^${WIDE}`, 'u')
const ENDS_WIDE = new RegExp(`${WIDE}$`, 'u')

/**
 * How a text stands between two values. Sentences are written with a space beside a value, which Chinese and Japanese have only
 * beside other scripts; and an abbreviation at the end of a sentence has one full stop.
 */
export function betweenValues(before: string, text: string, after: string): string {
  const losesFirst =
    (text.startsWith(' ') && ENDS_WIDE.test(before) && STARTS_WIDE.test(text.slice(1))) ||
    (text.startsWith('.') && before.endsWith('.'))
  const losesLast = text.endsWith(' ') && ENDS_WIDE.test(text.slice(0, -1)) && STARTS_WIDE.test(after)
  return text.slice(losesFirst ? 1 : 0, losesLast ? -1 : undefined)
}

/** Puts values at the names in braces. A name without a value stays as it is. */
export function say(sentence: string, values: Readonly<Record<string, string>>): string {
  const parts = sentence
    .split(/(\{\w+\})/)
    .map((part, index) => (index % 2 === 0 ? part : (values[part.slice(1, -1)] ?? part)))
  return parts
    .map((part, index) =>
      index % 2 === 0 ? betweenValues(parts[index - 1] ?? '', part, parts[index + 1] ?? '') : part,
    )
    .join('')
}
