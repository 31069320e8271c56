import type { Members } from '../../port/members.ts'
import type { VerifiedInstrument, WalletName } from '../../port/port.ts'
import { membersOf, textOf } from '../wire/members.ts'

const BRANDS: ReadonlyMap<unknown, string> = new Map([
  ['visa', 'visa'],
  ['mastercard', 'mastercard'],
  ['american express', 'amex'],
  ['union pay', 'unionpay'],
  ['jcb', 'jcb'],
  ['discover', 'discover'],
  ['diners club international', 'diners'],
])

const WALLETS: ReadonlyMap<unknown, WalletName> = new Map([
  ['wechatpay', 'wechat_pay'],
  ['alipaycn', 'alipay'],
  ['alipayhk', 'alipay_hk'],
])

/** What a consent stands for: a card, or an agreement with a wallet. */
export function readInstrument(consent: Members, payerReference: string | null): VerifiedInstrument | null {
  const id = textOf(consent.id)
  const method = membersOf(consent.payment_method)
  const wallet = WALLETS.get(method.type)
  if (id === null) return null
  if (wallet !== undefined) {
    const account = textOf(membersOf(method[String(method.type)]).user_id)
    return { ...NO_CARD, id, payerReference, wallet: { name: wallet, account: masked(account) } }
  }
  if (method.type !== 'card') return null
  const card = membersOf(method.card)
  return {
    id,
    payerReference,
    brand: BRANDS.get(card.brand) ?? null,
    first6: textOf(card.bin)?.slice(0, 6) ?? null,
    last4: textOf(card.last4),
    expMonth: wholeOf(card.expiry_month),
    expYear: wholeOf(card.expiry_year),
    holderName: textOf(card.name),
    country: textOf(card.issuer_country_code),
  }
}

const NO_CARD = {
  brand: null,
  first6: null,
  last4: null,
  expMonth: null,
  expYear: null,
  holderName: null,
  country: null,
} as const

function wholeOf(value: unknown): number | null {
  return typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : null
}

const SHOWN_START = 3
const SHOWN_END = 4

/** An account that Airwallex has not masked is masked here. */
function masked(account: string | null): string | null {
  if (account === null || account.includes('*')) return account?.slice(0, 64) ?? null
  const hidden = account.length - SHOWN_START - SHOWN_END
  if (hidden <= 0) return '*'.repeat(account.length)
  return account.slice(0, SHOWN_START) + '*'.repeat(Math.min(hidden, 32)) + account.slice(-SHOWN_END)
}
