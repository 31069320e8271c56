import { toRfc3339 } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { parseFilter } from '#platform/filter/filter'
import { filterCondition } from '#platform/filter/filter-condition'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import type { RequestLogDependencies } from '../dependencies.ts'
import type { Entry } from '../recording/entry.ts'
import { findEntry, keyOf, listEntries, requestFields } from '../storage/entry.repository.ts'
import { errors } from './errors.ts'

type Dependencies = Pick<RequestLogDependencies, 'db' | 'businesses'>

export async function requestsPage(
  { db, businesses }: Dependencies,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<object> {
  const { timeZone } = await businesses.profile(businessId)
  const condition =
    filter === undefined ? undefined : filterCondition(filter, requestFields(businessId), timeZone)
  const key = filter === undefined ? undefined : keyOf(parseFilter(filter))
  const entries = await db.transact(businessId, (tx) => listEntries(tx, condition, request, key), {
    isSearch: true,
  })
  const { rows, page } = renderPage(
    request,
    entries,
    (entry) => ({ at: entry.createdAt, id: entry.id }),
    render,
  )
  return { requests: rows, page }
}

export async function requestById(
  { db }: Dependencies,
  { businessId }: Caller,
  requestId: string,
): Promise<{ request: object }> {
  const entry = await db.transact(businessId, (tx) => findEntry(tx, requestId), { isSnapshot: true })
  if (entry === undefined) throw errors.request_not_found()
  return {
    request: { ...render(entry), request_body: entry.requestBody, response_body: entry.responseBody },
  }
}

function render(entry: Entry): object {
  return {
    request_id: entry.requestId,
    method: entry.method,
    path: entry.path,
    query: entry.query,
    route: entry.route,
    status: entry.status,
    reason: entry.reason,
    duration_ms: Math.round(entry.durationMs * 10) / 10,
    actor: { type: entry.actorType, id: entry.actorId },
    app_id: entry.appId,
    ip_address: entry.ipAddress,
    user_agent: entry.userAgent,
    idempotency_key: entry.idempotencyKey,
    idempotent_replayed: entry.isReplayed,
    object_ids: entry.objectIds === '' ? [] : entry.objectIds.split(' '),
    created_at: toRfc3339(entry.createdAt),
  }
}
