import { type Json, type JsonObject, parseJson } from '#kernel/json'
import { toRfc3339 } from '#kernel/clock'
import type { TimeZone } from '#kernel/time-zone'
import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import type { Database } from '#platform/postgres/database'
import type { AuditLogDependencies } from '../dependencies.ts'
import { AUDIT_FIELDS, type AuditEntry, listActions } from '../storage/entry.repository.ts'

export async function auditEntriesPage(
  { db, businesses }: Pick<AuditLogDependencies, 'db' | 'businesses'>,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<object> {
  const { timeZone } = await businesses.profile(businessId)
  return entriesPage(db, { id: businessId, timeZone }, filter, request)
}

export async function entriesPage(
  db: Database,
  chain: { readonly id: string; readonly timeZone: TimeZone },
  filter: string | undefined,
  request: PageRequest,
): Promise<object> {
  const condition = filter === undefined ? undefined : filterCondition(filter, AUDIT_FIELDS, chain.timeZone)
  const entries = await db.transact(chain.id, (tx) => listActions(tx, condition, request), {
    isSearch: true,
  })
  const { rows, page } = renderPage(
    request,
    entries,
    (entry) => ({ at: entry.createdAt, id: entry.id }),
    render,
  )
  return { audit_entries: rows, page }
}

function render(entry: AuditEntry): object {
  const document = parseJson(entry.document) as JsonObject
  const started = (entry.started === null ? document : parseJson(entry.started)) as JsonObject
  const member = (name: string): Json => document[name] ?? null
  return {
    id: entry.id,
    sequence: Number(entry.sequence),
    hash: entry.hash,
    state: document['state'],
    actor: document['actor'],
    action: document['action'],
    object: member('object'),
    ip_address: member('ip_address'),
    user_agent: member('user_agent'),
    origin: member('origin'),
    request_id: member('request_id'),
    status: member('status'),
    reason: member('reason'),
    request: started['request'] ?? null,
    before: started['before'] ?? null,
    after: member('after'),
    started_at: started['created_at'],
    created_at: toRfc3339(entry.createdAt),
  }
}
