import { ExactNumber } from '#kernel/json'
import { MAX_DEPTH } from '#platform/http/validation/json-text'
import { memberPath, nameOrPosition } from '#platform/http/validation/member-path'

/** PostgreSQL stores neither NUL nor half of a surrogate pair, both of which JSON text may escape. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

export const UNSTORABLE = 'must not hold NUL or half of a surrogate pair'

export function firstUnstorable(value: unknown, path = '', depth = 0): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : path
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return undefined
  if (depth > MAX_DEPTH) return path
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      const found = firstUnstorable(element, `${path}[${index}]`, depth + 1)
      if (found !== undefined) return found
    }
    return undefined
  }
  for (const [index, [name, member]] of Object.entries(value).entries()) {
    if (!isStorable(name)) return path
    const shown = memberPath(path, nameOrPosition(name, 'member', index + 1))
    const found = firstUnstorable(member, shown, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}
