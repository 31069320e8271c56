import { createPublicKey, hash, type KeyObject } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import Type, { type Static } from 'typebox'
import { strictObject, Text } from '#platform/http/validation/schemas'
import { errors } from '../errors.ts'
import { encryptTo } from './encrypt.ts'

/** A public JWK (RFC 7517). Members of private keys (`d`, `p`, `q`, …) are rejected as unknown. */
export const PublicJwkSchema = strictObject(
  {
    kty: Text({ max: 10, description: 'OKP, EC or RSA' }),
    crv: Type.Optional(
      Text({ max: 20, description: 'Ed25519 for signing; P-256, P-384, P-521 or X25519 for encryption' }),
    ),
    x: Type.Optional(Text({ max: 100 })),
    y: Type.Optional(Text({ max: 100 })),
    n: Type.Optional(Text({ max: 1_400, description: 'RSA modulus, 2048 to 8192 bits' })),
    e: Type.Optional(Text({ max: 20 })),
    kid: Type.Optional(Text({ max: 255 })),
    alg: Type.Optional(Text({ max: 50 })),
    use: Type.Optional(Text({ max: 10 })),
    key_ops: Type.Optional(Type.Array(Text({ max: 20 }), { maxItems: 10 })),
    ext: Type.Optional(Type.Boolean()),
  },
  { title: 'PublicKey' },
)

export type PublicJwk = Static<typeof PublicJwkSchema>

export type KeyUse = 'signing' | 'encryption'

export interface RegisteredKey {
  readonly key: PublicJwk
  /** RFC 7638, SHA-256 in base64url. */
  readonly thumbprint: string
}

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
