import sql, { type Sql } from 'sql-template-tag'
import { type Instant, realClock, toRfc3339 } from '#kernel/clock'
import type { Environment } from '#platform/caller'
import type { FilterFields } from '#platform/filter/filter-sql'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import type { SharedStatements, Tx } from '#platform/postgres/database'
import { type Role, ROLES } from '../model/roles.ts'

export interface Roles {
  readonly test: Role | null
  readonly live: Role | null
}

export interface BusinessMembership {
  readonly code: string
  readonly name: string
  readonly timeZone: string
  readonly currency: string
  readonly testTimeZone: string
  readonly testCurrency: string
  readonly testRole: Role | null
  readonly liveRole: Role | null
}

export const MEMBER_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`m.user_id` },
  email: { type: 'text', column: sql`u.email` },
  name: { type: 'text', column: sql`u.name` },
  test_role: { type: 'enum', column: sql`m.test_role`, values: ROLES },
  live_role: { type: 'enum', column: sql`m.live_role`, values: ROLES },
  created_at: { type: 'time', column: sql`m.created_at` },
}

export interface Member {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly twoFactorEnabled: boolean
  readonly disabledAt: Instant | null
  readonly testRole: Role | null
  readonly liveRole: Role | null
  readonly createdAt: Instant
}

const MEMBER = sql`m.user_id as "userId", u.name, u.email, u.two_factor_enabled as "twoFactorEnabled",
  u.disabled_at as "disabledAt", m.test_role as "testRole", m.live_role as "liveRole", m.created_at as "createdAt"`

const MAX_BUSINESSES = 1_000

export async function membershipsOf(shared: SharedStatements, userId: string): Promise<BusinessMembership[]> {
  return shared.query<BusinessMembership>(sql`
    select b.code, b.name, b.time_zone as "timeZone", b.currency, t.time_zone as "testTimeZone",
           t.currency as "testCurrency", m.test_role as "testRole", m.live_role as "liveRole"
      from memberships m
      join businesses b on b.code = m.business_code and b.environment = 'live'
      join businesses t on t.code = m.business_code and t.environment = 'test'
     where m.user_id = ${userId}
     order by b.name, b.code limit ${MAX_BUSINESSES}`)
}

export async function allBusinesses(shared: SharedStatements, userId: string): Promise<BusinessMembership[]> {
  return shared.query<BusinessMembership>(sql`
    select b.code, b.name, b.time_zone as "timeZone", b.currency, t.time_zone as "testTimeZone",
           t.currency as "testCurrency", m.test_role as "testRole", m.live_role as "liveRole"
      from businesses b
      join businesses t on t.code = b.code and t.environment = 'test'
      left join memberships m on m.business_code = b.code and m.user_id = ${userId}
     where b.environment = 'live'
     order by b.name, b.code limit ${MAX_BUSINESSES}`)
}

export async function businessName(shared: SharedStatements, code: string): Promise<string | undefined> {
  const [row] = await shared.query<{ name: string }>(sql`
    select name from businesses where code = ${code} and environment = 'live'`)
  return row?.name
}

export function newestBusinesses(
  shared: SharedStatements,
  limit: number,
): Promise<{ code: string; name: string }[]> {
  return shared.query(sql`
    select code, name from businesses where environment = 'live' order by code desc limit ${limit}`)
}

export async function tenantOf(
  shared: SharedStatements,
  code: string,
  environment: Environment,
): Promise<string | undefined> {
  const [row] = await shared.query<{ id: string }>(sql`
    select business_id as id from businesses where code = ${code} and environment = ${environment}`)
  return row?.id
}

export async function putMembership(
  shared: SharedStatements,
  { businessCode, userId, roles }: { businessCode: string; userId: string; roles: Roles },
): Promise<void> {
  const at = toRfc3339(realClock.now())
  await shared.query(sql`
    insert into memberships (business_code, user_id, test_role, live_role, created_at, updated_at)
    values (${businessCode}, ${userId}, ${roles.test}, ${roles.live}, ${at}, ${at})
    on conflict (business_code, user_id) do update
      set test_role = excluded.test_role, live_role = excluded.live_role, updated_at = excluded.updated_at`)
}

export async function listMembers(
  tx: Tx,
  businessCode: string,
  condition: Sql,
  page: PageRequest,
): Promise<Member[]> {
  return tx.query<Member>(sql`
    select ${MEMBER} from memberships m join users u on u.id = m.user_id
     where m.business_code = ${businessCode} and ${condition}
     ${rowsOfPage(page, sql`m.created_at`, sql`m.user_id`)}`)
}

/** Locks every membership of the business, so that two owners cannot remove each other at the same time. */
export async function lockMembers(tx: Tx, businessCode: string): Promise<Member[]> {
  return tx.query<Member>(sql`
    select ${MEMBER} from memberships m join users u on u.id = m.user_id
     where m.business_code = ${businessCode} order by m.user_id for update of m`)
}

export async function isMember(tx: Tx, businessCode: string, email: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select from memberships m join users u on u.id = m.user_id
     where m.business_code = ${businessCode} and u.email = ${email}`)
  return rows.length === 1
}

export async function setRoles(tx: Tx, businessCode: string, userId: string, roles: Roles): Promise<void> {
  await tx.execute(sql`
    update memberships
       set test_role = ${roles.test}, live_role = ${roles.live}, updated_at = ${toRfc3339(realClock.now())}
     where business_code = ${businessCode} and user_id = ${userId}`)
}

export async function deleteMembership(tx: Tx, businessCode: string, userId: string): Promise<void> {
  await tx.execute(sql`
    delete from memberships where business_code = ${businessCode} and user_id = ${userId}`)
}

export async function soleOwnerOf(shared: SharedStatements, userId: string): Promise<string[]> {
  const rows = await shared.query<{ code: string }>(sql`
    select m.business_code as code from memberships m
     where m.user_id = ${userId} and (
           (m.test_role = 'owner' and not exists (
             select from memberships o join users u on u.id = o.user_id
              where o.business_code = m.business_code and o.user_id <> m.user_id and o.test_role = 'owner'
                and u.disabled_at is null))
        or (m.live_role = 'owner' and not exists (
             select from memberships o join users u on u.id = o.user_id
              where o.business_code = m.business_code and o.user_id <> m.user_id and o.live_role = 'owner'
                and u.disabled_at is null)))
     order by m.business_code`)
  return rows.map(({ code }) => code)
}

export interface Authority {
  readonly operator: boolean
  readonly testRole: Role | null
  readonly liveRole: Role | null
}

export async function findAuthority(
  tx: Tx,
  businessCode: string,
  userId: string,
): Promise<Authority | undefined> {
  const [user] = await tx.query<Authority>(sql`
    select u.operator, m.test_role as "testRole", m.live_role as "liveRole"
      from users u
      left join memberships m on m.user_id = u.id and m.business_code = ${businessCode}
     where u.id = ${userId}`)
  return user
}
