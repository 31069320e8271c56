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
  return JSON.parse(text, (_member, value: unknown, context: { source?: string }) => {
    if (typeof value !== 'number' || context.source === undefined) return value
    // 1.0 and 1e2 are integers by value; 9007199254740993 and 0.1 are not held by a double.
    if (Number.isSafeInteger(value) && isHeldExactly(context.source, value)) return value
    return new ExactNumber(context.source)
  }) as Json
}

/** A number to be written into JSON with exactly these digits, such as `150.50`. */
export const rawNumber = memoize((decimal: string): unknown => JSON.rawJSON(decimal))

/** Whether the double `value` is exactly the number that `source` writes: 1.0 and 1e2 are, 1e-400 (a double 0) is not. */
function isHeldExactly(source: string, value: number): boolean {
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
