import { createHmac, randomBytes } from 'node:crypto'

/** Signatures of Standard Webhooks (github.com/standard-webhooks, version 1). */

const PREFIX = 'whsec_'
/** The standard asks for 24 to 64 bytes. */
const SECRET_BYTES = 32

/** A new signing secret, `whsec_` and base64. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/**
 * The `webhook-signature` of a message, one signature for each secret, so that a receiver that knows
 * either accepts it.
 * @param timestamp seconds since the epoch
 */
export function signatures(
  secrets: readonly string[],
  message: { readonly id: string; readonly timestamp: number; readonly body: string },
): string {
  const signed = `${message.id}.${message.timestamp}.${message.body}`
  return secrets.map((secret) => `v1,${hmac(secret, signed)}`).join(' ')
}

function hmac(secret: string, signed: string): string {
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64')
  return createHmac('sha256', key).update(signed).digest('base64')
}
