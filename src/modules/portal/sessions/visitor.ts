import type { Caller } from '#platform/caller'
import type { PortalContext, Visitor } from '../context.ts'
import { errors } from '../errors.ts'
import { isAllowed, type Permission } from '../model/allow.ts'
import { findSettings } from '../storage/settings.repository.ts'

/** Refuses what the business does not allow, before anything is looked for. */
export async function visitorOf(
  ctx: Pick<PortalContext, 'db'>,
  caller: Caller,
  permission: Permission | undefined,
): Promise<Visitor> {
  const settings = await ctx.db.transact(caller.businessId, findSettings)
  if (permission !== undefined && !isAllowed(settings.allow, permission)) throw errors.portal_not_allowed()
  return { caller, customerUuid: caller.actor.id, settings, allow: settings.allow }
}
