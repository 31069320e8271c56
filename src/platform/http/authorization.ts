import type { IncomingHttpHeaders } from 'node:http'
import type { Environment } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import type { Route, Scope } from '#platform/http/routes/route'

/** What a request is authenticated by. */
export interface AuthenticationRequest {
  readonly method: string
  /** Path and query as they were sent. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  /** The body's bytes as they were sent, for `content-digest` (RFC 9530); undefined when there is none. */
  readonly rawBody: Buffer | undefined
}

/** Who a key belongs to, and what it may do. */
export interface Principal {
  /** The tenant: one environment of a business. */
  readonly businessId: string
  readonly businessCode: string
  readonly environment: Environment
  readonly appId: string
  readonly scopes: ReadonlySet<string>
}

/** Proves who is calling, or throws a RequestError with status 401. */
export type Authenticate = (request: AuthenticationRequest) => Promise<Principal>

/**
 * The check that a principal may call the route, with these headers (decisions, section 2).
 *
 * A `:write` scope includes `:read` of the same area, as with Stripe's restricted keys: who may
 * refund an order but not look at it would only be handed a second key.
 */
export function compileAuthorization(route: Route): (principal: Principal, headers: IncomingHttpHeaders) => void {
  const { scope } = route
  const wider = scope.replace(/:read$/, ':write') as Scope
  const isTestOnly = route.environments === 'test'
  return (principal, headers) => {
    const appId = headers['x-appid']
    if (appId !== undefined && appId !== principal.appId)
      throw platformErrors.app_mismatch({ param: 'x-appid' })
    const businessCode = headers['x-p-customer-code']
    if (businessCode !== undefined && businessCode !== principal.businessCode) {
      throw platformErrors.business_mismatch({ param: 'X-P-Customer-Code' })
    }
    if (!principal.scopes.has(scope) && !principal.scopes.has(wider)) {
      throw platformErrors.scope_missing({ message: `The API key does not have the scope ${scope}.` })
    }
    if (isTestOnly && principal.environment !== 'test') throw platformErrors.test_environment_only()
  }
}
