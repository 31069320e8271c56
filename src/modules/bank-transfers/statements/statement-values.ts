import type { Currency } from '#kernel/currencies'
import { Money, parseMoney } from '#kernel/money'
import { invalidLine } from '../errors.ts'

/** Some 30,000 entries of camt.053 or 200,000 of CSV. */
export const MAX_STATEMENT_LENGTH = 30_000_000
const MAX_TEXT_LENGTH = 10_000
/** PostgreSQL's indexes hold at most 2,704 bytes. An IBAN has at most 34 characters, an end-to-end id 35. */
const MAX_INDEXED_LENGTH = 255

/** A few milliseconds of work, after which other requests get a turn. */
export const PIECE_LENGTH = 8 * 1024
export const PIECE_ENTRIES = 500

export function checkLength(statement: string): void {
  if (statement.length <= MAX_STATEMENT_LENGTH) return
  throw invalidLine(1, `begins a statement of more than ${MAX_STATEMENT_LENGTH} characters`)
}

/** - `indexed`: The texts by which entries are found. */
export function tooLong(
  texts: readonly (string | null)[],
  indexed: readonly (string | null)[] = [],
): string | undefined {
  if (texts.some((text) => isLonger(text, MAX_TEXT_LENGTH)))
    return `a text of more than ${MAX_TEXT_LENGTH} characters`
  if (indexed.some((text) => isLonger(text, MAX_INDEXED_LENGTH)))
    return `an IBAN or end-to-end id of more than ${MAX_INDEXED_LENGTH} characters`
  return undefined
}

/** Characters beyond U+FFFF take two places of a string. */
function isLonger(text: string | null, max: number): boolean {
  if (text === null || text.length <= max) return false
  return text.length > 2 * max || [...text].length > max
}

export const DATE_RULE = 'of the years 1900 to 2200, such as 2027-01-31'
const FIRST_DATE = '1900-01-01'
const LAST_DATE = '2200-12-31'

export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < FIRST_DATE || text > LAST_DATE) return false
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}

export function ibanOf(text: string | null): string | null {
  const iban = text?.replace(/\s/g, '').toUpperCase() ?? ''
  return iban === '' ? null : iban
}

/** As banks write them: JSON's `1e5` is none. */
const DECIMAL = /^[+-]?\d+(?:\.\d+)?$/

/** Returns what is wrong with an amount that cannot be read. */
export function readAmount(currency: Currency, text: string): Money | string {
  if (!DECIMAL.test(text)) return 'must be a decimal number, such as 119.00'
  const amount = parseMoney(currency, text.replace(/^\+/, ''))
  return amount instanceof Money ? amount : amount.message
}
