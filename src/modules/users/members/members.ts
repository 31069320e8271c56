import sql, { type Sql } from 'sql-template-tag'
import { realClock, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { untilCachesExpire } from '#modules/businesses'
import type { Caller } from '#platform/caller'
import type { FilterFields } from '#platform/filter/filter-sql'
import { once } from '#platform/idempotency/idempotency'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import type { Database, Tx } from '#platform/postgres/database'
import { platformErrors } from '#platform/errors'
import { errors } from '../api/errors.ts'
import { renderSession } from '../console/render.ts'
import { ROLES, type Role } from '../roles/roles.ts'
import { deleteInvitationsOf } from '../storage/invitation.repository.ts'
import {
  deleteMembership,
  listMembers,
  lockMembers,
  type Member,
  type Roles,
  setRoles,
} from '../storage/membership.repository.ts'
import { deleteSessions, sessionsOf } from '../storage/session.repository.ts'
import { authorityOf, requireAuthority } from './authority.ts'
import { requireOtherOwner } from './keep-owner.ts'

export const MEMBER_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`m.user_id` },
  email: { type: 'text', column: sql`u.email` },
  name: { type: 'text', column: sql`u.name` },
  test_role: { type: 'enum', column: sql`m.test_role`, values: ROLES },
  live_role: { type: 'enum', column: sql`m.live_role`, values: ROLES },
  created_at: { type: 'time', column: sql`m.created_at` },
}

export const NO_ROLES: Roles = { test: null, live: null }

export interface RolesRequest {
  readonly test_role?: Role | null | undefined
  readonly live_role?: Role | null | undefined
}

export async function membersPage(
  db: Database,
  { businessId, businessCode }: Caller,
  condition: Sql | undefined,
  request: PageRequest,
): Promise<object> {
  const found = await db.transact(businessId, (tx) => listMembers(tx, businessCode, condition, request), {
    isSearch: true,
  })
  const { rows, page } = renderPage(
    request,
    found,
    (member) => ({ at: member.createdAt, id: member.userId }),
    renderMember,
  )
  return { members: rows, page }
}

export async function changeRoles(
  db: Database,
  caller: Caller,
  id: string,
  request: RolesRequest,
): Promise<{ member: object }> {
  const change = async (tx: Tx): Promise<{ member: object }> => {
    const { members, member } = await lockMember(tx, caller.businessCode, id)
    const before = rolesOf(member)
    const after = rolesFrom(request, before)
    requireAuthority(await authorityOf(tx, caller), before, after)
    requireOtherOwner(members, member, after)
    await setRoles(tx, caller.businessCode, id, after)
    await deleteInvitationsOf(tx, caller.businessCode, member, after)
    return { member: renderMember({ ...member, testRole: after.test, liveRole: after.live }) }
  }
  const changed = await once(db, caller, change, { usesSharedTables: true })
  await untilCachesExpire()
  return changed
}

export async function removeMember(db: Database, caller: Caller, id: string): Promise<object> {
  const remove = async (tx: Tx): Promise<void> => {
    const { members, member } = await lockMember(tx, caller.businessCode, id)
    requireAuthority(await authorityOf(tx, caller), rolesOf(member), NO_ROLES)
    requireOtherOwner(members, member, NO_ROLES)
    await deleteMembership(tx, caller.businessCode, id)
    await deleteInvitationsOf(tx, caller.businessCode, member, NO_ROLES)
  }
  await db.transact(caller.businessId, remove, { usesSharedTables: true })
  await untilCachesExpire()
  return {}
}

export async function memberSessions(db: Database, caller: Caller, id: string): Promise<object> {
  await db.transact(caller.businessId, (tx) => lockMember(tx, caller.businessCode, id), {
    usesSharedTables: true,
  })
  const sessions = await sessionsOf(db.shared, id, toRfc3339(realClock.now()))
  return { sessions: sessions.map((session) => renderSession(session)) }
}

export async function endMemberSessions(db: Database, caller: Caller, id: string): Promise<object> {
  const requireRemovable = async (tx: Tx): Promise<void> => {
    const { member } = await lockMember(tx, caller.businessCode, id)
    requireAuthority(await authorityOf(tx, caller), rolesOf(member), NO_ROLES)
  }
  await db.transact(caller.businessId, requireRemovable, { usesSharedTables: true })
  const ended = await deleteSessions(db.shared, id, '')
  await untilCachesExpire()
  return { ended }
}

export function rolesFrom(request: RolesRequest, before: Roles): Roles {
  const { test_role: test = before.test, live_role: live = before.live } = request
  if (test !== null || live !== null) return { test, live }
  throw platformErrors.invalid_member({
    param: 'test_role',
    message: 'test_role and live_role must not both be null. Remove the member instead.',
  })
}

async function lockMember(
  tx: Tx,
  businessCode: string,
  id: string,
): Promise<{ members: readonly Member[]; member: Member }> {
  const members = await lockMembers(tx, businessCode)
  const member = members.find(({ userId }) => userId === id)
  if (member === undefined) throw errors.member_not_found()
  return { members, member }
}

export function rolesOf({ testRole, liveRole }: Pick<Member, 'testRole' | 'liveRole'>): Roles {
  return { test: testRole, live: liveRole }
}

function renderMember(member: Member): object {
  return {
    id: member.userId,
    name: member.name,
    email: member.email,
    test_role: member.testRole,
    live_role: member.liveRole,
    two_factor_enabled: member.twoFactorEnabled,
    disabled_at: rfc3339OrNull(member.disabledAt),
    created_at: toRfc3339(member.createdAt),
  }
}
