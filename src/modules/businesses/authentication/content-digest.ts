import { createHash, timingSafeEqual } from 'node:crypto'

const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
])
/** A member of the dictionary: `sha-256=:…:`. Base64 holds no comma, so members are split at commas. */
const MEMBER = /^[ \t]*([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*={0,2}):[ \t]*(?:;.*)?$/

/**
 * Whether `Content-Digest` (RFC 9530) is that of `body`: each digest of an algorithm that we know must be
 * right, and one at least must be there.
 */
export function isContentDigestOf(header: string, body: Buffer): boolean {
  let known = 0
  for (const member of header.split(',')) {
    const [, name, value] = MEMBER.exec(member) ?? []
    if (name === undefined || value === undefined) return false
    const algorithm = ALGORITHMS.get(name)
    if (algorithm === undefined) continue
    const expected = createHash(algorithm).update(body).digest()
    const given = Buffer.from(value, 'base64')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
    known++
  }
  return known > 0
}
