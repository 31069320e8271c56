import sql from 'sql-template-tag'
import { realClock, toRfc3339 } from '#kernel/clock'
import type { SharedStatements } from '#platform/postgres/database'

export async function hasOpenInvitation(shared: SharedStatements, email: string): Promise<boolean> {
  const rows = await shared.query(sql`
    select from invitations
     where email = ${email} and accepted_at is null and expires_at > ${toRfc3339(realClock.now())} limit 1`)
  return rows.length === 1
}
