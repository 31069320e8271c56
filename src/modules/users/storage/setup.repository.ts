import sql from 'sql-template-tag'
import { type Instant, realClock, toRfc3339 } from '#kernel/clock'
import type { SharedStatements } from '#platform/postgres/database'
import type { NewUser } from './user.repository.ts'

export type { NewUser } from './user.repository.ts'

export async function insertSetupLink(
  shared: SharedStatements,
  hash: string,
  now: Instant,
  expiresAt: Instant,
): Promise<void> {
  await shared.query(sql`
    with expired as (delete from user_setup_links where expires_at <= ${toRfc3339(now)})
    insert into user_setup_links (hash, expires_at) values (${hash}, ${toRfc3339(expiresAt)})`)
}

export async function isSetupLink(shared: SharedStatements, hash: string): Promise<boolean> {
  const rows = await shared.query(sql`
    select from user_setup_links
     where hash = ${hash} and expires_at > ${toRfc3339(realClock.now())} and not exists (select from users)`)
  return rows.length === 1
}

/**
 * Deletes all links, so that the second of two concurrent calls finds none. Returns false when the link did not work
 * or a user exists.
 */
export async function insertFirstUser(
  shared: SharedStatements,
  hash: string,
  user: NewUser,
  accountId: string,
): Promise<boolean> {
  const at = toRfc3339(realClock.now())
  const rows = await shared.query(sql`
    with used as (
      delete from user_setup_links
       where exists (select from user_setup_links where hash = ${hash} and expires_at > ${at})
      returning hash
    ), created as (
      insert into users (id, name, email, email_verified, operator, locale, created_at, updated_at)
      select ${user.id}::text, ${user.name}::text, ${user.email}::text, ${user.emailVerified}::boolean,
             ${user.operator}::boolean, ${user.locale}::text, ${at}::timestamptz, ${at}::timestamptz
        from used where hash = ${hash} and not exists (select from users)
      returning id
    )
    insert into user_accounts (id, account_id, provider_id, user_id, password, created_at, updated_at)
    select ${accountId}::text, id, 'credential', id, ${user.passwordHash ?? null}::text, ${at}::timestamptz, ${at}::timestamptz
      from created
    returning user_id`)
  return rows.length === 1
}
