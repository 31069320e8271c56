import { containsCardNumber } from '#platform/security/redaction'

/** A longer name may be a secret (reference/conventions#errors). */
const MAX_NAME_LENGTH = 64
const KEY_OR_SECRET = /[qsr]k_|whsec_/i

/**
 * Returns a name that the caller chose, for errors and the log. A name that may hold a card number, a key or
 * a secret is replaced by its position, such as `<member 3>`.
 * @param position counted from 1
 */
export function nameOrPosition(
  name: string,
  kind: 'member' | 'query parameter' | 'column',
  position: number,
): string {
  const isRepeatable =
    name !== '' && name.length <= MAX_NAME_LENGTH && !KEY_OR_SECRET.test(name) && !containsCardNumber(name)
  return isRepeatable ? name : `<${kind} ${position}>`
}

export function memberPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
