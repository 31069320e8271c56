import { type Instant, toRfc3339 } from '#kernel/clock'
import { messageHeaders } from '#platform/security/standard-webhooks'
import { identifiersOf } from './identifiers.ts'

export interface Message {
  readonly type: string
  /** On the business's clock. */
  readonly timestamp: Instant
  readonly sequence: number
  readonly object_id: string
  /** JSON text, sent with every digit. */
  readonly data: string
}

/** Receivers limit what they read, so Standard Webhooks advises small payloads. */
const MAX_BODY_BYTES = 20_000

/** The body of a message. A body of more than 20,000 bytes is truncated to identifiers (reference/events#payloads). */
export function bodyOf(message: Message): Buffer {
  const body = serialize(message, message.data)
  if (body.length <= MAX_BODY_BYTES) return body
  return serialize(message, JSON.stringify(identifiersOf(message.data)), ',"truncated":true')
}

/** Concatenates JSON text, because parsing `data` would lose digits. */
function serialize(message: Message, data: string, lastMembers = ''): Buffer {
  const type = JSON.stringify(message.type)
  const timestamp = JSON.stringify(toRfc3339(message.timestamp))
  const objectId = JSON.stringify(message.object_id)
  return Buffer.from(
    `{"type":${type},"timestamp":${timestamp},"data":${data},` +
      `"sequence":${message.sequence},"object_id":${objectId}${lastMembers}}`,
  )
}

const USER_AGENT = 'Quittance-Webhooks/1'

/** All headers except the signature. @param timestamp seconds since the epoch */
export function headersOf(eventId: string, timestamp: number): Record<string, string> {
  return { ...messageHeaders(eventId, timestamp), 'user-agent': USER_AGENT }
}
