import sql from 'sql-template-tag'
import type { SharedStatements } from '#platform/postgres/database'
import { OIDC_PROVIDER } from '../model/auth-names.ts'

export async function hasSubject(shared: SharedStatements, userId: string, prefix: string): Promise<boolean> {
  const rows = await shared.query(sql`
    select from user_accounts
     where user_id = ${userId} and provider_id = ${OIDC_PROVIDER} and starts_with(account_id, ${prefix})`)
  return rows.length > 0
}

export async function deleteSubjects(
  shared: SharedStatements,
  userId: string,
  exceptPrefix: string | null,
): Promise<void> {
  await shared.query(sql`
    delete from user_accounts
     where user_id = ${userId} and provider_id = ${OIDC_PROVIDER}
       and not coalesce(starts_with(account_id, ${exceptPrefix}::text), false)`)
}
