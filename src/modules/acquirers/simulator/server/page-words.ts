import { readdirSync, readFileSync } from 'node:fs'
import { acceptedLanguage } from '#kernel/language-tags'

/** What a page of the simulator says, in the languages of the hosted pages. */
export interface PageWords {
  readonly simulated: string
  readonly walletTitle: string
  readonly bankAsks: string
  readonly walletAsks: string
  readonly pay: string
  readonly verifyCard: string
  readonly confirm: string
  readonly decline: string
  readonly confirmed: string
  readonly notConfirmed: string
  readonly goBack: string
  readonly goneTitle: string
  readonly goneText: string
}

const FOLDER = new URL('../languages/', import.meta.url)
const WORDS = new Map(
  readdirSync(FOLDER).map((file) => [
    file.replace(/\.json$/, ''),
    JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as PageWords,
  ]),
)

export function pageWords(acceptLanguage: string | undefined): {
  readonly language: string
  readonly words: PageWords
} {
  const language = acceptedLanguage(acceptLanguage, [...WORDS.keys()]) ?? 'en'
  const words = WORDS.get(language)
  if (words === undefined) throw new Error('the simulator has no words')
  return { language, words }
}
