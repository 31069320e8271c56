import type { Caller } from '#platform/caller'
import type { PortalContext, Visitor } from '../context.ts'
import { errors } from '../errors.ts'
import { allowedBy, isAllowed, type Permission } from '../model/allow.ts'
import { findSettings } from '../storage/settings.repository.ts'

/** Reads the settings again, and so refuses what the business no longer allows. */
export async function visitorOf(
  ctx: Pick<PortalContext, 'db'>,
  caller: Caller,
  permission: Permission | undefined,
): Promise<Visitor> {
  const settings = await ctx.db.transact(caller.businessId, findSettings)
  const allow = allowedBy(caller.scopes ?? new Set(), settings.allow)
  if (permission !== undefined && !isAllowed(allow, permission)) throw errors.portal_not_allowed()
  return { caller, customerUuid: caller.actor.id, returnUrl: settings.returnUrl, allow }
}
