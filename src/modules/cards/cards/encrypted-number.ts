import { CompactEncrypt, importJWK } from 'jose'
import type { PublicJwk } from '#modules/businesses'

/** Key management algorithms by `kty` (RFC 7518, 4.1). The first is the default for a key without a usable `alg`. */
const ALGORITHMS: Readonly<Record<'RSA' | 'other', readonly [string, ...string[]]>> = {
  RSA: ['RSA-OAEP-256', 'RSA-OAEP', 'RSA-OAEP-384', 'RSA-OAEP-512'],
  other: ['ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A192KW', 'ECDH-ES+A256KW'],
}

export async function encryptNumber(number: string, key: PublicJwk): Promise<string> {
  // The app registered the key for encryption, so its `use` and `key_ops` do not matter.
  const { alg: keyAlg = '', use: _use, key_ops: _operations, ext: _extractable, kid, ...material } = key
  const algorithms = ALGORITHMS[key.kty === 'RSA' ? 'RSA' : 'other']
  const alg = algorithms.includes(keyAlg) ? keyAlg : algorithms[0]
  const publicKey = await importJWK(material, alg)
  return new CompactEncrypt(new TextEncoder().encode(number))
    .setProtectedHeader({ alg, enc: 'A256GCM', ...(kid !== undefined && { kid }) })
    .encrypt(publicKey)
}
