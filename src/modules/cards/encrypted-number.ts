import { CompactEncrypt, importJWK } from 'jose'
import type { PublicJwk } from '#modules/businesses'

/**
 * A card number as compact JWE (RFC 7516) to an app's public key: RSA-OAEP-256 for RSA, ECDH-ES for EC and X25519;
 * the content under A256GCM.
 */
export async function encryptNumber(number: string, key: PublicJwk): Promise<string> {
  const alg = key.kty === 'RSA' ? 'RSA-OAEP-256' : 'ECDH-ES'
  // What the key says of its own use does not bind us: registering it as encryption key says enough.
  const { alg: _alg, use: _use, key_ops: _operations, ext: _extractable, kid, ...material } = key
  const publicKey = await importJWK(material, alg)
  return new CompactEncrypt(new TextEncoder().encode(number))
    .setProtectedHeader({ alg, enc: 'A256GCM', ...(kid !== undefined && { kid }) })
    .encrypt(publicKey)
}
