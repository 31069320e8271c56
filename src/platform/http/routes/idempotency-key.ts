import { createHash, createHmac } from 'node:crypto'
import { ExactNumber } from '#kernel/json'
import type { IdempotencyRequest } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import type { RingKey } from '#platform/security/keyring'

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/

/**
 * Reads `Idempotency-Key` of a request that changes something. Throws `invalid_header` unless it is 1
 * to 255 visible ASCII characters.
 * @param endpoint method and route pattern
 * @param target path and query, as they were sent
 * @param body the parsed body: its fingerprint does not depend on the order of members or on white space
 * @param keys newest first. Without one, a card number could be found from its fingerprint by trying
 */
export function idempotencyOf(
  key: string,
  endpoint: string,
  target: string,
  body: unknown,
  keys: readonly RingKey[],
): IdempotencyRequest {
  if (!VISIBLE_ASCII.test(key)) {
    throw platformErrors.invalid_header({
      param: 'Idempotency-Key',
      message: 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
    })
  }
  const digest = createHash('sha256')
    .update(target)
    .update('\n')
    .update(JSON.stringify(canonical(body)) ?? '')
    .digest()
  const [fingerprint, ...olderFingerprints] = keys.map(({ secret }) =>
    createHmac('sha256', secret).update(digest).digest('base64url'),
  )
  if (fingerprint === undefined) throw new Error('there is no key to make fingerprints with')
  return { key, endpoint, fingerprint, olderFingerprints }
}

/**
 * The value with the members of every object in order, and without CVCs: those are never stored (PCI DSS, 3.3.1), in a hash
 * neither. Its depth was bounded when it was parsed.
 */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value
  return Object.entries(value)
    .filter(([name]) => name !== 'cvc')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, canonical(member)])
}
