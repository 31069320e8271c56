import { createHash, createHmac } from 'node:crypto'
import { ExactNumber } from '#kernel/json'
import type { IdempotencyRequest } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import type { RingKey } from '#platform/security/keyring'

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/

/**
 * Reads the header `Idempotency-Key`. Throws `invalid_header`.
 * @param endpoint method and route pattern
 * @param target path and query as sent
 * @param body the parsed body, so that the fingerprint ignores white space and the order of members
 * @param keys newest first. An unkeyed hash would let anyone find a card number by trying all of them
 */
export function idempotencyOf(
  key: string,
  endpoint: string,
  target: string,
  body: unknown,
  keys: readonly RingKey[],
): Omit<IdempotencyRequest, 'render'> {
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
 * Sorts the members of every object and drops CVCs, which must not be stored even as a hash (PCI DSS 3.3.1).
 * The depth was bounded before parsing.
 */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value
  return Object.entries(value)
    .filter(([name]) => name !== 'cvc')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, canonical(member)])
}
