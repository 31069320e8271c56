import { createPublicKey, hash, type KeyObject } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { errors } from '../errors.ts'
import { encryptTo } from './encrypt.ts'
import type { KeyUse, PublicJwk, RegisteredKey } from '../model/public-key.ts'

/** Both bounds: reference/access#public-keys. */
const MIN_RSA_BITS = 2_048
const MAX_RSA_BITS = 8_192
const CURVES: Readonly<Record<KeyUse, ReadonlyMap<string, readonly string[]>>> = {
  signing: new Map([['OKP', ['Ed25519']]]),
  encryption: new Map([
    ['OKP', ['X25519']],
    ['EC', ['P-256', 'P-384', 'P-521']],
    ['RSA', []],
  ]),
}

export async function requireUsableKey(use: KeyUse, jwk: PublicJwk): Promise<void> {
  const curves = CURVES[use].get(jwk.kty)
  if (curves === undefined) throw errors.public_key_not_supported({ param: 'key.kty' })
  if (curves.length > 0 && !curves.includes(jwk.crv ?? '')) {
    throw errors.public_key_not_supported({ param: 'key.crv' })
  }
  for (const member of requiredMembers(jwk.kty)) {
    if (jwk[member] !== undefined) continue
    throw errors.public_key_invalid({ param: `key.${member}`, message: `key.${member} is missing.` })
  }
  const key = toKeyObject(jwk)
  const bits = key.asymmetricKeyDetails?.modulusLength
  if (bits !== undefined && (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS)) {
    throw errors.public_key_not_supported({ param: 'key.n' })
  }
  if (jwk.kty === 'RSA') requireSafeExponent(key)
  if (use === 'encryption') await tryToEncrypt(jwk)
  else requireSafePoint(jwk)
}

/** NIST SP 800-56B, section 6.2.1: odd and at least 65,537. With e = 1 the ciphertext is the plain text. */
function requireSafeExponent(key: KeyObject): void {
  const exponent = key.asymmetricKeyDetails?.publicExponent ?? 0n
  if (exponent >= 65_537n && exponent % 2n === 1n) return
  throw errors.public_key_invalid({
    param: 'key.e',
    message: 'key.e must be an odd exponent of at least 65537, such as AQAB.',
  })
}

/** Some keys parse and still cannot encrypt, such as X25519 points of small order (RFC 7748, section 6.1). */
async function tryToEncrypt(jwk: PublicJwk): Promise<void> {
  try {
    await encryptTo(jwk, 'trial')
  } catch (error) {
    throw errors.public_key_invalid({
      param: 'key',
      message: 'Nothing can be encrypted with this key.',
      cause: error,
    })
  }
}

/** Anyone can forge signatures for a point of small order; Node accepts these and even values that are not points. */
function requireSafePoint(jwk: PublicJwk): void {
  if (isSafePoint(Buffer.from(jwk.x ?? '', 'base64url'))) return
  throw errors.public_key_invalid({ param: 'key.x', message: 'key.x is not a safe Ed25519 public key.' })
}

function isSafePoint(bytes: Uint8Array): boolean {
  try {
    return !ed25519.Point.fromBytes(bytes).isSmallOrder()
  } catch {
    return false
  }
}

function thumbprint(jwk: PublicJwk): string {
  const members = [
    ...requiredMembers(jwk.kty),
    'kty' as const,
    ...(jwk.kty === 'RSA' ? [] : ['crv' as const]),
  ]
  const canonical = Object.fromEntries(members.toSorted().map((member) => [member, jwk[member]]))
  return hash('sha256', JSON.stringify(canonical), 'base64url')
}

function requiredMembers(kty: string): ('x' | 'y' | 'n' | 'e')[] {
  if (kty === 'RSA') return ['n', 'e']
  return kty === 'EC' ? ['x', 'y'] : ['x']
}

function toKeyObject(jwk: PublicJwk): KeyObject {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' })
  } catch (error) {
    throw errors.public_key_invalid({ param: 'key', cause: error })
  }
}

export function withThumbprint(key: PublicJwk): RegisteredKey {
  return { key, thumbprint: thumbprint(key) }
}
