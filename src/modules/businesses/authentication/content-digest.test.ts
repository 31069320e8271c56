import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { isContentDigestOf } from './content-digest.ts'

const BODY = Buffer.from('{"amount":1}')
const SHA_256 = `sha-256=:${createHash('sha256').update(BODY).digest('base64')}:`

// Proves reference/access#signed-requests.
test('a digest with an unsupported algorithm is ignored and does not suffice, whatever its name', () => {
  for (const name of ['md5', 'constructor']) {
    expect(isContentDigestOf(`${name}=:AAAA:`, BODY)).toBe(false)
    expect(isContentDigestOf(`${name}=:AAAA:, ${SHA_256}`, BODY)).toBe(true)
  }
})
