import sql, { type Sql } from 'sql-template-tag'

/**
 * How arrays reach PostgreSQL. Set-based statements carry hundreds of values each, and the driver's own
 * array literal escapes every element by itself: it was a seventh of all that a billing run allocated.
 */

/** Any of these in an element has to be escaped inside quotes. */
const ESCAPED = /["\\]/
const EACH_ESCAPED = /["\\]/g

/** As `Bind` carries it (PostgreSQL 18, 54.7): text, bytes, or NULL. */
export type Parameter = string | Buffer | null

/** A value as `Bind` takes it; an array becomes a literal. Throws for what PostgreSQL has no text of, such as an object. */
export function toParameter(value: unknown): Parameter {
  if (value === null || value === undefined) return null
  if (Buffer.isBuffer(value)) return value
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (Array.isArray(value)) return toLiteral(value)
  return toText(value)
}

function toLiteral(elements: readonly unknown[]): string {
  if (elements.length > 0 && elements.every(isPlainText)) return `{"${elements.join('","')}"}`
  return `{${elements.map((element) => (element === null ? 'NULL' : `"${escaped(toText(element))}"`)).join(',')}}`
}

function isPlainText(element: unknown): boolean {
  return typeof element === 'string' && !ESCAPED.test(element)
}

function escaped(text: string): string {
  return ESCAPED.test(text) ? text.replaceAll(EACH_ESCAPED, String.raw`\$&`) : text
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value)
  throw new TypeError(`a parameter is of type ${typeof value}`)
}

/** Types whose arrays are sent in PostgreSQL's binary form, by their oid. */
const OIDS = { bytea: 17, json: 114 }
const HEADER_BYTES = 20
const LENGTH_BYTES = 4
const NULL_LENGTH = -1

/**
 * Documents or bytes as a `json[]` or a `bytea[]` for `unnest`, in PostgreSQL's binary form: in an array literal every
 * quote of every document would have to be escaped here and read again there. That was a fifth of what it costs to write
 * events.
 */
export function binaryArray(type: keyof typeof OIDS, elements: readonly (string | Uint8Array | null)[]): Sql {
  const lengths = elements.map((element) => (element === null ? NULL_LENGTH : Buffer.byteLength(element)))
  const bytes = lengths.reduce((sum, length) => sum + LENGTH_BYTES + Math.max(length, 0), HEADER_BYTES)
  const array = Buffer.allocUnsafe(bytes)
  let offset = 0
  const writeInteger = (value: number): void => {
    offset = array.writeInt32BE(value, offset)
  }
  // One dimension, with nulls or not, of this type, so many elements, counted from 1.
  for (const value of [1, elements.includes(null) ? 1 : 0, OIDS[type], elements.length, 1])
    writeInteger(value)
  for (const [index, element] of elements.entries()) {
    writeInteger(lengths[index] ?? NULL_LENGTH)
    if (typeof element === 'string') offset += array.write(element, offset)
    else if (element !== null) {
      array.set(element, offset)
      offset += element.length
    }
  }
  return type === 'json' ? sql`${array}::json[]` : sql`${array}::bytea[]`
}
