/** The tags that browsers and systems still use for some languages (BCP 47, section 2.2.1). */
const OLD_TAGS: Readonly<Record<string, string>> = { in: 'id', iw: 'he' }

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur'])

export function directionOfLanguage(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr'
}

/** Which of these languages a tag such as `pt-BR`, `zh_TW` or `yue` names; undefined if none. */
export function languageOfTag(tag: string, languages: readonly string[]): string | undefined {
  const parts = tag.trim().toLowerCase().split(/[-_]/)
  const [primary = ''] = parts
  if (primary !== 'zh' && primary !== 'yue') {
    const language = OLD_TAGS[primary] ?? primary
    return languages.includes(language) ? language : undefined
  }
  if (parts.includes('hant')) return 'zh-Hant'
  if (parts.includes('hans')) return 'zh-Hans'
  const isTraditional =
    primary === 'yue' || parts.some((part) => part === 'hk' || part === 'tw' || part === 'mo')
  return isTraditional ? 'zh-Hant' : 'zh-Hans'
}
