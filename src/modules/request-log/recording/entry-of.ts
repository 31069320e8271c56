import type { Principal } from '#platform/http/authorization'
import {
  containsCardNumber,
  maskCardNumbers,
  maskSecretWords,
  mayHoldCardNumber,
} from '#platform/security/redaction'
import { redactBeginning, redactJson } from '#platform/security/redact-json'
import type { NewEntry } from '../model/entry.ts'
import { objectIdsOf } from './object-ids.ts'

export interface PendingEntry {
  readonly requestId: string
  readonly method: string
  readonly target: string
  readonly route: string
  readonly principal: Principal
  readonly status: number
  readonly reason: string | undefined
  readonly startedAtMs: number
  readonly durationMs: number
  readonly isWrite: boolean
  readonly isReplayed: boolean
  readonly ipAddress: string
  readonly userAgent: string | undefined
  readonly idempotencyKey: string | undefined
  readonly requestBody: Buffer | undefined
  readonly responseBody: string | undefined
}

/** The bound of reference/logs#redaction. */
export const MAX_BODY_LENGTH = 16_384
const MAX_TARGET_LENGTH = 2_048
const MAX_USER_AGENT_LENGTH = 512
/** Without one of these reasons, the request was refused before its body was read, so the body may not be JSON. */
const STATUSES_BEFORE_READING = new Set([400, 403, 413, 415, 429])
const REASONS_AFTER_READING = new Set([
  'body_invalid',
  'duplicate_member',
  'invalid_member',
  'missing_member',
  'unknown_member',
])

export function entryOf(pending: PendingEntry): NewEntry {
  const { principal, target, isWrite } = pending
  const [path = '', query = ''] = splitTarget(target)
  const requestBody = requestBodyOf(pending)
  const responseBody = pending.responseBody === undefined ? null : redactedBody(pending.responseBody)
  return {
    createdAt: Temporal.Instant.fromEpochMilliseconds(pending.startedAtMs),
    requestId: redactedText(pending.requestId),
    method: pending.method,
    path: redactedText(path),
    query: redactedQuery(query),
    route: pending.route,
    status: pending.status,
    reason: pending.reason ?? null,
    durationMs: pending.durationMs,
    actorType: principal.actor.type,
    actorId: principal.actor.id,
    appId: principal.appId,
    ipAddress: pending.ipAddress,
    userAgent:
      pending.userAgent === undefined
        ? null
        : redactedText(pending.userAgent.slice(0, MAX_USER_AGENT_LENGTH)),
    idempotencyKey: pending.idempotencyKey === undefined ? null : redactedText(pending.idempotencyKey),
    isReplayed: pending.isReplayed,
    objectIds: objectIdsOf([
      madeBy(principal),
      target,
      requestBody ?? '',
      isWrite ? (responseBody ?? '') : '',
    ]).join(' '),
    requestBody,
    responseBody,
  }
}

/** A customer who acts in the portal is named by nothing else of the request. */
function madeBy({ actor: { type, id } }: PendingEntry['principal']): string {
  return type === 'portal' ? `/${id}` : ''
}

function requestBodyOf({ requestBody, status, reason = '' }: PendingEntry): string | null {
  if (requestBody === undefined || requestBody.length === 0) return null
  const { length } = requestBody
  const text = requestBody.toString('utf8', 0, MAX_BODY_LENGTH + 1)
  if (STATUSES_BEFORE_READING.has(status) && !REASONS_AFTER_READING.has(reason)) {
    if (length > MAX_BODY_LENGTH) return `[not read: ${length} bytes]`
    if (!isJson(text)) return `[not JSON: ${length} bytes]`
  }
  return redactedBody(text, length)
}

function redactedBody(text: string, length = text.length): string {
  if (length <= MAX_BODY_LENGTH) return redactJson(text)
  return `${redactBeginning(text, MAX_BODY_LENGTH)} [cut: ${length} bytes in all]`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function splitTarget(target: string): string[] {
  const mark = target.indexOf('?')
  const [path, query] = mark === -1 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)]
  return [path.slice(0, MAX_TARGET_LENGTH), query.slice(0, MAX_TARGET_LENGTH)]
}

function redactedQuery(query: string): string {
  if (query === '') return ''
  const read = decoded(query)
  const isSecret = read === undefined || containsCardNumber(read) || maskSecretWords(read) !== read
  return isSecret ? '[redacted]' : query
}

function decoded(query: string): string | undefined {
  try {
    return decodeURIComponent(query.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

function redactedText(text: string): string {
  const masked = maskSecretWords(text)
  return mayHoldCardNumber(masked) ? maskCardNumbers(masked) : masked
}
