import type { IncomingHttpHeaders } from 'node:http'
import { realNowMs } from '#kernel/clock'
import { LookupCache } from '#modules/businesses'
import type { Environment } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import type { Authenticate, Principal } from '#platform/http/authorization'
import { SCOPES } from '#platform/http/routes/route'
import type { Database } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import { scopesOf } from '../model/roles.ts'
import { findSessionOwner, type SessionOwner } from '../storage/session.repository.ts'
import { consoleBase, requireOwnOrigin } from './own-origin.ts'
import { hasSessionCookie, readSessionToken } from '../sign-in/session-cookie.ts'

const CONSOLE_APP = 'console'

export interface SessionAuthenticatorDependencies {
  readonly db: Database
  readonly publicUrl: () => string
  readonly secret: () => Promise<string>
}

/**
 * Authenticates requests of the console's pages by their cookie (reference/users#sessions). A look-up is cached for
 * 250 ms, so an ended session or a changed role counts everywhere after that.
 */
export function sessionAuthenticator(deps: SessionAuthenticatorDependencies): Authenticate {
  const owners = new LookupCache<SessionOwner | undefined>()
  return async ({ method, headers }) => {
    const base = consoleBase(headers, deps.publicUrl())
    if (!hasSessionCookie(headers, base)) throw platformErrors.unauthenticated()
    requireOwnOrigin(method, headers, base)
    const business = businessOf(headers)
    const token = readSessionToken(headers, base, await deps.secret())
    if (token === undefined) throw errors.session_ended()
    const owner = await owners.get(`${token} ${business.environment} ${business.code}`, () =>
      findSessionOwner(deps.db.shared, token, business),
    )
    if (owner === undefined || owner.expiresAt.epochMilliseconds <= realNowMs()) throw errors.session_ended()
    return principalOf(owner, business)
  }
}

interface NamedBusiness {
  readonly code: string
  readonly environment: Environment
}

function businessOf(headers: IncomingHttpHeaders): NamedBusiness {
  const code = headers['x-p-customer-code']
  const environment = headers['quittance-environment']
  if (typeof code !== 'string' || code === '')
    throw errors.session_header_missing({ param: 'X-P-Customer-Code' })
  if (environment !== 'test' && environment !== 'live') {
    throw errors.session_header_missing({ param: 'Quittance-Environment' })
  }
  return { code, environment }
}

function principalOf(owner: SessionOwner, { code, environment }: NamedBusiness): Principal {
  const { businessId, operator, role } = owner
  if (businessId === null || (!operator && !owner.isMember)) throw errors.not_a_member()
  const scopes = operator ? SCOPES : scopesOf(role, environment)
  const title = role === null ? `You have no role in ${environment}` : `Your role ${role} in ${environment}`
  return {
    businessId,
    businessCode: code,
    environment,
    appId: CONSOLE_APP,
    actor: { type: 'user', id: owner.userId },
    scopes: new Set(scopes),
    scopeMissing: (scope) =>
      errors.role_not_allowed({
        message: `${title}${role === null ? ', so you do not have' : ' does not have'} the scope ${scope}.`,
      }),
  }
}
