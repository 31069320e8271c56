import Type, { type TObject, type TProperties, type TSchema } from 'typebox'
import { COUNTRIES } from '#kernel/countries'
import { isCurrency } from '#kernel/currencies'
import { ExactNumber } from '#kernel/json'
import { isOneLine, NOT_ONE_LINE } from '#kernel/one-line'
import { parseAnyDate, parseAnyInstant } from '#kernel/time-text'
import { MAX_METADATA_KEYS, type MetadataEdit } from '#platform/http/validation/metadata'

/**
 * TypeBox schemas of requests and responses. The same JSON Schema checks a request, types it and documents
 * it. Bodies are neither coerced nor filled with defaults.
 * Bodies must not use `Type.Number()`, because a number that is not a safe integer is parsed to an
 * `ExactNumber`. Whole numbers are `Type.Integer()`, money is `Amount()`.
 */

export const EXACT_NUMBER = 'x-exact-number'
export const EXPECTED = 'x-expected'
/** The maximum of PostgreSQL's integer. */
export const MAX_INTEGER = 2_147_483_647

interface Described {
  readonly description?: string
  readonly title?: string
}

export function strictObject<Properties extends TProperties>(
  properties: Properties,
  options: Described = {},
): TObject<Properties> {
  const schema = Type.Object(properties, { ...options, additionalProperties: false })
  // An ExactNumber is an object, so a schema without required members would accept it.
  return Type.Refine(schema, isPlainObject, () => 'must be an object')
}

function isPlainObject(value: unknown): boolean {
  return !(value instanceof ExactNumber)
}

export function Resource<Properties extends TProperties>(
  title: string,
  properties: Properties,
  options: Described = {},
): TObject<Properties> {
  return Type.Object(properties, { ...options, title })
}

export function TimestampOut(options: Described = {}) {
  return Type.String({ ...options, format: 'date-time' })
}

export const IdParams = strictObject({ id: Type.String() })
export const UuidParams = strictObject({ uuid: Type.String() })

export function Text(options: Described & { readonly max: number; readonly min?: number }) {
  const { max, min = 1, ...described } = options
  return Type.String({ ...described, ...(min > 0 && { minLength: min }), maxLength: max })
}

/** The business's own name of an object, by which it can be found again. */
export const ReferenceId = Text({ max: 255, description: 'Your own id, unique among objects of this kind.' })

/** A text that third parties show on a single line. */
export function TextLine(options: Parameters<typeof Text>[0]) {
  return Type.Refine(
    Text(options),
    (value) => isOneLine(value),
    () => NOT_ONE_LINE,
  )
}

export function OneOf<const Words extends readonly [string, ...string[]]>(
  words: Words,
  options: Described = {},
) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], ...options })
}

export function KeyOf<Table extends object>(table: Table) {
  return Type.Unsafe<keyof Table>({ type: 'string', enum: Object.keys(table) })
}

export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

export const NullableString = Nullable(Type.String())

/** The bound of reference/conventions#metadata. */
const MAX_KEY_LENGTH = 40

export function MetadataBody() {
  const schema = Type.Unsafe<MetadataEdit>({
    type: 'object',
    description: `Your own keys of 1 to ${MAX_KEY_LENGTH} characters with texts. An edit changes the keys that it names; null or an empty text removes one.`,
    additionalProperties: Nullable(Text({ max: 500, min: 0 })),
    maxProperties: MAX_METADATA_KEYS,
  })
  return Type.Optional(
    Type.Refine(schema, hasUsableKeys, () => `must have keys of 1 to ${MAX_KEY_LENGTH} characters`),
  )
}

function hasUsableKeys(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !isPlainObject(value)) return false
  return Object.keys(value).every((key) => key !== '' && [...key].length <= MAX_KEY_LENGTH)
}

export function MetadataOut(options: Described = {}) {
  const schema = { type: 'object', additionalProperties: { type: 'string' }, ...options }
  return Type.Optional(Type.Unsafe<Readonly<Record<string, string>>>(schema))
}

export const Country = Type.Unsafe<string>({
  title: 'Country',
  type: 'string',
  enum: COUNTRIES,
  description: 'ISO 3166-1 alpha-2, as officially assigned.',
  [EXPECTED]: 'an ISO 3166-1 alpha-2 country code, such as HK',
})

export function CurrencyCode(options: Described = {}) {
  const expected = 'an ISO 4217 code of a currency, such as HKD'
  return Type.Refine(
    Type.String({ examples: ['HKD'], ...options, [EXPECTED]: expected }),
    (value) => typeof value === 'string' && isCurrency(value),
    () => `must be ${expected}`,
  )
}

/**
 * Money as a JSON number (orders and plans). Accepts any number: the allowed digits depend on the currency,
 * and `kernel/money` checks them with 422.
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

export function AmountOut(options: Described = {}) {
  return Type.Unsafe<unknown>({ ...options, [EXACT_NUMBER]: true })
}

export function DecimalString(options: Described = {}) {
  return Type.String({
    ...options,
    pattern: '^-?[0-9]+(\\.[0-9]+)?$',
    maxLength: 1_000,
    [EXPECTED]: 'a decimal number as a string, such as "150.50"',
  })
}

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

export function DateOnly(options: Described = {}) {
  const schema = Type.String({ ...options, format: 'date', [EXPECTED]: 'a date as YYYY-MM-DD' })
  return Type.Refine(schema, isDateOnly, () => 'must be a date as YYYY-MM-DD')
}

function isDateOnly(value: unknown): boolean {
  return typeof value === 'string' && parseAnyDate(value) !== undefined
}

export function Month(options: Described = {}) {
  const expected = 'a month as YYYY-MM'
  const schema = Type.String({ ...options, [EXPECTED]: expected })
  return Type.Refine(
    schema,
    (value) => typeof value === 'string' && isDateOnly(`${value}-01`),
    () => `must be ${expected}`,
  )
}

export function Timestamp(options: Described = {}) {
  const expected = 'a time as 2026-01-31T09:30:00Z (RFC 3339)'
  const schema = Type.String({ ...options, format: 'date-time', [EXPECTED]: expected })
  return Type.Refine(schema, isTimestamp, () => `must be ${expected}`)
}

function isTimestamp(value: unknown): boolean {
  return typeof value === 'string' && parseAnyInstant(value) !== undefined
}
