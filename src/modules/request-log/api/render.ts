import type { Static } from 'typebox'
import { toRfc3339 } from '#kernel/clock'
import { byCreation, type PageRequest, renderPage } from '#platform/http/validation/list'
import type { Entry, EntryWithBodies } from '../model/entry.ts'
import type { RequestData, RequestSchema } from './schemas.ts'

export function renderRequestsPage(request: PageRequest, found: readonly Entry[]) {
  const { rows, page } = renderPage(request, found, byCreation, renderRequest)
  return { requests: rows, page }
}

export function renderRequestData(entry: EntryWithBodies): Static<typeof RequestData> {
  return {
    request: {
      ...renderRequest(entry),
      request_body: entry.requestBody,
      response_body: entry.responseBody,
    },
  }
}

function renderRequest(entry: Entry): Static<typeof RequestSchema> {
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
