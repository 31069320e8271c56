import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Environment } from '#platform/caller'

/**
 * `qk_test_` or `qk_live_`, 256 random bits as 43 base-62 characters, and a CRC-32 of all that as 6 more, like GitHub's
 * tokens. The checksum rejects a mistyped or truncated key without the database and lets scanners find leaked keys without
 * false alarms.
 */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 256 bits in base 62. */
const SECRET_LENGTH = 43
/** A CRC of 32 bits in base 62. */
const CHECKSUM_LENGTH = 6
const FORM = /^qk_(test|live)_[0-9A-Za-z]{49}$/

export function newApiKey(environment: Environment): string {
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH)
  const unchecked = `qk_${environment}_${secret}`
  return unchecked + checksum(unchecked)
}

export function isApiKey(text: string): boolean {
  if (!FORM.test(text)) return false
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
}

export function hashOfApiKey(apiKey: string): string {
  return hash('sha256', apiKey, 'base64url')
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_LENGTH)
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value, i = 0; i < length; i++, rest /= 62n)
    text = (ALPHABET[Number(rest % 62n)] ?? '') + text
  return text
}
