import { CompactEncrypt, importJWK } from 'jose'
import type { PublicJwk } from '#modules/businesses'

/** How the content's key is encrypted, by the kind of the app's key: as that key says, else by the first (RFC 7518, 4.1). */
const ALGORITHMS: Readonly<Record<'RSA' | 'other', readonly [string, ...string[]]>> = {
  RSA: ['RSA-OAEP-256', 'RSA-OAEP', 'RSA-OAEP-384', 'RSA-OAEP-512'],
  other: ['ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A192KW', 'ECDH-ES+A256KW'],
}

/** A card number as compact JWE (RFC 7516) to an app's public key, the content under A256GCM. */
export async function encryptNumber(number: string, key: PublicJwk): Promise<string> {
  // What the key says of its own use does not bind us: registering it as encryption key says enough.
  const { alg: named = '', use: _use, key_ops: _operations, ext: _extractable, kid, ...material } = key
  const algorithms = ALGORITHMS[key.kty === 'RSA' ? 'RSA' : 'other']
  const alg = algorithms.includes(named) ? named : algorithms[0]
  const publicKey = await importJWK(material, alg)
  return new CompactEncrypt(new TextEncoder().encode(number))
    .setProtectedHeader({ alg, enc: 'A256GCM', ...(kid !== undefined && { kid }) })
    .encrypt(publicKey)
}
