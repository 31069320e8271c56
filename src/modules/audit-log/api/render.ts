import type { Static } from 'typebox'
import { toRfc3339 } from '#kernel/clock'
import { byCreation, type PageRequest, renderPage } from '#platform/http/validation/list'
import { readDocument } from '../entries/document.ts'
import type { AuditEntry } from '../storage/entry.repository.ts'
import type { AuditEntrySchema } from './schemas.ts'

export function renderEntriesPage(request: PageRequest, found: readonly AuditEntry[]) {
  const { rows, page } = renderPage(request, found, byCreation, renderEntry)
  return { audit_entries: rows, page }
}

function renderEntry(entry: AuditEntry): Static<typeof AuditEntrySchema> {
  const document = readDocument(entry.document)
  const started = entry.started === null ? document : readDocument(entry.started)
  return {
    id: entry.id,
    sequence: Number(entry.sequence),
    hash: entry.hash,
    state: document.state,
    actor: document.actor,
    action: document.action,
    object: document.object ?? null,
    ip_address: document.ip_address ?? null,
    user_agent: document.user_agent ?? null,
    origin: document.origin ?? null,
    request_id: document.request_id ?? null,
    status: document.status ?? null,
    reason: document.reason ?? null,
    request: started.request ?? null,
    before: started.before ?? null,
    after: document.after ?? null,
    started_at: started.created_at,
    created_at: toRfc3339(entry.createdAt),
  }
}
