import { readdirSync } from 'node:fs'
import { languageOfTag } from '#kernel/language-tags'

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

/** Browsers send less than 200 characters. */
const MAX_HEADER_LENGTH = 500

/** Takes `?lang=`, then the best match of Accept-Language (RFC 9110, section 12.5.4), then English. */
export function chooseLanguage(requested: string | undefined, acceptLanguage: string | undefined): Language {
  const named = requested === undefined ? undefined : languageOfTag(requested, LANGUAGES)
  if (named !== undefined) return named
  let best: Language = 'en'
  let bestQuality = 0
  for (const range of (acceptLanguage ?? '').slice(0, MAX_HEADER_LENGTH).split(',')) {
    const [tag = '', ...parameters] = range.split(';')
    const language = languageOfTag(tag, LANGUAGES)
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
