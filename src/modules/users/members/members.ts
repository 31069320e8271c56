import { realClock, toRfc3339 } from '#kernel/clock'
import { throwIfRefused } from '#kernel/errors'
import { untilCachesExpire } from '#modules/businesses'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { PageRequest } from '#platform/http/validation/list'
import type { Tx } from '#platform/postgres/database'
import { platformErrors } from '#platform/errors'
import type { UsersContext } from '../context.ts'
import { errors } from '../errors.ts'
import { filterCondition } from '#platform/filter/filter-condition'
import type { RolesRequest } from '../model/roles-request.ts'
import { deleteInvitationsOf } from '../storage/invitation.repository.ts'
import {
  deleteMembership,
  listMembers,
  lockMembers,
  MEMBER_FIELDS,
  type Member,
  type Roles,
  setRoles,
} from '../storage/membership.repository.ts'
import { deleteSessions, sessionsOf, type StoredSession } from '../storage/session.repository.ts'
import { authorityOf, refuseRoles } from './authority.ts'
import { refuseLastOwner } from './keep-owner.ts'

export const NO_ROLES: Roles = { test: null, live: null }

export async function membersOfPage(
  ctx: UsersContext,
  { businessId, businessCode }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<Member[]> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const condition = filterCondition(filter, MEMBER_FIELDS, timeZone)
  const read = (tx: Tx) => listMembers(tx, businessCode, condition, request)
  return ctx.db.transact(businessId, read, { isSearch: true })
}

export async function changeRoles(
  { db }: UsersContext,
  caller: Caller,
  id: string,
  request: RolesRequest,
): Promise<Member> {
  const change = async (tx: Tx): Promise<Member> => {
    const { members, member } = await lockMember(tx, caller.businessCode, id)
    const before = rolesOf(member)
    const after = rolesFrom(request, before)
    throwIfRefused(errors, refuseRoles(await authorityOf(tx, caller), before, after))
    throwIfRefused(errors, refuseLastOwner(members, member, after))
    await setRoles(tx, caller.businessCode, id, after)
    await deleteInvitationsOf(tx, caller.businessCode, member, after)
    return { ...member, testRole: after.test, liveRole: after.live }
  }
  const changed = await once(db, caller, change, { usesSharedTables: true })
  await untilCachesExpire()
  return changed
}

export async function removeMember({ db }: UsersContext, caller: Caller, id: string): Promise<void> {
  const remove = async (tx: Tx): Promise<void> => {
    const { members, member } = await lockMember(tx, caller.businessCode, id)
    throwIfRefused(errors, refuseRoles(await authorityOf(tx, caller), rolesOf(member), NO_ROLES))
    throwIfRefused(errors, refuseLastOwner(members, member, NO_ROLES))
    await deleteMembership(tx, caller.businessCode, id)
    await deleteInvitationsOf(tx, caller.businessCode, member, NO_ROLES)
  }
  await db.transact(caller.businessId, remove, { usesSharedTables: true })
  await untilCachesExpire()
}

export async function memberSessions(
  { db }: UsersContext,
  caller: Caller,
  id: string,
): Promise<StoredSession[]> {
  await db.transact(caller.businessId, (tx) => lockMember(tx, caller.businessCode, id), {
    usesSharedTables: true,
  })
  return sessionsOf(db.shared, id, toRfc3339(realClock.now()))
}

export async function endMemberSessions({ db }: UsersContext, caller: Caller, id: string): Promise<number> {
  const requireRemovable = async (tx: Tx): Promise<void> => {
    const { member } = await lockMember(tx, caller.businessCode, id)
    throwIfRefused(errors, refuseRoles(await authorityOf(tx, caller), rolesOf(member), NO_ROLES))
  }
  await db.transact(caller.businessId, requireRemovable, { usesSharedTables: true })
  const ended = await deleteSessions(db.shared, id, '')
  await untilCachesExpire()
  return ended
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
