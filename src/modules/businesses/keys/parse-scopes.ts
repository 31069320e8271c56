import { type Scope, SCOPES } from '#platform/http/routes/route'
import { CommandError } from '../command-error.ts'

export function parseScopes(text: string): Scope[] {
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  if (words.includes('all')) return [...SCOPES]
  const chosen = new Set<Scope>()
  for (const word of words) {
    const scope = SCOPES.find((candidate) => candidate === word)
    if (scope === undefined) {
      throw new CommandError(`Unknown scope ${word}. Valid scopes: all, ${SCOPES.join(', ')}.`)
    }
    chosen.add(scope)
  }
  if (chosen.size === 0) throw new CommandError('Name at least one scope, such as payments:read, or all.')
  return [...chosen]
}
