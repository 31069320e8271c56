import { createHash } from 'node:crypto'

/**
 * Not an LRU cache: a name stands for a prepared statement on every connection, and evicting the name would not remove
 * those. Texts beyond the bound run unprepared. Our own code has a few hundred.
 */
const names = new Map<string, string>()
const MAX_NAMES = 2_000

export function statementName(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= MAX_NAMES) return known
  const name = createHash('sha1').update(text).digest('base64url')
  names.set(text, name)
  return name
}
