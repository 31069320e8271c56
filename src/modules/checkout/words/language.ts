import { readdirSync } from 'node:fs'

/** A BCP 47 tag, the name of a file in `languages/`. A language is added by its file alone. */
export type Language = string

const FIRST: readonly Language[] = ['en', 'zh-Hant', 'zh-Hans']

export const LANGUAGES: readonly Language[] = [
  ...FIRST,
  ...readdirSync(new URL('./languages/', import.meta.url))
    .map((file) => file.replace(/\.json$/, ''))
    .filter((language) => !FIRST.includes(language))
    .toSorted(),
]

/** The tags that browsers and systems still use for some languages (BCP 47, section 2.2.1). */
const OLD_TAGS: Readonly<Record<string, Language>> = { in: 'id', iw: 'he' }

const RIGHT_TO_LEFT: ReadonlySet<Language> = new Set(['ar', 'fa', 'he', 'ur'])

export function directionOfPage(language: Language): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr'
}

function languageOf(tag: string): Language | undefined {
  const parts = tag.trim().toLowerCase().split(/[-_]/)
  const [primary = ''] = parts
  if (primary !== 'zh' && primary !== 'yue') {
    const language = OLD_TAGS[primary] ?? primary
    return LANGUAGES.includes(language) ? language : undefined
  }
  if (parts.includes('hant')) return 'zh-Hant'
  if (parts.includes('hans')) return 'zh-Hans'
  const isTraditional =
    primary === 'yue' || parts.some((part) => part === 'hk' || part === 'tw' || part === 'mo')
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
