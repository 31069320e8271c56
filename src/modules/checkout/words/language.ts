import { readdirSync } from 'node:fs'
import { acceptedLanguage, languageOfTag } from '#kernel/language-tags'

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

/** Takes `?lang=`, then the best match of Accept-Language, then English. */
export function chooseLanguage(requested: string | undefined, acceptLanguage: string | undefined): Language {
  const named = requested === undefined ? undefined : languageOfTag(requested, LANGUAGES)
  return named ?? acceptedLanguage(acceptLanguage, LANGUAGES) ?? 'en'
}
