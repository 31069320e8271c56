import { type Instant, toRfc3339 } from '#kernel/clock'
import { messageHeaders } from '#platform/security/standard-webhooks'

/** What a receiver is sent: `{type, timestamp, data, sequence}` (decisions, section 8). */
export interface Message {
  readonly type: string
  /** The business's time of the change. */
  readonly timestamp: Instant
  readonly sequence: number
  /** JSON text, passed on with every digit. */
  readonly data: string
}

/** Standard Webhooks' advice: receivers limit what they read, and can ask for the object. */
const MAX_BODY_BYTES = 20_000

/** The body, at most 20,000 bytes: of a larger one `data` holds the ids only. */
export function bodyOf(message: Message): Buffer {
  const whole = write(message, message.data)
  return whole.length <= MAX_BODY_BYTES ? whole : write(message, idsOnly(message.data))
}

function write(message: Message, data: string): Buffer {
  const type = JSON.stringify(message.type)
  return Buffer.from(
    `{"type":${type},"timestamp":"${toRfc3339(message.timestamp)}","data":${data},"sequence":${message.sequence}}`,
  )
}

const USER_AGENT = 'Quittance-Webhooks/1'

/** The headers of a message beside its signature (Standard Webhooks). `timestamp`: seconds since the epoch. */
export function headersOf(eventId: string, timestamp: number): Record<string, string> {
  return { ...messageHeaders(eventId, timestamp), 'user-agent': USER_AGENT }
}

/** The members by which operations find an object. */
const IDENTIFIERS = ['id', 'uuid', 'number', 'token', 'reference_number', 'reference_id'] as const

/** `{"order":{"number":…,"reference_number":…}}`: each resource with nothing but what identifies it. */
function idsOnly(data: string): string {
  const resources = JSON.parse(data) as Record<string, unknown>
  const named = Object.entries(resources).map(([name, resource]) => [name, identifiersOf(resource)])
  return JSON.stringify(Object.fromEntries(named))
}

function identifiersOf(resource: unknown): Record<string, string> {
  const found: Record<string, string> = {}
  if (typeof resource !== 'object' || resource === null) return found
  for (const name of IDENTIFIERS) {
    const value = (resource as Record<string, unknown>)[name]
    if (typeof value === 'string') found[name] = value
  }
  return found
}
