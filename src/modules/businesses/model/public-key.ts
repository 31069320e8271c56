import Type, { type Static } from 'typebox'
import { strictObject, Text } from '#platform/http/validation/schemas'

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
