import { CompactEncrypt, importJWK, type JWK } from 'jose'

/** Key management algorithms (RFC 7518, section 4.1): the one that the key names, otherwise the first. */
const ALGORITHMS: Readonly<Record<'RSA' | 'other', readonly [string, ...string[]]>> = {
  RSA: ['RSA-OAEP-256', 'RSA-OAEP', 'RSA-OAEP-384', 'RSA-OAEP-512'],
  other: ['ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A192KW', 'ECDH-ES+A256KW'],
}

/** Encrypts a text to an app's public key, as compact JWE (RFC 7516) with A256GCM. */
export async function encryptTo(key: JWK, text: string): Promise<string> {
  // `use` and `key_ops` are ignored: registering the key for encryption states its use.
  const { alg: named = '', use: _use, key_ops: _operations, ext: _extractable, kid, ...material } = key
  const algorithms = ALGORITHMS[key.kty === 'RSA' ? 'RSA' : 'other']
  const alg = algorithms.includes(named) ? named : algorithms[0]
  const publicKey = await importJWK(material, alg)
  return new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg, enc: 'A256GCM', ...(kid !== undefined && { kid }) })
    .encrypt(publicKey)
}
