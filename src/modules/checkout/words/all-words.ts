import { readFileSync } from 'node:fs'
import type { WalletNames } from '#modules/businesses'
import { type Language, LANGUAGES } from './language.ts'
import type { Texts, Words } from './words.ts'

const DEFAULT_NAMES = { walletAPay: 'WalletA Pay', walletB: 'WalletB' } as const

const WORDS: ReadonlyMap<Language, Words> = new Map(
  LANGUAGES.map((language) => [language, { ...readTexts(language), ...DEFAULT_NAMES }]),
)

function readTexts(language: Language): Texts {
  const file = new URL(`./languages/${language}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as Texts
}

export function wordsOf(language: Language): Words {
  const words = WORDS.get(language)
  if (words === undefined) throw new Error(`no language ${language}`)
  return words
}

export function withWalletNames(words: Words, names: WalletNames): Words {
  return {
    ...words,
    walletAPay: names.wallet_a_pay ?? words.walletAPay,
    walletB: names.wallet_b ?? words.walletB,
  }
}
