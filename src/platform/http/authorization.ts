import type { IncomingHttpHeaders } from 'node:http'
import type { RequestError } from '#kernel/errors'
import type { Actor, Environment } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import type { Route, Scope } from '#platform/http/routes/route'

/** - `isBodyUnread`: The body has not been read, so its signature is checked later. */
export interface AuthenticationRequest {
  readonly method: string
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly rawBody: Buffer | undefined
  readonly isBodyUnread?: true
}

export interface Principal {
  readonly businessId: string
  readonly businessCode: string
  readonly environment: Environment
  readonly appId: string
  readonly actor: Actor
  readonly scopes: ReadonlySet<string>
  readonly scopeMissing?: (scope: string) => RequestError
}

export type Authenticate = (request: AuthenticationRequest) => Promise<Principal>

/**
 * Checks the scope, the environment and the caller's headers (reference/access#scopes). A `:write` scope
 * includes `:read` of the same area, as in Stripe's restricted keys: a key that may refund an order would
 * otherwise need a second key to read the order.
 */
export function compileAuthorization(
  route: Route,
): (principal: Principal, headers: IncomingHttpHeaders) => void {
  const { scope } = route
  const isTestOnly = route.environments === 'test'
  return (principal, headers) => {
    const appId = headers['x-appid']
    if (appId !== undefined && appId !== principal.appId)
      throw platformErrors.app_mismatch({ param: 'x-appid' })
    const businessCode = headers['x-p-customer-code']
    if (businessCode !== undefined && businessCode !== principal.businessCode) {
      throw platformErrors.business_mismatch({ param: 'X-P-Customer-Code' })
    }
    requireScope(principal, scope)
    if (isTestOnly && principal.environment !== 'test') throw platformErrors.test_environment_only()
  }
}

export function requireScope({ scopes, scopeMissing }: Principal, scope: Scope): void {
  if (holdsScope(scopes, scope)) return
  throw (
    scopeMissing?.(scope) ??
    platformErrors.scope_missing({ message: `The API key does not have the scope ${scope}.` })
  )
}

/** `billing` includes `billing_details`, which support may edit without all of billing. */
export function holdsScope(scopes: ReadonlySet<string>, scope: Scope): boolean {
  if (scopes.has(scope) || scopes.has(scope.replace(/:read$/, ':write'))) return true
  if (scope === 'billing_details:read') return holdsScope(scopes, 'billing:read')
  return scope === 'billing_details:write' && scopes.has('billing:write')
}
