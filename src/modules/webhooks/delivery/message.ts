import { type Instant, toRfc3339 } from '#kernel/clock'
import { messageHeaders } from '#platform/security/standard-webhooks'
import { identifiersOf } from './identifiers.ts'

export interface Message {
  readonly type: string
  readonly timestamp: Instant
  readonly sequence: number
  readonly object_id: string
  readonly data: string
}

/**
 * A longer body is truncated to identifiers. Standard Webhooks advises 20 kB, because receivers limit what they read.
 */
const MAX_BODY_BYTES = 20_000

export function bodyOf(message: Message): Buffer {
  const body = serialize(message, message.data)
  if (body.length <= MAX_BODY_BYTES) return body
  return serialize(message, JSON.stringify(identifiersOf(message.data)), ',"truncated":true')
}

/** Concatenates, because parsing `data` would lose digits of its numbers. */
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

export function headersOf(eventId: string, timestamp: number): Record<string, string> {
  return { ...messageHeaders(eventId, timestamp), 'user-agent': USER_AGENT }
}
