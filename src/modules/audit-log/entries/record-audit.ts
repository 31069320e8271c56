import { realClock, toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Json } from '#kernel/json'
import type { Database } from '#platform/postgres/database'
import { appendEntry } from '../storage/entry.repository.ts'
import { canonicalJson, storable } from './document.ts'
import { type AuditedAction, type AuditedOutcome, OPERATOR_CHAIN } from './entry.ts'

/**
 * Records one thing that has happened, such as a sign-in, a refused sign-in or a changed password. It commits by itself, so
 * call it outside of transactions. Returns the id of the entry.
 */
export function recordAudit(db: Database, action: AuditedAction, outcome: AuditedOutcome): Promise<string> {
  return append(db, action, {
    state: outcome.outcome,
    reason: outcome.reason,
    status: outcome.status,
    ...(outcome.before !== undefined && { before: storable(outcome.before) }),
    ...(outcome.after !== undefined && { after: storable(outcome.after) }),
  })
}

export function recordStart(
  db: Database,
  action: AuditedAction,
  attempt: { readonly request?: Json; readonly before?: Json },
): Promise<string> {
  return append(db, action, { state: 'started', ...attempt })
}

export function recordEnd(
  db: Database,
  action: AuditedAction,
  startedId: string,
  end: Omit<AuditedOutcome, 'before' | 'after'> & { readonly after?: Json },
): Promise<string> {
  const { outcome, ...rest } = end
  return append(db, action, { state: outcome, started_id: startedId, ...rest })
}

async function append(db: Database, action: AuditedAction, members: object): Promise<string> {
  const id = newId('aud')
  const at = realClock.now()
  const { businessId, actor, object } = action
  const document = canonicalJson({
    id,
    created_at: toRfc3339(at),
    actor: { type: actor.type, id: actor.id },
    action: action.action,
    object: object && { type: object.type, id: object.id },
    ip_address: action.ipAddress ?? undefined,
    user_agent: action.userAgent ?? undefined,
    origin: action.origin,
    request_id: action.requestId ?? undefined,
    ...members,
  })
  await appendEntry(db, businessId ?? OPERATOR_CHAIN, at, document)
  return id
}
