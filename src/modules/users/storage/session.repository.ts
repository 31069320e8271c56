import sql from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import type { Environment } from '#platform/caller'
import type { SharedStatements } from '#platform/postgres/database'
import type { Role } from '../model/roles.ts'
import { deleteTrustedDevices } from './trusted-device.repository.ts'

export interface SessionOwner {
  readonly userId: string
  readonly operator: boolean
  readonly expiresAt: Instant
  readonly businessId: string | null
  readonly isMember: boolean
  readonly role: Role | null
}

export async function findSessionOwner(
  shared: SharedStatements,
  token: string,
  business: { readonly code: string; readonly environment: Environment },
): Promise<SessionOwner | undefined> {
  const role = business.environment === 'live' ? sql`m.live_role` : sql`m.test_role`
  const [owner] = await shared.query<SessionOwner>(sql`
    select s.user_id as "userId", u.operator, s.expires_at as "expiresAt", b.business_id as "businessId",
           m.user_id is not null as "isMember", ${role} as role
      from user_sessions s
      join users u on u.id = s.user_id
      left join businesses b on b.code = ${business.code} and b.environment = ${business.environment}
      left join memberships m on m.business_code = ${business.code} and m.user_id = s.user_id
     where s.token = ${token} and u.disabled_at is null`)
  return owner
}

export interface UserRights {
  readonly operator: boolean
  readonly isDisabled: boolean
  readonly isMember: boolean
  readonly role: Role | null
}

export async function findUserRights(
  shared: SharedStatements,
  userId: string,
  business: { readonly code: string; readonly environment: Environment },
): Promise<UserRights | undefined> {
  const role = business.environment === 'live' ? sql`m.live_role` : sql`m.test_role`
  const [rights] = await shared.query<UserRights>(sql`
    select u.operator, u.disabled_at is not null as "isDisabled", m.user_id is not null as "isMember", ${role} as role
      from users u
      left join memberships m on m.business_code = ${business.code} and m.user_id = u.id
     where u.id = ${userId}`)
  return rights
}

export interface SessionUser {
  readonly sessionId: string
  readonly expiresAt: Instant
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly operator: boolean
  readonly locale: string
  readonly twoFactorEnabled: boolean
}

export async function findSessionUser(
  shared: SharedStatements,
  token: string,
): Promise<SessionUser | undefined> {
  const [session] = await shared.query<SessionUser>(sql`
    select s.id as "sessionId", s.expires_at as "expiresAt", u.id as "userId", u.name, u.email, u.operator, u.locale,
           u.two_factor_enabled as "twoFactorEnabled"
      from user_sessions s join users u on u.id = s.user_id
     where s.token = ${token} and u.disabled_at is null`)
  return session
}

export async function ownerOfPasskey(
  shared: SharedStatements,
  credentialId: string,
): Promise<string | undefined> {
  const [row] = await shared.query<{ userId: string }>(sql`
    select user_id as "userId" from user_passkeys where credential_id = ${credentialId}`)
  return row?.userId
}

export interface StoredSession {
  readonly id: string
  readonly ipAddress: string | null
  readonly userAgent: string | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly expiresAt: Instant
}

const MAX_SESSIONS = 200

export async function sessionsOf(
  shared: SharedStatements,
  userId: string,
  now: string,
): Promise<StoredSession[]> {
  return shared.query<StoredSession>(sql`
    select id, ip_address as "ipAddress", user_agent as "userAgent", created_at as "createdAt",
           updated_at as "updatedAt", expires_at as "expiresAt"
      from user_sessions where user_id = ${userId} and expires_at > ${now}
     order by created_at desc, id desc limit ${MAX_SESSIONS}`)
}

export async function deleteSession(
  shared: SharedStatements,
  userId: string,
  sessionId: string,
): Promise<boolean> {
  const rows = await shared.query(sql`
    delete from user_sessions where user_id = ${userId} and id = ${sessionId} returning id`)
  return rows.length === 1
}

export async function deleteSessions(
  shared: SharedStatements,
  userId: string,
  exceptId: string,
): Promise<number> {
  await deleteTrustedDevices(shared, userId)
  const rows = await shared.query(sql`
    delete from user_sessions where user_id = ${userId} and id <> ${exceptId} returning id`)
  return rows.length
}
