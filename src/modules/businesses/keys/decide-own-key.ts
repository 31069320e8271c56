import type { Instant } from '#kernel/clock'
import { addDuration, isDurationProblem, parseDuration } from '#kernel/duration'
import type { Refused } from '#kernel/refusal'
import { holdsScope } from '#platform/http/authorization'
import type { Scope } from '#platform/http/routes/route'

/** Whoever makes a key gives it no right that they lack. */
export function refuseWiderScopes(
  own: ReadonlySet<string>,
  wanted: readonly Scope[],
): Refused<'scope_not_own'> | null {
  const missing = wanted.find((scope) => !holdsScope(own, scope))
  if (missing === undefined) return null
  return {
    refused: 'scope_not_own',
    param: 'api_key.scopes',
    message: `api_key.scopes has ${missing}, which you do not have yourself.`,
  }
}

/** @param expiresIn an ISO 8601 duration; undefined for a key that never expires */
export function decideExpiry(
  expiresIn: string | undefined,
  createdAt: Instant,
): { readonly expiresAt: Instant | null } | Refused<'expires_in_invalid'> {
  if (expiresIn === undefined) return { expiresAt: null }
  const duration = parseDuration(expiresIn)
  if (!isDurationProblem(duration) && duration.sign !== 0)
    return { expiresAt: addDuration(createdAt, duration, 'UTC') }
  const problem = isDurationProblem(duration) ? duration.message : 'must be longer than zero'
  return {
    refused: 'expires_in_invalid',
    param: 'api_key.expires_in',
    message: `api_key.expires_in ${problem}.`,
  }
}
