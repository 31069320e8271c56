import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { type Instant, realNowMs } from '#kernel/clock'

const PREFIX = 'whsec_'
/** Standard Webhooks requires 24 to 64 bytes. */
const SECRET_BYTES = 32
/** The time of reference/events#secrets. */
export const ROTATION_HOURS = 24

export function newSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

export function validSecrets(stored: {
  readonly secret: string
  readonly previous: string | null
  readonly previousUntil: Instant | null
}): string[] {
  const { secret, previous, previousUntil } = stored
  if (previous === null || previousUntil === null) return [secret]
  return realNowMs() < previousUntil.epochMilliseconds ? [secret, previous] : [secret]
}

export function signingKeyOf(secret: string): KeyObject {
  return createSecretKey(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64')
}

/** All headers but the signature. @param timestamp Unix time in seconds */
export function messageHeaders(id: string, timestamp: number): Record<string, string> {
  return { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': String(timestamp) }
}

/**
 * Value of `webhook-signature`: one signature per key, so that a receiver can verify it with any of them. The timestamp is
 * Unix time in seconds.
 */
export function signatures(
  keys: readonly KeyObject[],
  message: { readonly id: string; readonly timestamp: number; readonly body: Buffer },
): string {
  const { id, timestamp, body } = message
  return keys
    .map((key) => {
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body)
      return `v1,${signature.digest('base64')}`
    })
    .join(' ')
}
