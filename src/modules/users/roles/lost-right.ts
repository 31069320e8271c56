import type { Caller } from '#platform/caller'
import { holdsScope } from '#platform/http/authorization'
import type { Scope } from '#platform/http/routes/route'
import type { Database } from '#platform/postgres/database'
import { findUserRights } from '../storage/session.repository.ts'
import { scopesOf } from '../model/roles.ts'

/** The end of a session takes no right away. */
export async function lostRightOfUser(
  db: Database,
  { businessCode: code, environment, actor }: Pick<Caller, 'businessCode' | 'environment' | 'actor'>,
  scope: Scope,
): Promise<'account_disabled' | 'not_a_member' | 'role_not_allowed' | undefined> {
  const rights = await findUserRights(db.shared, actor.id, { code, environment })
  if (rights === undefined || rights.isDisabled) return 'account_disabled'
  if (rights.operator) return undefined
  if (!rights.isMember) return 'not_a_member'
  return holdsScope(new Set(scopesOf(rights.role, environment)), scope) ? undefined : 'role_not_allowed'
}
