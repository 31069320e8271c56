import type { Json } from '#kernel/json'
import { RequestError } from '#kernel/errors'
import { OperatorError } from '#kernel/operator-error'
import type { Database } from '#platform/postgres/database'
import type { AuditedAction, AuditedOutcome, AuditObject } from './entry.ts'
import { recordEnd, recordStart } from './record-audit.ts'

export interface AuditedWork<Result> {
  readonly action: AuditedAction
  readonly request?: Json
  readonly before?: () => Promise<Json>
  readonly work: () => Promise<Result>
  readonly afterOf: (result: Result) => Json
  readonly objectOf?: (result: Result) => AuditObject | undefined
  readonly outcomeOf?: (error: unknown) => Omit<AuditedOutcome, 'before' | 'after'>
  readonly onLost: (error: unknown) => void
}

/** Runs `work` between two entries. The first is committed before the work, so nothing happens without an entry. */
export async function audited<Result>(db: Database, audit: AuditedWork<Result>): Promise<Result> {
  const { action, request, before, work, outcomeOf = failureOf } = audit
  const startedId = await recordStart(db, action, {
    ...(request !== undefined && { request }),
    ...(before !== undefined && { before: await before() }),
  })
  const end = (ended: AuditedAction, outcome: Parameters<typeof recordEnd>[3]) =>
    recordEnd(db, ended, startedId, outcome).catch(audit.onLost)
  try {
    const result = await work()
    const object = audit.objectOf?.(result) ?? action.object
    await end({ ...action, object }, { outcome: 'completed', after: audit.afterOf(result) })
    return result
  } catch (error) {
    await end(action, outcomeOf(error))
    throw error
  }
}

function failureOf(error: unknown): Omit<AuditedOutcome, 'before' | 'after'> {
  if (error instanceof OperatorError) return { outcome: 'refused', reason: error.message }
  if (error instanceof RequestError) {
    return { outcome: error.status < 500 ? 'refused' : 'failed', status: error.status, reason: error.reason }
  }
  return { outcome: 'failed', reason: 'internal_error' }
}
