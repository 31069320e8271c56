import { readNumber } from './number-text.ts'
import { memoize } from './memoize.ts'

declare global {
  // Node 26 has these (ES2026 JSON.parse source text access); TypeScript's library does not yet.
  interface JSON {
    rawJSON(text: string): unknown
    parse(
      text: string,
      reviver: (this: unknown, member: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown
  }
}

/** A JSON number that is not a safe integer. It keeps its digits, because a double would round an amount. */
export class ExactNumber {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
  toJSON(): unknown {
    return JSON.rawJSON(this.source)
  }
}

export type Json = null | boolean | number | string | ExactNumber | Json[] | JsonObject
export interface JsonObject {
  [member: string]: Json
}

export function parseJson(text: string): Json {
  return parseCountingMembers(text).value
}

/**
 * Also counts the members of all objects. JSON.parse keeps the last of several members with one name, so a
 * text with more colons outside its strings than members repeats a name.
 */
export function parseCountingMembers(text: string): { readonly value: Json; readonly members: number } {
  // JSON.parse wraps the whole value in an object and revives it as that object's only member, which does not count.
  let members = -1
  const value = JSON.parse(text, function revive(this: unknown, _member, parsed: unknown, { source }) {
    if (!Array.isArray(this)) members++
    if (typeof parsed !== 'number' || source === undefined) return parsed
    // 1.0 and 1e2 are integers by value. A double does not hold 9007199254740993 or 0.1.
    if (Number.isSafeInteger(parsed) && isExactDouble(source, parsed)) return parsed
    return new ExactNumber(source)
  })
  return { value: value as Json, members }
}

export const rawNumber = memoize((decimal: string): unknown => JSON.rawJSON(decimal))

function isExactDouble(source: string, value: number): boolean {
  if (source === String(value)) return true
  const exact = readNumber(source)
  const double = readNumber(String(value))
  return (
    exact !== undefined &&
    double !== undefined &&
    exact.digits === double.digits &&
    exact.exponent === double.exponent
  )
}
