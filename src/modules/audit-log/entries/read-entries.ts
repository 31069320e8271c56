import type { TimeZone } from '#kernel/time-zone'
import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { PageRequest } from '#platform/http/validation/list'
import type { Database } from '#platform/postgres/database'
import type { AuditLogDependencies } from '../dependencies.ts'
import { AUDIT_FIELDS, type AuditEntry, listActions } from '../storage/entry.repository.ts'

export async function auditEntriesOfPage(
  { db, businesses }: Pick<AuditLogDependencies, 'db' | 'businesses'>,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<AuditEntry[]> {
  const { timeZone } = await businesses.profile(businessId)
  return entriesOfPage(db, { id: businessId, timeZone }, filter, request)
}

export async function entriesOfPage(
  db: Database,
  chain: { readonly id: string; readonly timeZone: TimeZone },
  filter: string | undefined,
  request: PageRequest,
): Promise<AuditEntry[]> {
  const condition = filterCondition(filter, AUDIT_FIELDS, chain.timeZone)
  return db.transact(chain.id, (tx) => listActions(tx, condition, request), { isSearch: true })
}
