/**
 * JSON in which a number keeps every digit. `JSON.parse` alone rounds through a double first, and a
 * platform that bills 0.1 + 0.2 must not.
 */
import { readNumber } from './number-text.ts'
import { memoize } from './memoize.ts'

declare global {
  // In Node 26 (ES2026 JSON.parse source text access); not yet in TypeScript's own library.
  interface JSON {
    rawJSON(text: string): unknown
    parse(
      text: string,
      reviver: (this: unknown, member: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown
  }
}

/** A JSON number that is not a safe integer, kept as it was written. */
export class ExactNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
  toJSON(): unknown {
    return JSON.rawJSON(this.source)
  }
}

/** What `parseJson` answers. Numbers that are safe integers by value are plain numbers. */
export type Json = null | boolean | number | string | ExactNumber | Json[] | JsonObject
export interface JsonObject {
  [member: string]: Json
}

/** Parses JSON text without losing digits. Throws SyntaxError as `JSON.parse` does. */
export function parseJson(text: string): Json {
  return parseCountingMembers(text).value
}

/**
 * As `parseJson`, with the number of members that the objects have. Of members with one name only the last is kept, so
 * fewer members than the text has colons (outside strings) mean that a name is repeated.
 */
export function parseCountingMembers(text: string): { readonly value: Json; readonly members: number } {
  // JSON.parse also revives the whole value, as a member of an object of its own.
  let members = -1
  const value = JSON.parse(text, function revive(this: unknown, _member, parsed: unknown, { source }) {
    if (!Array.isArray(this)) members++
    if (typeof parsed !== 'number' || source === undefined) return parsed
    // 1.0 and 1e2 are integers by value; a double does not hold 9007199254740993 or 0.1.
    if (Number.isSafeInteger(parsed) && isExactDouble(source, parsed)) return parsed
    return new ExactNumber(source)
  })
  return { value: value as Json, members }
}

/** A number to be written into JSON with exactly these digits, such as `150.50`. */
export const rawNumber = memoize((decimal: string): unknown => JSON.rawJSON(decimal))

/** Whether the double `value` is exactly the number that `source` writes: 1.0 and 1e2 are, 1e-400 (a double 0) is not. */
function isExactDouble(source: string, value: number): boolean {
  if (source === String(value)) return true
  const written = readNumber(source)
  const held = readNumber(String(value))
  return (
    written !== undefined &&
    held !== undefined &&
    written.digits === held.digits &&
    written.exponent === held.exponent
  )
}
