const isChinese = (language: string) => language.startsWith('zh')

/** Chinese sets no space after a full stop. */
export function joinSentences(language: string, sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(isChinese(language) ? '' : ' ')
}

export function joinParts(language: string, parts: readonly string[]): string {
  return parts.join(isChinese(language) ? '、' : ', ')
}
