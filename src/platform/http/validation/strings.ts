import { ExactNumber } from '#kernel/json'

/**
 * Strings that PostgreSQL cannot keep: NUL, and halves of a surrogate pair. Both are legal in JSON
 * text as escapes, and would otherwise fail deep inside as an error of ours.
 */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

export const UNSTORABLE = 'must not hold NUL or half of a surrogate pair'

/** Deeper JSON than any schema needs; it bounds every recursion over free-form members. */
const DEEPEST = 64

/** The path of the first string in a JSON value that cannot be stored, names of members included. */
export function firstUnstorable(value: unknown, path = '', depth = 0): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : path
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return undefined
  if (depth > DEEPEST) return path
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      const found = firstUnstorable(element, `${path}[${index}]`, depth + 1)
      if (found !== undefined) return found
    }
    return undefined
  }
  for (const [name, member] of Object.entries(value)) {
    if (!isStorable(name)) return path
    const found = firstUnstorable(member, path === '' ? name : `${path}.${name}`, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** A plan of 100 cycles with 100 items each has 31,000. */
const MAX_VALUES = 40_000

/**
 * What is beyond measure in JSON text, strings left aside. JSON.parse with a reviver, and everything that walks a body,
 * recurses: 10,000 brackets must be a 400 and not an exhausted stack. And it takes two microseconds and more a value: a
 * megabyte of `1,1,…` held up everybody else for a second.
 */
export function excessOf(json: Uint8Array): 'depth' | 'values' | undefined {
  let depth = 0
  let values = 1
  let inString = false
  for (let i = 0; i < json.length; i++) {
    const byte = json[i]
    if (inString) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) inString = true
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > DEEPEST) return 'depth'
      values++
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--
    else if (byte === COMMA) values++
  }
  return values > MAX_VALUES ? 'values' : undefined
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const COMMA = 0x2c
