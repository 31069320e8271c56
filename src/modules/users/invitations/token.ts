import { createHash } from 'node:crypto'

/** A token has 256 random bits, so a plain hash cannot be reversed. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
