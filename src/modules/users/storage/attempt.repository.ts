import sql from 'sql-template-tag'
import { type Instant, isAfter, toRfc3339 } from '#kernel/clock'
import type { SharedStatements } from '#platform/postgres/database'

export async function countAttempt(
  shared: SharedStatements,
  { name, limit, now, until }: { name: string; limit: number; now: Instant; until: Instant },
): Promise<Instant | null> {
  const at = toRfc3339(now)
  const [row] = await shared.query<{ lockedUntil: Instant | null }>(sql`
    with old as (
      delete from sign_in_failures where name in (
        select name from sign_in_failures where window_ends < ${at}::timestamptz - interval '1 day' limit 10 for update skip locked)
    )
    insert into sign_in_failures as f (name, failures, window_ends)
    values (${name}, 1, ${toRfc3339(until)})
    on conflict (name) do update set
      failures = case when f.window_ends <= ${at} then 1
                      when f.locked_until > ${at} then f.failures
                      else f.failures + 1 end,
      locked_until = case when f.window_ends <= ${at} then null
                          when f.locked_until > ${at} then f.locked_until
                          when f.failures >= ${limit} then ${toRfc3339(until)}::timestamptz end,
      window_ends = case when f.window_ends <= ${at} or (f.failures >= ${limit} and f.locked_until is null)
                         then ${toRfc3339(until)}::timestamptz
                         else f.window_ends end
    returning locked_until as "lockedUntil"`)
  const lockedUntil = row?.lockedUntil ?? null
  return lockedUntil !== null && isAfter(lockedUntil, now) ? lockedUntil : null
}

export async function returnAttempt(shared: SharedStatements, name: string): Promise<void> {
  await shared.query(sql`
    update sign_in_failures set failures = failures - 1 where name = ${name} and failures > 0`)
}

export async function forgetAttempt(shared: SharedStatements, name: string): Promise<void> {
  await shared.query(sql`delete from sign_in_failures where name = ${name}`)
}

export async function forgetAttempts(shared: SharedStatements, prefix: string): Promise<void> {
  await shared.query(sql`delete from sign_in_failures where starts_with(name, ${prefix})`)
}
