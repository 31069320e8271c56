export const LANGUAGES = ['en', 'zh-Hant', 'zh-Hans'] as const
export type Language = (typeof LANGUAGES)[number]

function languageOf(tag: string): Language | undefined {
  const parts = tag.trim().toLowerCase().split(/[-_]/)
  if (parts[0] === 'en') return 'en'
  if (parts[0] !== 'zh' && parts[0] !== 'yue') return undefined
  if (parts.includes('hant')) return 'zh-Hant'
  if (parts.includes('hans')) return 'zh-Hans'
  const isTraditional =
    parts[0] === 'yue' || parts.some((part) => part === 'hk' || part === 'tw' || part === 'mo')
  return isTraditional ? 'zh-Hant' : 'zh-Hans'
}

/** Browsers send less than 200 characters. */
const MAX_HEADER_LENGTH = 500

/** Takes `?lang=`, then the best match of Accept-Language (RFC 9110, section 12.5.4), then English. */
export function chooseLanguage(requested: string | undefined, acceptLanguage: string | undefined): Language {
  const named = requested === undefined ? undefined : languageOf(requested)
  if (named !== undefined) return named
  let best: Language = 'en'
  let bestQuality = 0
  for (const range of (acceptLanguage ?? '').slice(0, MAX_HEADER_LENGTH).split(',')) {
    const [tag = '', ...parameters] = range.split(';')
    const language = languageOf(tag)
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
