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

/** Browsers send less than 200 characters. */
const MAX_HEADER_LENGTH = 500

/** The best match of Accept-Language (RFC 9110, section 12.5.4) among these languages; undefined if none. */
export function acceptedLanguage(
  acceptLanguage: string | undefined,
  languages: readonly string[],
): string | undefined {
  let best: string | undefined
  let bestQuality = 0
  for (const range of (acceptLanguage ?? '').slice(0, MAX_HEADER_LENGTH).split(',')) {
    const [tag = '', ...parameters] = range.split(';')
    const language = languageOfTag(tag, languages)
    const quality = qualityOf(parameters)
    if (language !== undefined && quality > bestQuality) {
      best = language
      bestQuality = quality
    }
  }
  return best
}

function qualityOf(parameters: readonly string[]): number {
  const written = parameters.map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/i.exec(parameter)?.[1])
  const quality = written.find((value) => value !== undefined)
  return quality === undefined ? 1 : Number(quality)
}
