import sql, { type Sql } from 'sql-template-tag'
import { type Instant, realClock, toRfc3339 } from '#kernel/clock'
import type { FilterFields } from '#platform/filter/filter-sql'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import type { SharedStatements, Tx } from '#platform/postgres/database'
import { type Role, rolesWith } from '../model/roles.ts'
import type { Roles } from './membership.repository.ts'

export const INVITATION_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`i.id` },
  email: { type: 'text', column: sql`i.email` },
  created_at: { type: 'time', column: sql`i.created_at` },
  expires_at: { type: 'time', column: sql`i.expires_at` },
  accepted_at: { type: 'time', column: sql`i.accepted_at` },
}

export interface Invitation {
  readonly id: string
  readonly email: string
  readonly testRole: Role | null
  readonly liveRole: Role | null
  readonly invitedBy: string
  readonly mailed: boolean
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly acceptedAt: Instant | null
}

const COLUMNS = sql`i.id, i.email, i.test_role as "testRole", i.live_role as "liveRole", i.invited_by as "invitedBy",
  i.mailed, i.created_at as "createdAt", i.expires_at as "expiresAt", i.accepted_at as "acceptedAt"`

export async function listInvitations(
  tx: Tx,
  businessCode: string,
  condition: Sql,
  page: PageRequest,
): Promise<Invitation[]> {
  return tx.query<Invitation>(sql`
    select ${COLUMNS} from invitations i
     where i.business_code = ${businessCode} and ${condition}
     ${rowsOfPage(page, sql`i.created_at`, sql`i.id`)}`)
}

export async function insertInvitation(
  tx: Tx,
  businessCode: string,
  invitation: Invitation,
  hash: string,
): Promise<void> {
  await tx.execute(sql`
    delete from invitations
     where business_code = ${businessCode} and email = ${invitation.email} and accepted_at is null`)
  await tx.execute(sql`
    insert into invitations (business_code, id, hash, email, test_role, live_role, mailed, invited_by, created_at, expires_at)
    values (${businessCode}, ${invitation.id}, ${hash}, ${invitation.email}, ${invitation.testRole}, ${invitation.liveRole},
            false, ${invitation.invitedBy}, ${toRfc3339(invitation.createdAt)}, ${toRfc3339(invitation.expiresAt)})`)
}

export async function markMailed(shared: SharedStatements, businessCode: string, id: string): Promise<void> {
  await shared.query(sql`
    update invitations set mailed = true where business_code = ${businessCode} and id = ${id}`)
}

export async function lockInvitation(
  tx: Tx,
  businessCode: string,
  id: string,
): Promise<Invitation | undefined> {
  const [invitation] = await tx.query<Invitation>(sql`
    select ${COLUMNS} from invitations i where i.business_code = ${businessCode} and i.id = ${id} for update`)
  return invitation
}

export async function lockOpenInvitations(
  tx: Tx,
  businessCode: string,
  email: string,
  now: Instant,
): Promise<Invitation[]> {
  return tx.query<Invitation>(sql`
    select ${COLUMNS} from invitations i
     where i.business_code = ${businessCode} and i.email = ${email} and i.accepted_at is null
       and i.expires_at > ${toRfc3339(now)}
     order by i.id for update`)
}

export async function deleteInvitationsOf(
  tx: Tx,
  businessCode: string,
  { userId, email }: { readonly userId: string; readonly email: string },
  { test, live }: Roles,
): Promise<void> {
  await tx.execute(sql`
    delete from invitations i
     where i.business_code = ${businessCode} and i.accepted_at is null
       and (i.email = ${email}
            or (i.invited_by = ${userId} and not ${mayInvite(sql`${test}::text`, sql`${live}::text`)}))`)
}

export async function deleteInvitationsBy(shared: SharedStatements, userId: string): Promise<void> {
  await shared.query(sql`delete from invitations where invited_by = ${userId} and accepted_at is null`)
}

export async function deleteInvitation(tx: Tx, businessCode: string, id: string): Promise<void> {
  await tx.execute(sql`delete from invitations where business_code = ${businessCode} and id = ${id}`)
}

function mayInvite(test: Sql, live: Sql): Sql {
  return sql`((i.test_role is null or coalesce(${test} = any(${rolesWith('users:write', 'test')}), false))
    and (i.live_role is null or coalesce(${live} = any(${rolesWith('users:write', 'live')}), false)))`
}

function isOpen(now: string): Sql {
  return sql`i.accepted_at is null and i.expires_at > ${now} and (
    exists (
      select from users u left join memberships m on m.user_id = u.id and m.business_code = i.business_code
       where u.id = i.invited_by and u.disabled_at is null
         and (u.operator or ${mayInvite(sql`m.test_role`, sql`m.live_role`)}))
    or exists (
      select from api_keys k
       where k.key_id = i.invited_by and k.revoked_at is null and coalesce(k.expires_at > ${now}, true)
         and 'users:write' = any(k.scopes)))`
}

export interface OpenInvitation {
  readonly id: string
  readonly businessCode: string
  readonly businessName: string
  readonly email: string
  readonly testRole: Role | null
  readonly liveRole: Role | null
  readonly mailed: boolean
  readonly expiresAt: Instant
}

export async function findOpenInvitation(
  shared: SharedStatements,
  hash: string,
): Promise<OpenInvitation | undefined> {
  const [invitation] = await shared.query<OpenInvitation>(sql`
    select i.id, i.business_code as "businessCode", b.name as "businessName", i.email, i.test_role as "testRole",
           i.live_role as "liveRole", i.mailed, i.expires_at as "expiresAt"
      from invitations i join businesses b on b.code = i.business_code and b.environment = 'live'
     where i.hash = ${hash} and ${isOpen(toRfc3339(realClock.now()))}`)
  return invitation
}

export async function acceptInvitation(
  shared: SharedStatements,
  hash: string,
  userId: string,
): Promise<boolean> {
  const at = toRfc3339(realClock.now())
  const rows = await shared.query(sql`
    with accepted as (
      update invitations i set accepted_at = ${at}, user_id = ${userId}
       where i.hash = ${hash} and ${isOpen(at)}
      returning business_code, test_role, live_role
    )
    insert into memberships as m (business_code, user_id, test_role, live_role, created_at, updated_at)
    select business_code, ${userId}::text, test_role, live_role, ${at}::timestamptz, ${at}::timestamptz from accepted
    on conflict (business_code, user_id) do update
      set test_role = coalesce(excluded.test_role, m.test_role), live_role = coalesce(excluded.live_role, m.live_role),
          updated_at = excluded.updated_at
    returning user_id`)
  return rows.length === 1
}

export async function hasOpenInvitation(shared: SharedStatements, email: string): Promise<boolean> {
  const rows = await shared.query(sql`
    select from invitations i where i.email = ${email} and ${isOpen(toRfc3339(realClock.now()))} limit 1`)
  return rows.length === 1
}
