import { createHash } from 'node:crypto'
import { invalid, missingField } from './errors.ts'
import { type Json, text } from './json.ts'

/** A card without its number and security code. */
export interface Card {
  /** Adyen's names: `visa`, `mc`, `amex`. */
  readonly brand: string
  readonly bin: string
  readonly lastFour: string
  readonly expiryMonth: string
  readonly expiryYear: string
  readonly holderName: string
  readonly country: string
  readonly asksThreeDSecure: boolean
  /** Recognizes the same card in a later request. */
  readonly fingerprint: string
}

/** A card as it was sent, with what was wrong about its expiry date or security code. */
export interface PresentedCard {
  readonly card: Card
  readonly defect: 'DECLINED' | 'CVC_DECLINED' | null
}

/** From Adyen's page of test card numbers: brand, country of the issuer, and whether the card asks for 3-D Secure. */
const LISTED: Readonly<Record<string, readonly [brand: string, country: string, threeDSecure?: true]>> = {
  '4111111111111111': ['visa', 'NL'],
  '4111111145551142': ['visa', 'NL'],
  '4988438843884305': ['visa', 'ES'],
  '4166676667666746': ['visa', 'NL'],
  '4000020000000000': ['visa', 'US'],
  '4000060000000006': ['visa', 'US'],
  '4212345678901237': ['visa', 'NL', true],
  '4917610000000000': ['visa', 'FR', true],
  '4035501428146300': ['visa', 'FR', true],
  '5555444433332222': ['mc', 'GB'],
  '5555555555554444': ['mc', 'GB'],
  '2222400070000005': ['mc', 'NL'],
  '2222410740360010': ['mc', 'NL'],
  '5454545454545454': ['mc', 'GB', true],
  '5212345678901234': ['mc', 'NL', true],
  '370000000000002': ['amex', 'NL'],
  '371449635398431': ['amex', 'US', true],
  '6011601160116611': ['discover', 'US'],
  '3569990010095841': ['jcb', 'US'],
  '36006666333344': ['diners', 'US'],
}

/** Adyen's test cards accept only this expiry date and security code. */
const LISTED_EXPIRY = '3/2030'
const LISTED_CVC = /^7373?$/

/** Reads plain fields or the `test_` form that Adyen takes for encrypted ones in its test environment. */
export function presentedCardOf(paymentMethod: Json): PresentedCard {
  const number = field(paymentMethod, 'number', 'encryptedCardNumber') ?? ''
  if (number === '') throw missingField('number')
  const expiryMonth = field(paymentMethod, 'expiryMonth', 'encryptedExpiryMonth')
  const expiryYear = field(paymentMethod, 'expiryYear', 'encryptedExpiryYear')
  const cvc = field(paymentMethod, 'cvc', 'encryptedSecurityCode')
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) throw invalid('101', 'Invalid card number')
  if (expiryMonth === null || !/^(0?[1-9]|1[0-2])$/.test(expiryMonth))
    throw invalid('141', 'Expiry month is not set')
  if (expiryYear === null || !/^20\d\d$/.test(expiryYear)) throw invalid('140', 'Expiry year is not set')
  if (cvc !== null && !/^\d{3,4}$/.test(cvc)) throw invalid('103', 'CVC is not the right length')

  const listed = LISTED[number]
  const expiry = `${Number(expiryMonth)}/${expiryYear}`
  const card: Card = {
    brand: listed?.[0] ?? brandOf(number),
    bin: number.slice(0, 6),
    lastFour: number.slice(-4),
    expiryMonth: expiryMonth.padStart(2, '0'),
    expiryYear,
    holderName: text(paymentMethod, 'holderName') ?? '',
    country: listed?.[1] ?? 'NL',
    asksThreeDSecure: listed?.[2] ?? false,
    fingerprint: createHash('sha256').update(number).digest('hex').slice(0, 24),
  }
  return { card, defect: listed === undefined ? null : defectOf(expiry, cvc) }
}

function defectOf(expiry: string, cvc: string | null): PresentedCard['defect'] {
  if (expiry !== LISTED_EXPIRY) return 'DECLINED'
  return cvc !== null && !LISTED_CVC.test(cvc) ? 'CVC_DECLINED' : null
}

function field(paymentMethod: Json, plain: string, encrypted: string): string | null {
  const sealed = text(paymentMethod, encrypted)
  if (sealed === null) return text(paymentMethod, plain)
  if (!sealed.startsWith('test_')) throw invalid('174', 'Unable to decrypt data')
  return sealed.slice('test_'.length)
}

function passesLuhn(number: string): boolean {
  const digits = [...number].reverse().map(Number)
  const sum = digits.reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? digit * 2 : digit
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

function brandOf(number: string): string {
  if (number.startsWith('4')) return 'visa'
  if (/^3[47]/.test(number)) return 'amex'
  if (number.startsWith('35')) return 'jcb'
  if (/^3[068]/.test(number)) return 'diners'
  if (number.startsWith('6')) return 'discover'
  return 'mc'
}
