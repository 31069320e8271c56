import { type Json, type JsonObject, parseJson } from '#kernel/json'
import type { Subject } from './personal-data.ts'

export const ERASED = '[erased]'

/**
 * Members by their name, or by the name of their parent and their own: a dispute's `reason` is a word of the
 * acquirer.
 */
const PERSONAL_MEMBERS: ReadonlySet<string> = new Set([
  'business_name',
  'buyer_reference',
  'callback_url',
  'cc',
  'city',
  'comment',
  'company_name',
  'credit_note.reason',
  'current_payment_link',
  'customer_name',
  'debtor_iban',
  'debtor_name',
  'description',
  'dial_code',
  'email',
  'exempt_reason',
  'exp_month',
  'exp_year',
  'file_name',
  'first_6_digits',
  'holder_name',
  'invoice.reason',
  'invoice_email',
  'legal_hold.reason',
  'line1',
  'line2',
  'memo',
  'message.error',
  'name',
  'note',
  'note.text',
  'notes',
  'notify_url',
  'payer_name',
  'payments.reference',
  'phone',
  'postal_code',
  'purchase_order',
  'redirect_url',
  'remittance',
  'return_url',
  'status_remark',
  'title',
  'to',
  'transactions_url',
  'url',
  'value',
  'verify_url',
  'wallet.account',
])

/** Members that hold the caller's own keys. */
const FREE_OBJECTS = new Set(['evidence', 'metadata', 'plan_metadata'])

/** Shorter texts are erased only where they are the whole value, because they are parts of many words. */
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
      (text, member, holder, around) =>
        ((isPersonal(member, holder) || isByHand(member, around)) && text !== '') || MASKED_NUMBER.test(text)
          ? ERASED
          : withoutTexts(text, subject),
      FREE_OBJECTS,
    ),
  )
}

/**
 * For what is rendered after an erasure, when the texts of the customer are not known any more. Labels are free texts, too.
 * @param data with values of classes, such as amounts, which stay
 */
export function withoutPerson<Data extends object>(data: Data): Data {
  const erase = (text: string, member: string, holder: string) =>
    text !== '' && (member === 'label' || isPersonal(member, holder)) ? ERASED : text
  return mapped(data as JsonObject, erase, FREE_OBJECTS) as Data
}

export function isPersonal(member: string, holder: string): boolean {
  return PERSONAL_MEMBERS.has(member) || PERSONAL_MEMBERS.has(`${holder}.${member}`)
}

/** The acquirer's id of a transaction, which for a payment by hand is a text of whoever recorded it. */
function isByHand(member: string, around: JsonObject): boolean {
  return member === 'new_gateway_txn_id' && around['acquirer_type'] === 'manual'
}

function mapped(
  value: Json,
  map: (text: string, member: string, holder: string, around: JsonObject) => string,
  emptied: ReadonlySet<string> = new Set(),
  member = '',
  holder = '',
  around: JsonObject = {},
): Json {
  if (typeof value === 'string') return map(value, member, holder, around)
  if (Array.isArray(value))
    return value.map((element) => mapped(element, map, emptied, member, holder, around))
  if (!isObject(value)) return value
  if (emptied.has(member)) return {}
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, mapped(inner, map, emptied, name, member, value)]),
  )
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
