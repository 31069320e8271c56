import { createHash, timingSafeEqual } from 'node:crypto'

const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
])
/** One dictionary member, `sha-256=:…:`. Base64 contains no commas, so the header can be split at them. */
const MEMBER = /^[ \t]*([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/]*={0,2}):[ \t]*(?:;.*)?$/

/** RFC 9530: every digest with a supported algorithm must match, and there must be at least one. */
export function isContentDigestOf(header: string, body: Buffer): boolean {
  let matched = 0
  for (const member of header.split(',')) {
    const [, name, value] = MEMBER.exec(member) ?? []
    if (name === undefined || value === undefined) return false
    const algorithm = ALGORITHMS.get(name)
    if (algorithm === undefined) continue
    const expected = createHash(algorithm).update(body).digest()
    const received = Buffer.from(value, 'base64')
    if (received.length !== expected.length || !timingSafeEqual(received, expected)) return false
    matched++
  }
  return matched > 0
}
