import type { Actor } from '#platform/caller'
import type { AuthenticationRequest, Principal } from '#platform/http/authorization'
import type { TokenClaims } from '#platform/security/tokens/signed-tokens'
import { platformErrors } from '#platform/errors'
import type { Tx } from '#platform/postgres/database'
import type { PortalContext } from '../context.ts'
import { errors } from '../errors.ts'
import { type Allow, permissionsOf, scopeOf } from '../model/allow.ts'
import type { PortalSession } from '../model/session.ts'
import { findSession } from '../storage/session.repository.ts'
import { findSettings } from '../storage/settings.repository.ts'
import { readToken } from './session-tokens.ts'

/** Requests to these paths need the token of a session; an API key is refused. */
export const PORTAL_PATH = '/svc/portal/'

export async function authenticate(
  ctx: PortalContext,
  { headers }: Pick<AuthenticationRequest, 'headers'>,
): Promise<Principal> {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (token === undefined) throw platformErrors.unauthenticated()
  const claims = readToken(ctx, 'token', token)
  const session = claims && (await liveSession(ctx, claims))
  if (claims === null || session === null) throw errors.portal_session_ended()
  const { allow } = await ctx.db.transact(claims.businessId, findSettings)
  return principalOf(ctx, claims.businessId, session, allow)
}

/** The sessions of an erased customer have ended, although the erasure deletes them later. */
export async function liveSession(
  ctx: Pick<PortalContext, 'db' | 'customers'>,
  { businessId, id }: Pick<TokenClaims, 'businessId' | 'id'>,
): Promise<PortalSession | null> {
  const session = await findSession(ctx.db, businessId, id)
  if (session === undefined || session.endedAt !== null) return null
  return ctx.db.transact(businessId, async (tx) => ((await isErased(ctx, tx, session)) ? null : session))
}

export async function isErased(
  { customers }: Pick<PortalContext, 'customers'>,
  tx: Tx,
  { customerUuid }: Pick<PortalSession, 'customerUuid'>,
): Promise<boolean> {
  const customer = (await customers.findCustomers(tx, [customerUuid])).get(customerUuid)
  return customer === undefined || customer.erasedAt !== null
}

/** Each permission is a scope, so that what is not allowed is refused before the body is read. */
export async function principalOf(
  ctx: Pick<PortalContext, 'businesses'>,
  businessId: string,
  session: PortalSession,
  allow: Allow,
): Promise<Principal> {
  const { customerUuid, isReadOnly } = session
  const { code, environment } = await ctx.businesses.profile(businessId)
  const access = isReadOnly ? 'read' : 'write'
  const permissions = permissionsOf(allow).filter((one) => !session.isCardsOnly || one === 'payment_methods')
  return {
    businessId,
    businessCode: code,
    environment,
    appId: appOf(customerUuid),
    actor: actorOf(customerUuid),
    scopes: new Set([`portal:${access}`, ...permissions.map((one) => scopeOf(one, access))]),
    scopeMissing: () =>
      errors.portal_not_allowed(
        isReadOnly ? { message: 'The session shows what the customer may see, and changes nothing.' } : {},
      ),
  }
}

/** Idempotency keys belong to an app, and two customers may choose the same. */
function appOf(customerUuid: string): string {
  return `portal:${customerUuid}`
}

function actorOf(customerUuid: string): Actor {
  return { type: 'portal', id: customerUuid }
}
