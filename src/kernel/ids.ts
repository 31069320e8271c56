import { hash, randomFillSync } from 'node:crypto'
import { realNowMs } from './clock.ts'

/**
 * Ids are TypeIDs: a prefix, `_`, and a UUIDv7 (RFC 9562) as 26 characters of Crockford's base 32. As text in
 * collation "C" they sort by creation time. They are stored as they are shown (docs/decisions/ids-are-stored-as-shown).
 */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const LETTERS = Array.from(ALPHABET, (character) => character.charCodeAt(0))
/** Three for the counter and nine for the random text of an id. */
const ID_BYTES = 12
/** One call of the random generator serves 512 ids. */
const POOL_BYTES = ID_BYTES * 512
const pool = new Uint8Array(POOL_BYTES)
let poolOffset = POOL_BYTES
let lastMs = 0
let lastMsText = ''
let sequence = 0

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
    // RFC 9562, method 1: when the counter overflows, the timestamp runs ahead of the clock.
    lastMs++
    lastMsText = millisecondsText(lastMs)
    sequence = 0
  }
  const id = `${prefix}_${lastMsText}${counterText()}${randomText()}` as const
  poolOffset += ID_BYTES
  return id
}

export function firstIdAt(prefix: string, ms: number): string {
  return `${prefix}_${millisecondsText(ms)}`
}

function millisecondsText(ms: number): string {
  let text = ''
  for (let rest = ms; text.length < 10; rest = Math.floor(rest / 32)) text = ALPHABET[rest % 32] + text
  return text
}

function counterText(): string {
  return lettersOf((7 << 16) | (sequence << 4) | (2 << 2) | (byteAt(2) & 3))
}

function randomText(): string {
  return lettersOf(bitsAt(3)) + lettersOf(bitsAt(6)) + lettersOf(bitsAt(9))
}

function bitsAt(offset: number): number {
  return (byteAt(offset) << 16) | (byteAt(offset + 1) << 8) | byteAt(offset + 2)
}

function byteAt(offset: number): number {
  return pool[poolOffset + offset] ?? 0
}

function lettersOf(bits: number): string {
  return String.fromCharCode(letter(bits >> 15), letter(bits >> 10), letter(bits >> 5), letter(bits))
}

function letter(bits: number): number {
  return LETTERS[bits & 31] ?? 0
}

/**
 * Returns the same id for the same arguments: a UUIDv8 (RFC 9562) of the time and a hash of `source`. What a plan
 * does by itself has such ids, so that a database that came back from a backup does it under the same keys again
 * (docs/decisions/0068-renewals-have-derived-ids).
 */
export function derivedId<P extends string>(prefix: P, ms: number, source: string): `${P}_${string}` {
  const digest = hash('sha256', source, 'buffer')
  const version = (8 << 16) | ((digest.readUInt16BE(0) & 0xfff) << 4) | (2 << 2) | (digest.readUInt8(2) & 3)
  const random = [3, 6, 9].map((offset) => lettersOf(digest.readUIntBE(offset, 3))).join('')
  return `${prefix}_${millisecondsText(ms)}${lettersOf(version)}${random}`
}

export function isDerivedId(id: string): boolean {
  return ALPHABET.indexOf(id.charAt(id.lastIndexOf('_') + 11)) >> 1 === 8
}

export function msOfId(id: string): number {
  const start = id.lastIndexOf('_') + 1
  let ms = 0
  for (const character of id.slice(start, start + 10)) ms = ms * 32 + ALPHABET.indexOf(character)
  return ms
}
