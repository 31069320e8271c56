export const NAMED_WALLETS = ['wallet_a_pay', 'wallet_b'] as const
type NamedWallet = (typeof NAMED_WALLETS)[number]
export type WalletNames = Readonly<Partial<Record<NamedWallet, string>>>

export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp'

export interface Branding {
  readonly displayName: string | null
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
interface LogoAddress {
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
