import { readFileSync } from 'node:fs'
import type { WalletName, Wallets } from '#modules/acquirers'
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

/** The names of the branding, else those of the real wallets, where an account has any. */
export function withWalletNames(words: Words, names: WalletNames, wallets: Wallets = NO_WALLETS): Words {
  return {
    ...words,
    walletAPay: names.wallet_a_pay ?? realName(words, wallets.walletA) ?? words.walletAPay,
    walletB: names.wallet_b ?? realName(words, wallets.walletB) ?? words.walletB,
  }
}

export const NO_WALLETS: Wallets = { walletA: null, walletB: null }

function realName(words: Words, wallet: WalletName | null): string | null {
  switch (wallet) {
    case 'wechat_pay':
      return words.wechatPay
    case 'alipay':
      return words.alipay
    case 'alipay_hk':
      return words.alipayHk
    case null:
      return null
  }
}

/** The wallets of one payment or agreement, of which only the one that it uses is known. */
export function walletsNamed(wallet: WalletName | null | undefined): Wallets {
  return wallet === 'wechat_pay'
    ? { walletA: wallet, walletB: null }
    : { walletA: null, walletB: wallet ?? null }
}
