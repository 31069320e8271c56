import { randomFillSync } from 'node:crypto'
import { realNowMs } from './clock.ts'

/**
 * Identifiers are TypeIDs: a prefix that says what the thing is, `_`, and a UUIDv7 (RFC 9562) in
 * 26 characters of Crockford's base 32. They sort by time of making, as text, in every collation
 * we use ("C"), and are stored as they are shown. See
 * docs/decisions/0001-ids-are-stored-as-shown.md.
 */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LETTERS = Array.from(ALPHABET, (character) => character.charCodeAt(0))
/** What an id takes from the pool: two bytes that a counter begins with, one for two bits, three times three for 20. */
const ID_BYTES = 12
const POOL_BYTES = ID_BYTES * 512
const pool = new Uint8Array(POOL_BYTES)
let poolOffset = POOL_BYTES
let lastMs = 0
let lastMsText = ''
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
    lastMsText = millisecondsText(ms)
    sequence = (byteAt(0) & 0x07) * 256 + byteAt(1)
  } else if (++sequence > 0xfff) {
    // RFC 9562, method 1: when the counter runs over, the clock is run ahead.
    lastMs++
    lastMsText = millisecondsText(lastMs)
    sequence = 0
  }
  const id = `${prefix}_${lastMsText}${counterText()}${randomText()}` as const
  poolOffset += ID_BYTES
  return id
}

/** The first 48 bits: ten letters, the first of which holds only 3. */
function millisecondsText(ms: number): string {
  let text = ''
  for (let rest = ms; text.length < 10; rest = Math.floor(rest / 32)) text = ALPHABET[rest % 32] + text
  return text
}

/** The version, 7, the counter and the variant, binary 10, with the two highest random bits: four letters. */
function counterText(): string {
  return lettersOf((7 << 16) | (sequence << 4) | (2 << 2) | (byteAt(2) & 3))
}

/** 60 random bits: twelve letters. */
function randomText(): string {
  return lettersOf(bitsAt(3)) + lettersOf(bitsAt(6)) + lettersOf(bitsAt(9))
}

/** 24 bits of the pool, counted from the id's own. */
function bitsAt(offset: number): number {
  return (byteAt(offset) << 16) | (byteAt(offset + 1) << 8) | byteAt(offset + 2)
}

function byteAt(offset: number): number {
  return pool[poolOffset + offset] ?? 0
}

/** The lowest 20 bits as four letters. */
function lettersOf(bits: number): string {
  return String.fromCharCode(letter(bits >> 15), letter(bits >> 10), letter(bits >> 5), letter(bits))
}

function letter(bits: number): number {
  return LETTERS[bits & 31] ?? 0
}
