import { type Json, parseJson } from '#kernel/json'
import type { Subject } from './personal-data.ts'

export const ERASED = '[erased]'

export const PERSONAL_MEMBERS: ReadonlySet<string> = new Set([
  'business_name',
  'callback_url',
  'city',
  'company_name',
  'current_payment_link',
  'customer_name',
  'debtor_iban',
  'debtor_name',
  'description',
  'dial_code',
  'email',
  'exp_month',
  'exp_year',
  'file_name',
  'first_6_digits',
  'holder_name',
  'line1',
  'line2',
  'name',
  'note',
  'notify_url',
  'phone',
  'postal_code',
  'redirect_url',
  'remittance',
  'return_url',
  'status_remark',
  'title',
  'transactions_url',
  'url',
  'value',
  'verify_url',
])

/** Members that hold the caller's own keys. */
const FREE_OBJECTS = new Set(['evidence', 'metadata', 'plan_metadata'])

/** Texts that are shorter are erased where they are the whole value only: they are parts of many words. */
export const MIN_LENGTH_INSIDE = 5
const NEVER_PERSONAL = /^(?:[a-z]{2,5}_[0-9a-z]{26}|\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?)$/

const DECIMAL = /^-?\d+\.\d+$/
const MASKED_NUMBER = /^\d*\*+\d{4}$/

export function withoutTexts(text: string, { texts, erasedName, names }: Subject): string {
  if (NEVER_PERSONAL.test(text)) return text
  if (names.includes(text)) return erasedName
  if (texts.includes(text)) return ERASED
  if (DECIMAL.test(text)) return text
  return texts
    .filter(({ length }) => length >= MIN_LENGTH_INSIDE)
    .reduce((rest, personal) => rest.replaceAll(personal, ERASED), text)
}

export function jsonWithoutTexts(json: string, subject: Subject): string {
  return JSON.stringify(mapped(parseJson(json), (text) => withoutTexts(text, subject)))
}

export function documentWithoutPerson(json: string, subject: Subject): string {
  return JSON.stringify(
    mapped(
      parseJson(json),
      (text, member) =>
        (PERSONAL_MEMBERS.has(member) && text !== '') || MASKED_NUMBER.test(text)
          ? ERASED
          : withoutTexts(text, subject),
      FREE_OBJECTS,
    ),
  )
}

function mapped(
  value: Json,
  map: (text: string, member: string) => string,
  emptied: ReadonlySet<string> = new Set(),
  member = '',
): Json {
  if (typeof value === 'string') return map(value, member)
  if (Array.isArray(value)) return value.map((element) => mapped(element, map, emptied, member))
  if (!isObject(value)) return value
  if (emptied.has(member)) return {}
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, mapped(inner, map, emptied, name)]),
  )
}

function isObject(value: Json): value is { [member: string]: Json } {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
