import type { ImageType } from './image.ts'

/** The methods whose name on pages is the merchant's to choose. */
export const NAMED_WALLETS = ['wallet_a_pay', 'wallet_b'] as const
export type NamedWallet = (typeof NAMED_WALLETS)[number]
export type WalletNames = Readonly<Partial<Record<NamedWallet, string>>>

/** What payers see of a business. `displayName` stands in place of the name of the business. */
export interface Branding {
  readonly displayName: string | null
  /** `#rrggbb` in lower case. */
  readonly color: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly website: string | null
  readonly termsUrl: string | null
  readonly privacyUrl: string | null
  readonly walletNames: WalletNames
  readonly logo: LogoAddress | null
}

/** `hash` is the SHA-256 of the bytes, which makes an address that never changes its content. */
export interface LogoAddress {
  readonly type: ImageType
  readonly hash: string
}

export interface Logo extends LogoAddress {
  readonly content: Buffer
}

export const NO_BRANDING: Branding = {
  displayName: null,
  color: null,
  email: null,
  phone: null,
  website: null,
  termsUrl: null,
  privacyUrl: null,
  walletNames: {},
  logo: null,
}
