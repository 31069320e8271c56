const isChinese = (language: string) => language.startsWith('zh')

/** Chinese sets no space after its full stop; a sentence that the API says in English is followed by one. */
export function joinSentences(language: string, sentences: readonly string[]): string {
  const joined = sentences.filter((sentence) => sentence !== '').join(' ')
  return isChinese(language) ? joined.replaceAll(/(?<=[。！？]) /g, '') : joined
}

export function joinParts(language: string, parts: readonly string[]): string {
  return parts.join(isChinese(language) ? '、' : ', ')
}
