import sql from 'sql-template-tag'
import { type Instant, realClock, toRfc3339 } from '#kernel/clock'
import type { SharedStatements } from '#platform/postgres/database'

export interface User {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly operator: boolean
  readonly locale: string
  readonly twoFactorEnabled: boolean
  readonly disabledAt: Instant | null
  readonly createdAt: Instant
}

export interface NewUser {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly emailVerified: boolean
  readonly operator: boolean
  readonly locale: string
  readonly passwordHash: string | undefined
}

const COLUMNS = sql`u.id, u.name, u.email, u.operator, u.locale, u.two_factor_enabled as "twoFactorEnabled",
  u.disabled_at as "disabledAt", u.created_at as "createdAt"`

export async function insertUser(shared: SharedStatements, user: NewUser, accountId: string): Promise<void> {
  const at = toRfc3339(realClock.now())
  await shared.query(sql`
    with created as (
      insert into users (id, name, email, email_verified, operator, locale, created_at, updated_at)
      values (${user.id}, ${user.name}, ${user.email}, ${user.emailVerified}, ${user.operator}, ${user.locale}, ${at}, ${at})
      returning id
    )
    insert into user_accounts (id, account_id, provider_id, user_id, password, created_at, updated_at)
    select ${accountId}, id, 'credential', id, ${user.passwordHash ?? null}::text, ${at}::timestamptz, ${at}::timestamptz
      from created`)
}

export async function findUser(shared: SharedStatements, id: string): Promise<User | undefined> {
  const [user] = await shared.query<User>(sql`select ${COLUMNS} from users u where u.id = ${id}`)
  return user
}

export async function findUserByEmail(shared: SharedStatements, email: string): Promise<User | undefined> {
  const [user] = await shared.query<User>(sql`
    select ${COLUMNS} from users u where u.email = ${email.toLowerCase()}`)
  return user
}

export async function findNames(
  shared: SharedStatements,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const users = await shared.query<{ id: string; name: string }>(sql`
    select u.id, u.name from users u where u.id = any(${[...ids]}::text[])`)
  return new Map(users.map(({ id, name }) => [id, name]))
}

export async function findEmail(shared: SharedStatements, id: string): Promise<string | undefined> {
  return (await findUser(shared, id))?.email
}

export async function isDisabled(shared: SharedStatements, id: string): Promise<boolean> {
  const user = await findUser(shared, id)
  return user !== undefined && user.disabledAt !== null
}

export async function deleteExpiredSessions(shared: SharedStatements, userId: string): Promise<void> {
  await shared.query(sql`
    delete from user_sessions where user_id = ${userId} and expires_at <= ${toRfc3339(realClock.now())}`)
}

export async function deleteExpiredVerifications(shared: SharedStatements): Promise<void> {
  await shared.query(sql`delete from user_verifications where expires_at <= ${toRfc3339(realClock.now())}`)
}

export async function usersExist(shared: SharedStatements): Promise<boolean> {
  return (await shared.query(sql`select from users limit 1`)).length === 1
}

export async function updateProfile(
  shared: SharedStatements,
  id: string,
  { name, locale }: { readonly name?: string | undefined; readonly locale?: string | undefined },
): Promise<void> {
  await shared.query(sql`
    update users set name = coalesce(${name ?? null}::text, name), locale = coalesce(${locale ?? null}::text, locale),
                     updated_at = ${toRfc3339(realClock.now())}
     where id = ${id}`)
}

export async function disableUserByEmail(
  shared: SharedStatements,
  email: string,
): Promise<string | undefined> {
  const [user] = await shared.query<{ id: string }>(sql`
    update users set disabled_at = coalesce(disabled_at, ${toRfc3339(realClock.now())}) where email = ${email} returning id`)
  return user?.id
}

export async function usersAfter(shared: SharedStatements, afterId: string, limit: number): Promise<User[]> {
  return shared.query<User>(
    sql`select ${COLUMNS} from users u where u.id > ${afterId} order by u.id limit ${limit}`,
  )
}
