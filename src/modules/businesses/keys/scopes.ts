import { type Scope, SCOPES } from '#platform/http/routes/route'
import { CannotDo } from '../api/cannot-do.ts'

/** Reads `--scope`: one scope, several with commas between them, or `all`. Throws `CannotDo`. */
export function parseScopes(text: string): Scope[] {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  if (words.includes('all')) return [...SCOPES]
  const chosen = new Set<Scope>()
  for (const word of words) {
    const scope = SCOPES.find((known) => known === word)
    if (scope === undefined) {
      throw new CannotDo(`There is no scope ${word}. Scopes are all, ${SCOPES.join(', ')}.`)
    }
    chosen.add(scope)
  }
  if (chosen.size === 0) throw new CannotDo('Name at least one scope, such as payments:read, or all.')
  return [...chosen]
}
