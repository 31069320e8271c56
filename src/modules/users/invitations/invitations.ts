import { randomBytes } from 'node:crypto'
import { realClock } from '#kernel/clock'
import { throwIfRefused } from '#kernel/errors'
import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import type { PageRequest } from '#platform/http/validation/list'
import type { Tx } from '#platform/postgres/database'
import { isEmail } from '../accounts/create-user.ts'
import type { UsersContext } from '../context.ts'
import { errors } from '../errors.ts'
import { filterCondition } from '#platform/filter/filter-condition'
import { invitationMail } from '../mail/messages.ts'
import { authorityOf, refuseRoles } from '../members/authority.ts'
import { NO_ROLES, rolesFrom, rolesOf } from '../members/members.ts'
import {
  deleteInvitation,
  INVITATION_FIELDS,
  type Invitation,
  insertInvitation,
  listInvitations,
  lockInvitation,
  lockOpenInvitations,
  markMailed,
} from '../storage/invitation.repository.ts'
import { businessName, isMember } from '../storage/membership.repository.ts'
import { findUser } from '../storage/user.repository.ts'
import { hashOfToken } from '../model/token.ts'
import type { InvitationRequest } from './invitation-request.ts'

const VALID = { hours: 7 * 24 }
const TOKEN_BYTES = 32

export interface Invited {
  readonly invitation: Invitation
  readonly link: string | null
}

export async function invitationsOfPage(
  ctx: UsersContext,
  { businessId, businessCode }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<Invitation[]> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const condition = filterCondition(filter, INVITATION_FIELDS, timeZone)
  const read = (tx: Tx) => listInvitations(tx, businessCode, condition, request)
  return ctx.db.transact(businessId, read, { isSearch: true })
}

export async function invite(
  ctx: UsersContext,
  caller: Caller,
  request: InvitationRequest,
): Promise<Invited> {
  const email = request.email.trim().toLowerCase()
  if (!isEmail(email)) {
    throw platformErrors.invalid_member({
      param: 'invitation.email',
      message: 'invitation.email must be an e-mail address such as jo@example.com.',
    })
  }
  const roles = rolesFrom(request, NO_ROLES)
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const now = realClock.now()
  const invitation: Invitation = {
    id: newId('inv'),
    email,
    testRole: roles.test,
    liveRole: roles.live,
    invitedBy: caller.actor.id,
    mailed: false,
    createdAt: now,
    expiresAt: now.add(VALID),
    acceptedAt: null,
  }
  const insert = async (tx: Tx): Promise<void> => {
    const authority = await authorityOf(tx, caller)
    throwIfRefused(errors, refuseRoles(authority, NO_ROLES, roles))
    for (const replaced of await lockOpenInvitations(tx, caller.businessCode, email, now)) {
      throwIfRefused(errors, refuseRoles(authority, rolesOf(replaced), NO_ROLES))
    }
    if (await isMember(tx, caller.businessCode, email))
      throw errors.already_member({ param: 'invitation.email' })
    await insertInvitation(tx, caller.businessCode, invitation, hashOfToken(token))
  }
  await ctx.db.transact(caller.businessId, insert, { usesSharedTables: true })
  const link = `${ctx.publicUrl()}/console/invitations/${token}`
  const mailed = await mailInvitation(ctx, caller, email, link)
  if (mailed) await markMailed(ctx.db.shared, caller.businessCode, invitation.id)
  return { invitation: { ...invitation, mailed }, link: mailed ? null : link }
}

async function mailInvitation(
  { db, mailer, log }: UsersContext,
  caller: Caller,
  email: string,
  link: string,
): Promise<boolean> {
  if (mailer === undefined) return false
  const name = (await businessName(db.shared, caller.businessCode)) ?? caller.businessCode
  const inviter = caller.actor.type === 'user' ? await findUser(db.shared, caller.actor.id) : undefined
  try {
    await mailer.send({ to: email, ...invitationMail(inviter?.locale ?? 'en', name, link) })
    return true
  } catch (error) {
    log.error({ err: error }, 'an invitation could not be mailed')
    return false
  }
}

export async function revokeInvitation({ db }: UsersContext, caller: Caller, id: string): Promise<void> {
  const withdraw = async (tx: Tx): Promise<void> => {
    const invitation = await lockInvitation(tx, caller.businessCode, id)
    if (invitation === undefined || invitation.acceptedAt !== null) throw errors.invitation_not_found()
    throwIfRefused(errors, refuseRoles(await authorityOf(tx, caller), rolesOf(invitation), NO_ROLES))
    await deleteInvitation(tx, caller.businessCode, id)
  }
  await db.transact(caller.businessId, withdraw, { usesSharedTables: true })
}
