import { say } from '#kernel/say'
import type { Instant } from '#kernel/clock'
import { passesLuhn } from '#kernel/card-number'
import type { TimeZone } from '#kernel/time-zone'
import { isTestCard, type PayerDevice } from '#modules/acquirers'
import type { Environment } from '#platform/caller'
import { isStorable } from '#platform/http/validation/strings'
import { containsCardNumber } from '#platform/security/redaction'
import { brandOf, type CardExpiry, expiryProblem, readExpiry } from '#modules/customers'
import { type Words } from '../words/words.ts'

type FormField = 'amount' | 'account' | 'component' | 'method' | 'number' | 'expiry' | 'cvc' | 'name'
export type FieldProblems = Readonly<Partial<Record<FormField, string>>>

export interface PaymentForm {
  readonly attempt: string
  readonly amount: string
  readonly method: string
  readonly number: string
  readonly expiry: string
  readonly cvc: string
  readonly name: string
  readonly save: boolean
  /** The account whose component the form has; empty for our own card fields. */
  readonly account: string
  readonly componentData: string
  readonly device: PayerDevice
}

export interface CardDetails {
  readonly number: string
  readonly expMonth: number
  readonly expYear: number
  readonly cvc: string
  readonly holderName: string
  readonly brand: string
}

export const SAVED_PREFIX = 'saved:'

export function savedTokenOf(method: string): string | null {
  return method.startsWith(SAVED_PREFIX) ? method.slice(SAVED_PREFIX.length) : null
}

const MAX_NAME_LENGTH = 255

export function readCard(
  form: Pick<PaymentForm, 'number' | 'expiry' | 'cvc' | 'name'>,
  at: {
    readonly now: Instant
    readonly timeZone: TimeZone
    readonly environment: Environment
    readonly acquirer: string
  },
  words: Words,
): { readonly card: CardDetails } | { readonly problems: FieldProblems } {
  const { problems: messages } = words
  const number = plainDigits(form.number).replace(/[\s-]/g, '')
  const brand = brandOf(number)
  const problems: { -readonly [Field in keyof FieldProblems]: string } = {}
  if (number === '') problems.number = messages.numberMissing
  else if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) problems.number = messages.numberInvalid
  else if (at.environment === 'test' && !isTestCard(number, at.acquirer))
    problems.number = messages.testCardRequired
  const expiry = expiryOf(plainDigits(form.expiry), at.timeZone)
  const expiryFault = expiry === undefined ? 'card_expiry_invalid' : expiryProblem(expiry, at.now)
  if (expiryFault === 'card_expiry_invalid') problems.expiry = messages.expiryInvalid
  else if (expiryFault === 'card_expired') problems.expiry = messages.expiryPast
  const cvc = plainDigits(form.cvc).trim()
  const cvcDigits = brand === 'amex' ? 4 : 3
  if (!/^\d+$/.test(cvc) || cvc.length !== cvcDigits) {
    problems.cvc = say(messages.cvcInvalid, { digits: String(cvcDigits) })
  }
  const holderName = form.name.trim()
  if (!isHolderName(holderName)) problems.name = messages.nameMissing
  if (expiry === undefined || Object.keys(problems).length > 0) return { problems }
  return { card: { number, brand, cvc, holderName, expMonth: expiry.month, expYear: expiry.year } }
}

/** Chinese keyboards can type full-width digits and signs. */
function plainDigits(text: string): string {
  return text.normalize('NFKC')
}

/** Refuses a card number, which a browser may fill in here: names are stored and shown, card numbers never are. */
export function isHolderName(name: string): boolean {
  return name !== '' && [...name].length <= MAX_NAME_LENGTH && isStorable(name) && !containsCardNumber(name)
}

function expiryOf(text: string, zone: TimeZone): CardExpiry | undefined {
  const parts = /^(\d{1,2})(?:\s+|\s*[/-]\s*)(\d{4}|\d{2})$|^(\d{2})(\d{4}|\d{2})$/.exec(text.trim())
  const month = Number(parts?.[1] ?? parts?.[3])
  const year = Number(parts?.[2] ?? parts?.[4])
  if (!(month >= 1 && month <= 12) || Number.isNaN(year)) return undefined
  return readExpiry(String(month), String(year < 100 ? 2000 + year : year), zone)
}
