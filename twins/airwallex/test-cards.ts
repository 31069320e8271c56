/**
 * How a card behaves. Codes are the original response codes of ISO 8583; null approves.
 * - `binding`: When a consent is verified. `charge`: In each payment.
 * - `asks`: When the payer is asked by 3-D Secure: never, while they are present, or in each payment.
 */
interface CardBehavior {
  readonly binding: string | null
  readonly charge: string | null
  readonly asks: 'never' | 'present' | 'always'
  readonly error: 'issuer_declined' | 'authentication_declined' | 'risk_declined'
  readonly advice?: string
}

export interface StoredCard extends CardBehavior {
  readonly brand: string
  readonly last4: string
  readonly bin: string
  readonly month: string
  readonly year: string
  readonly name: string
}

const APPROVES: CardBehavior = { binding: null, charge: null, asks: 'never', error: 'issuer_declined' }

/** Airwallex's published cards first; then the twin's own, which carry Stripe's published numbers. */
const CARDS: Readonly<Record<string, Partial<CardBehavior>>> = {
  '4035501000000008': {},
  '4012000300000021': {},
  '4012000300000088': { asks: 'present' },
  '4012000300000013': { binding: '05', charge: '05', error: 'authentication_declined' },
  '4012000300000039': { binding: '05', charge: '05', error: 'authentication_declined' },
  '4012000300000070': { binding: '05', charge: '05', error: 'authentication_declined' },
  '4646464646464644': { binding: '59', charge: '59', error: 'risk_declined' },
  '4000000000000002': { binding: '05', charge: '05' },
  '4000000000009995': { charge: '51' },
  '4000000000009987': { charge: '41' },
  '4000000000009979': { charge: '43' },
  '4000000000000069': { charge: '54' },
  '4000000000006975': { charge: '65' },
  '4000000000000341': { charge: '05' },
  '4000002500003155': { asks: 'present' },
  '4000002760003184': { asks: 'always' },
  '4000000000000127': { charge: '05', advice: '03' },
}

export function cardOf(given: {
  readonly number: string
  readonly month: string
  readonly year: string
  readonly name: string
}): StoredCard | null {
  const { number, month, year, name } = given
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) return null
  return {
    ...APPROVES,
    ...CARDS[number],
    brand: brandOf(number),
    last4: number.slice(-4),
    bin: number.slice(0, 6),
    month,
    year,
    name,
  }
}

/** `80.51` asks for code 51 and so on, of any card: Airwallex's sandbox. */
export function codeByAmount(minor: bigint): string | null {
  if (minor === 8_888n) return '01'
  return minor >= 8_001n && minor <= 8_099n ? String(minor % 100n).padStart(2, '0') : null
}

export function shownCard(card: StoredCard): Readonly<Record<string, string>> {
  return {
    brand: card.brand,
    last4: card.last4,
    bin: card.bin,
    expiry_month: card.month,
    expiry_year: card.year,
    card_type: 'credit',
    issuer_country_code: 'HK',
    fingerprint: `fp_${card.bin}${card.last4}`,
    name: card.name,
  }
}

function brandOf(number: string): string {
  if (number.startsWith('4')) return 'visa'
  if (/^(5[1-5]|2[2-7])/.test(number)) return 'mastercard'
  if (/^3[47]/.test(number)) return 'american express'
  if (number.startsWith('62')) return 'union pay'
  if (number.startsWith('35')) return 'jcb'
  if (/^3[068]/.test(number)) return 'diners club international'
  return 'discover'
}

function passesLuhn(number: string): boolean {
  let sum = 0
  for (const [index, digit] of [...number].toReversed().entries()) {
    const doubled = index % 2 === 1 ? Number(digit) * 2 : Number(digit)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
