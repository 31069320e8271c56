import type { Instant } from '#kernel/clock'
import { passesLuhn } from '#kernel/card-number'
import type { TimeZone } from '#kernel/time-zone'
import { isTestCard } from '#modules/acquirers'
import type { Environment } from '#platform/caller'
import { isStorable } from '#platform/http/validation/strings'
import { containsCardNumber } from '#platform/security/redaction'
import { brandOf, type CardExpiry, expiryProblem, readExpiry } from '#modules/customers'
import { say, type Words } from '../words/words.ts'

type FormField = 'amount' | 'method' | 'number' | 'expiry' | 'cvc' | 'name'
/** What is wrong with fields, in the payer's words. */
export type FieldProblems = Readonly<Partial<Record<FormField, string>>>

/** What the payer sent, as it came. */
export interface PaymentForm {
  readonly attempt: string
  /** What the button said, as a decimal string. */
  readonly amount: string
  readonly method: string
  readonly number: string
  readonly expiry: string
  readonly cvc: string
  readonly name: string
  readonly save: boolean
}

export interface CardDetails {
  /** Digits only. */
  readonly number: string
  readonly expMonth: number
  readonly expYear: number
  readonly cvc: string
  readonly holderName: string
  readonly brand: string
}

const MAX_NAME_LENGTH = 255

/** Reads the card of a form; or all that is wrong with it, so that the payer corrects it once. */
export function readCard(
  form: PaymentForm,
  at: { readonly now: Instant; readonly timeZone: TimeZone; readonly environment: Environment },
  words: Words,
): { readonly card: CardDetails } | { readonly problems: FieldProblems } {
  const { problems: said } = words
  const number = plainDigits(form.number).replace(/[\s-]/g, '')
  const brand = brandOf(number)
  const problems: { -readonly [Field in keyof FieldProblems]: string } = {}
  if (number === '') problems.number = said.numberMissing
  else if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) problems.number = said.numberInvalid
  else if (at.environment === 'test' && !isTestCard(number)) problems.number = said.testCardRequired
  const expiry = expiryOf(plainDigits(form.expiry), at.timeZone)
  const expiryIsWrong = expiry === undefined ? 'card_expiry_invalid' : expiryProblem(expiry, at.now)
  if (expiryIsWrong === 'card_expiry_invalid') problems.expiry = said.expiryInvalid
  else if (expiryIsWrong === 'card_expired') problems.expiry = said.expiryPast
  const cvc = plainDigits(form.cvc).trim()
  const cvcDigits = brand === 'amex' ? 4 : 3
  if (!/^\d+$/.test(cvc) || cvc.length !== cvcDigits) {
    problems.cvc = say(said.cvcInvalid, { digits: String(cvcDigits) })
  }
  const holderName = form.name.trim()
  if (!isHolderName(holderName)) problems.name = said.nameMissing
  if (expiry === undefined || Object.keys(problems).length > 0) return { problems }
  return { card: { number, brand, cvc, holderName, expMonth: expiry.month, expYear: expiry.year } }
}

/** Full-width digits and signs, as a Chinese keyboard may write them, are read as the others. */
function plainDigits(text: string): string {
  return text.normalize('NFKC')
}

/** Not what a browser filled in by mistake: a name is stored and shown as it is, a card number never. */
function isHolderName(name: string): boolean {
  return name !== '' && [...name].length <= MAX_NAME_LENGTH && isStorable(name) && !containsCardNumber(name)
}

/** `04/29`, `4 / 2029`, `04 29`, `0429`. Two digits of a year are of this century. */
function expiryOf(text: string, zone: TimeZone): CardExpiry | undefined {
  const parts = /^(\d{1,2})\s*[\s/-]\s*(\d{4}|\d{2})$|^(\d{2})(\d{4}|\d{2})$/.exec(text.trim())
  const month = Number(parts?.[1] ?? parts?.[3])
  const year = Number(parts?.[2] ?? parts?.[4])
  if (!(month >= 1 && month <= 12) || Number.isNaN(year)) return undefined
  return readExpiry(String(month), String(year < 100 ? 2000 + year : year), zone)
}
