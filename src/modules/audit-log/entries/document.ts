import { type Json, parseJson } from '#kernel/json'
import type { ActionState } from '../storage/entry.repository.ts'
import { redactBeginning, redactJson } from '#platform/security/redact-json'

export type AuditDocument = {
  readonly created_at: string
  readonly state: ActionState
  readonly actor: { readonly type: string; readonly id: string }
  readonly action: string
  readonly object?: { readonly type: string; readonly id: string | null }
  readonly ip_address?: string
  readonly user_agent?: string
  readonly origin?: string
  readonly request_id?: string
  readonly status?: number
  readonly reason?: string
  readonly request?: Json
  readonly before?: Json
  readonly after?: Json
}

export function readDocument(text: string): AuditDocument {
  return parseJson(text) as AuditDocument
}

/** As much as the request log keeps of a body (reference/logs#redaction). */
export const MAX_VALUE_LENGTH = 16_384
/** A UTF-16 code unit is at most three bytes of UTF-8. */
const MAX_VALUE_BYTES = 3 * MAX_VALUE_LENGTH

/**
 * The text that is hashed for an entry: JSON without white space, members sorted by name, without undefined ones.
 * Numbers keep their digits.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(
    members.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, member]) => [name, sorted(member)]),
  )
}

export function storable(value: unknown): Json {
  return value === undefined ? null : storableText(JSON.stringify(value) ?? 'null')
}

/** Decodes no more of a JSON body than is kept. */
export function storableBody(body: Buffer): Json {
  if (body.length > MAX_VALUE_BYTES)
    return cut(body.toString('utf8', 0, MAX_VALUE_BYTES), `${body.length} bytes`)
  return storableText(body.toString('utf8'))
}

export function storableText(json: string): Json {
  if (json.length > MAX_VALUE_LENGTH) return cut(json, `${json.length} characters`)
  try {
    return parseJson(redactJson(json))
  } catch {
    return '[not JSON]'
  }
}

function cut(json: string, whole: string): string {
  return `${redactBeginning(json, MAX_VALUE_LENGTH)} [cut: ${whole} in all]`
}
