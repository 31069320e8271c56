import { randomFillSync } from 'node:crypto'
import { realNowMs } from './clock.ts'

/**
 * Identifiers are TypeIDs: a prefix that says what the thing is, `_`, and a UUIDv7 (RFC 9562) in
 * 26 characters of Crockford's base 32. They sort by time of making, as text, in every collation
 * we use ("C"), and are stored as they are shown. See docs/decisions/ids.md.
 */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const POOL_BYTES = 10 * 512
const pool = new Uint8Array(POOL_BYTES)
let poolOffset = POOL_BYTES
let lastMs = 0
let sequence = 0

/** A new id such as `ord_01kanq3x5kf0vsd2pjtwyt7cyr`. Ids of one process strictly increase. */
export function newId<P extends string>(prefix: P): `${P}_${string}` {
  if (poolOffset === POOL_BYTES) {
    randomFillSync(pool)
    poolOffset = 0
  }
  const ms = realNowMs()
  if (ms > lastMs) {
    lastMs = ms
    sequence = ((pool[poolOffset] ?? 0) & 0x07) * 256 + (pool[poolOffset + 1] ?? 0)
  } else if (++sequence > 0xfff) {
    // RFC 9562, method 1: when the counter runs over, the clock is run ahead.
    lastMs++
    sequence = 0
  }
  const bytes = new Uint8Array(16)
  let time = lastMs
  for (let i = 5; i >= 0; i--) {
    bytes[i] = time % 256
    time = Math.floor(time / 256)
  }
  bytes[6] = 0x70 | (sequence >> 8)
  bytes[7] = sequence & 0xff
  bytes.set(pool.subarray(poolOffset + 2, poolOffset + 10), 8)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  poolOffset += 10
  return `${prefix}_${base32(bytes)}`
}

/** 128 bits as 26 characters, the first of which holds only 3 bits. */
function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 2
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += ALPHABET[(value >> bits) & 31]
    }
    value &= (1 << bits) - 1
  }
  return text
}
