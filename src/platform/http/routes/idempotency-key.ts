import { createHash, createHmac, type Hash } from 'node:crypto'
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
  const hash = createHash('sha256').update(target).update('\n')
  updateWithBody(hash, body)
  const digest = hash.digest()
  const [fingerprint, ...olderFingerprints] = keys.map(({ secret }) =>
    createHmac('sha256', secret).update(digest).digest('base64url'),
  )
  if (fingerprint === undefined) throw new Error('there is no key to make fingerprints with')
  return { key, endpoint, fingerprint, olderFingerprints }
}

/** In UTF-16 code units. */
const MAX_PIECE = 65_536

/**
 * Hashes the body as JSON in which an object is the list of its members, sorted by name. CVCs are left out, because they must not be
 * stored even as a hash (PCI DSS 3.3.1). The depth was bounded before parsing. Long texts are hashed in pieces: writing 28 MB as JSON at
 * once holds the event loop for 0.4 s.
 */
function updateWithBody(hash: Hash, body: unknown): void {
  let written = ''
  const write = (value: unknown): void => {
    if (typeof value === 'string' && value.length > MAX_PIECE) {
      hash.update(`${written}"`)
      for (const piece of piecesOf(value)) hash.update(JSON.stringify(piece).slice(1, -1))
      written = '"'
    } else if (Array.isArray(value)) writeList(value, write)
    else if (typeof value !== 'object' || value === null || value instanceof ExactNumber)
      written += JSON.stringify(value) ?? ''
    else {
      const members = Object.entries(value).filter(([name]) => name !== 'cvc')
      writeList(
        members.toSorted(([a], [b]) => (a < b ? -1 : 1)),
        ([name, member]) => writeList([name, member], write),
      )
    }
  }
  const writeList = <Element>(list: readonly Element[], writeElement: (element: Element) => void): void => {
    written += '['
    for (const [index, element] of list.entries()) {
      if (index > 0) written += ','
      writeElement(element)
    }
    written += ']'
  }
  write(body)
  hash.update(written)
}

/** Splits no surrogate pair, because JSON escapes halves. */
function* piecesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = start + MAX_PIECE
    const isWhole = (text.codePointAt(end - 1) ?? 0) <= 0xff_ff
    const next = isWhole ? end : end - 1
    yield text.slice(start, next)
    start = next
  }
}
