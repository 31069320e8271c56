import { randomBytes } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import { realClock, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import type { FilterFields } from '#platform/filter/filter-sql'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import type { Database, Tx } from '#platform/postgres/database'
import { isEmail } from '../accounts/create-user.ts'
import { errors } from '../api/errors.ts'
import type { UsersDependencies } from '../dependencies.ts'
import { invitationMail } from '../mail/messages.ts'
import { authorityOf, requireAuthority } from '../members/authority.ts'
import { NO_ROLES, type RolesRequest, rolesFrom, rolesOf } from '../members/members.ts'
import {
  deleteInvitation,
  type Invitation,
  insertInvitation,
  listInvitations,
  lockInvitation,
  lockOpenInvitations,
  markMailed,
} from '../storage/invitation.repository.ts'
import { businessName, isMember } from '../storage/membership.repository.ts'
import { findUser } from '../storage/user.repository.ts'
import { hashOfToken } from './token.ts'

const VALID = { hours: 7 * 24 }
const TOKEN_BYTES = 32

export const INVITATION_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`i.id` },
  email: { type: 'text', column: sql`i.email` },
  created_at: { type: 'time', column: sql`i.created_at` },
  expires_at: { type: 'time', column: sql`i.expires_at` },
  accepted_at: { type: 'time', column: sql`i.accepted_at` },
}

export interface InvitationRequest extends RolesRequest {
  readonly email: string
}

export async function invitationsPage(
  db: Database,
  { businessId, businessCode }: Caller,
  condition: Sql | undefined,
  request: PageRequest,
): Promise<object> {
  const found = await db.transact(businessId, (tx) => listInvitations(tx, businessCode, condition, request), {
    isSearch: true,
  })
  const { rows, page } = renderPage(
    request,
    found,
    (invitation) => ({ at: invitation.createdAt, id: invitation.id }),
    renderInvitation,
  )
  return { invitations: rows, page }
}

export async function invite(
  deps: UsersDependencies,
  caller: Caller,
  request: InvitationRequest,
): Promise<object> {
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
    requireAuthority(authority, NO_ROLES, roles)
    for (const replaced of await lockOpenInvitations(tx, caller.businessCode, email, now)) {
      requireAuthority(authority, rolesOf(replaced), NO_ROLES)
    }
    if (await isMember(tx, caller.businessCode, email))
      throw errors.already_member({ param: 'invitation.email' })
    await insertInvitation(tx, caller.businessCode, invitation, hashOfToken(token))
  }
  await deps.db.transact(caller.businessId, insert, { usesSharedTables: true })
  const link = `${deps.publicUrl()}/console/invitations/${token}`
  const mailed = await mailInvitation(deps, caller, email, link)
  if (mailed) await markMailed(deps.db.shared, caller.businessCode, invitation.id)
  return { invitation: renderInvitation({ ...invitation, mailed }), link: mailed ? null : link }
}

async function mailInvitation(
  { db, mailer, log }: UsersDependencies,
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

export async function revokeInvitation(db: Database, caller: Caller, id: string): Promise<object> {
  const withdraw = async (tx: Tx): Promise<void> => {
    const invitation = await lockInvitation(tx, caller.businessCode, id)
    if (invitation === undefined || invitation.acceptedAt !== null) throw errors.invitation_not_found()
    requireAuthority(await authorityOf(tx, caller), rolesOf(invitation), NO_ROLES)
    await deleteInvitation(tx, caller.businessCode, id)
  }
  await db.transact(caller.businessId, withdraw, { usesSharedTables: true })
  return {}
}

function renderInvitation(invitation: Invitation): object {
  return {
    id: invitation.id,
    email: invitation.email,
    test_role: invitation.testRole,
    live_role: invitation.liveRole,
    mailed: invitation.mailed,
    invited_by: invitation.invitedBy,
    created_at: toRfc3339(invitation.createdAt),
    expires_at: toRfc3339(invitation.expiresAt),
    accepted_at: rfc3339OrNull(invitation.acceptedAt),
  }
}
