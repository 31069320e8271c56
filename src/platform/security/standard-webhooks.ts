import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { type Instant, realNowMs } from '#kernel/clock'

/** Secrets and signatures of Standard Webhooks (github.com/standard-webhooks, version 1). */

const PREFIX = 'whsec_'
/** The standard asks for 24 to 64 bytes. */
const SECRET_BYTES = 32
/** How long the previous secret signs beside a new one, unless it is rotated again before. */
export const ROTATION_HOURS = 24

/** A new signing secret, `whsec_` and base64. */
export function newSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** Those of a secret and the one before it that sign now, newest first. */
export function validSecrets(of: {
  readonly secret: string
  readonly previous: string | null
  readonly previousUntil: Instant | null
}): string[] {
  const { secret, previous, previousUntil } = of
  if (previous === null || previousUntil === null) return [secret]
  return realNowMs() < previousUntil.epochMilliseconds ? [secret, previous] : [secret]
}

/** The key that a secret stands for. */
export function signingKeyOf(secret: string): KeyObject {
  return createSecretKey(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64')
}

/** The headers of a message beside its signature. `timestamp`: seconds since the epoch. */
export function messageHeaders(id: string, timestamp: number): Record<string, string> {
  return { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': String(timestamp) }
}

/**
 * The `webhook-signature` of a message, one signature for each key, so that a receiver that knows
 * either accepts it.
 * @param timestamp seconds since the epoch
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
