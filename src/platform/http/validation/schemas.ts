import Type, { type TObject, type TProperties, type TSchema } from 'typebox'
import { ExactNumber } from '#kernel/json'
import { parseAnyDate, parseAnyInstant } from '#kernel/time-text'

/**
 * The schemas that requests and responses are made of. They are JSON Schema, so the same value
 * checks a request, types it, and stands in openapi.json. Bodies are never coerced and never
 * filled with defaults.
 *
 * `Type.Number()` has no place in a body: a number that is no safe integer arrives as `ExactNumber`.
 * Whole numbers are `Type.Integer()`, money is `Amount()`.
 */

/** Marks what only the refinement knows; openapi.json shows it as `type: number`. */
export const EXACT_NUMBER = 'x-exact-number'
/** What a string must be, for the message: "order.due_date must be a date as YYYY-MM-DD". */
export const EXPECTED = 'x-expected'

interface Described {
  readonly description?: string
  /** A name of its own: it stands once in openapi.json, so that programs made from it have one type of it. */
  readonly title?: string
}

/** An object that takes no other members than these. */
export function strictObject<Properties extends TProperties>(
  properties: Properties,
  options: Described = {},
): TObject<Properties> {
  const schema = Type.Object(properties, { ...options, additionalProperties: false })
  // A number such as 1.5 arrives as an object of ours; without this an all-optional object would take it.
  return Type.Refine(schema, isPlainObject, () => 'must be an object')
}

function isPlainObject(value: unknown): boolean {
  return !(value instanceof ExactNumber)
}

/** What answers and events show under a name of its own. */
export function Resource<Properties extends TProperties>(
  title: string,
  properties: Properties,
  options: Described = {},
): TObject<Properties> {
  return Type.Object(properties, { ...options, title })
}

/** A moment in an answer, RFC 3339 in UTC. */
export function TimestampOut(options: Described = {}) {
  return Type.String({ ...options, format: 'date-time' })
}

/** Of a path that names one object. */
export const IdParams = strictObject({ id: Type.String() })
export const UuidParams = strictObject({ uuid: Type.String() })

/**
 * A string of `min` (default 1: an empty string says nothing) to `max` characters. Characters are
 * code points, as JSON Schema counts them.
 */
export function Text(options: Described & { readonly max: number; readonly min?: number }) {
  const { max, min = 1, ...described } = options
  return Type.String({ ...described, ...(min > 0 && { minLength: min }), maxLength: max })
}

/** One of these words. */
export function OneOf<const Words extends readonly [string, ...string[]]>(
  words: Words,
  options: Described = {},
) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], ...options })
}

/** One of the names of a table, such as the states of a life. */
export function KeyOf<Table extends object>(table: Table) {
  return Type.Unsafe<keyof Table>({ type: 'string', enum: Object.keys(table) })
}

/** The schema, or null. */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

/**
 * Money as a JSON number, with all its digits (orders and plans). Any JSON number passes: how many
 * digits it may have depends on its currency, and `kernel/money` says so with 422.
 */
export function Amount(options: Described = {}) {
  return Type.Refine(
    Type.Unsafe<number | ExactNumber>({ ...options, [EXACT_NUMBER]: true }),
    isExactNumber,
    () => 'must be a number',
  )
}

function isExactNumber(value: unknown): boolean {
  return typeof value === 'number' || value instanceof ExactNumber
}

/** Money in an answer: what `kernel/json.rawNumber` writes. The same as `Amount()` in the documentation. */
export function AmountOut(options: Described = {}) {
  return Type.Unsafe<unknown>({ ...options, [EXACT_NUMBER]: true })
}

/**
 * Money as a decimal string (cards, limits, wallets): "150.50". How many digits and decimals it may
 * have is for `kernel/money` to say, with 422.
 */
export function DecimalString(options: Described = {}) {
  return Type.String({
    ...options,
    pattern: '^-?[0-9]+(\\.[0-9]+)?$',
    maxLength: 1_000,
    [EXPECTED]: 'a decimal number as a string, such as "150.50"',
  })
}

/** An http or https address of at most 2,048 characters, without credentials. */
export function HttpUrl(options: Described = {}) {
  const schema = Type.String({
    ...options,
    format: 'uri',
    maxLength: 2_048,
    [EXPECTED]: 'an http or https URL',
  })
  return Type.Refine(schema, isHttpUrl, () => 'must be an http or https URL')
}

function isHttpUrl(value: unknown): boolean {
  // The URL parser drops white space and control characters silently; a receiver of the text would not.
  // eslint-disable-next-line no-control-regex
  if (typeof value !== 'string' || !/^https?:\/\/[^\s\u0000-\u001f\\/][^\s\u0000-\u001f\\]*$/i.test(value))
    return false
  const url = URL.parse(value)
  return url !== null && url.hostname !== '' && url.username === '' && url.password === ''
}

/** A day of the calendar, YYYY-MM-DD. */
export function DateOnly(options: Described = {}) {
  const schema = Type.String({ ...options, format: 'date', [EXPECTED]: 'a date as YYYY-MM-DD' })
  return Type.Refine(schema, isDateOnly, () => 'must be a date as YYYY-MM-DD')
}

function isDateOnly(value: unknown): boolean {
  return typeof value === 'string' && parseAnyDate(value) !== undefined
}

/** A moment, RFC 3339 with seconds and an offset. */
export function Timestamp(options: Described = {}) {
  const expected = 'a time as 2026-01-31T09:30:00Z (RFC 3339)'
  const schema = Type.String({ ...options, format: 'date-time', [EXPECTED]: expected })
  return Type.Refine(schema, isTimestamp, () => `must be ${expected}`)
}

function isTimestamp(value: unknown): boolean {
  return typeof value === 'string' && parseAnyInstant(value) !== undefined
}
