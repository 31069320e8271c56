import { createHash } from 'node:crypto'
import { ExactNumber } from '#kernel/json'
import type { IdempotencyRequest } from '#platform/caller'
import { platformErrors } from '#platform/http/errors'

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/

/**
 * Reads `Idempotency-Key` of a request that changes something. Throws `invalid_header` unless it is 1
 * to 255 visible ASCII characters.
 * @param endpoint method and route pattern
 * @param target path and query, as they were sent
 * @param body the parsed body: its fingerprint does not depend on the order of members or on white space
 */
export function idempotencyOf(
  key: string,
  endpoint: string,
  target: string,
  body: unknown,
): IdempotencyRequest {
  if (!VISIBLE_ASCII.test(key)) {
    throw platformErrors.invalid_header({
      param: 'Idempotency-Key',
      message: 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
    })
  }
  const fingerprint = createHash('sha256')
    .update(target)
    .update('\n')
    .update(JSON.stringify(canonical(body)) ?? '')
    .digest('base64url')
  return { key, endpoint, fingerprint }
}

/** The value with the members of every object in order. Its depth was bounded when it was parsed. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, canonical(member)])
}
