import Type from 'typebox'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { strictObject } from '#platform/http/validation/schemas'
import type { Businesses } from '../businesses.ts'
import { apiKeyRoutes } from './api-key-routes.ts'
import { type KeyUse, PublicJwkSchema } from '../authentication/public-key.ts'

const BASE = '/svc/account/api/v1/openapi/apps/self'
const TAG = 'Account'

const RegisterKeyBody = strictObject({ key: PublicJwkSchema })
const KeyData = Type.Object({
  key: PublicJwkSchema,
  thumbprint: Type.String({ description: 'RFC 7638, SHA-256 in base64url' }),
})

const EXAMPLE_KEYS = {
  signing: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
  encryption: {
    kty: 'EC',
    crv: 'P-256',
    x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
    y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  },
} as const satisfies Record<KeyUse, object>

export function businessRoutes(businesses: Businesses): Route[] {
  return [
    ...apiKeyRoutes(businesses),
    ...keyRoutes(businesses, 'signing', 'the key that verifies the app’s request signatures'),
    ...keyRoutes(businesses, 'encryption', 'the key that card numbers are encrypted with'),
  ]
}

function keyRoutes(businesses: Businesses, use: KeyUse, what: string): Route[] {
  const path = `${BASE}/${use}_key`
  return [
    defineRoute({
      method: 'PUT',
      path,
      scope: 'admin:write',
      summary: `Register ${what}`,
      tag: TAG,
      body: RegisterKeyBody,
      example: { key: EXAMPLE_KEYS[use] },
      data: KeyData,
      handle: ({ caller, body }) => businesses.registerKey(caller, use, body.key),
    }),
    defineRoute({
      method: 'GET',
      path,
      scope: 'admin:read',
      summary: `Get ${what}`,
      tag: TAG,
      data: KeyData,
      handle: ({ caller }) => businesses.publicKey(caller, use),
    }),
    defineRoute({
      method: 'DELETE',
      path,
      scope: 'admin:write',
      summary: `Remove ${what}`,
      tag: TAG,
      data: Type.Object({}),
      handle: ({ caller }) => businesses.removeKey(caller, use),
    }),
  ]
}
