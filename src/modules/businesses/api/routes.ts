import Type from 'typebox'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { strictObject } from '#platform/http/validation/schemas'
import { BrandingBody, BrandingSchema } from './branding-schemas.ts'
import type { Businesses } from '../businesses.ts'
import { apiKeyRoutes } from './api-key-routes.ts'
import { type KeyUse, PublicJwkSchema } from '../authentication/public-key.ts'

const ACCOUNT = '/svc/account/api/v1/openapi'
const BASE = `${ACCOUNT}/apps/self`
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
    ...brandingRoutes(businesses),
  ]
}

function brandingRoutes(businesses: Businesses): Route[] {
  const data = Type.Object({ branding: BrandingSchema })
  const path = `${ACCOUNT}/branding`
  return [
    defineRoute({
      method: 'GET',
      path,
      scope: 'admin:read',
      summary: 'Get what payers see of the business',
      tag: TAG,
      data,
      handle: ({ caller }) => businesses.showBranding(caller),
    }),
    defineRoute({
      method: 'PUT',
      path,
      scope: 'admin:write',
      summary: 'Set what payers see of the business',
      description: 'Members that are left out stay as they are; null removes a value.',
      tag: TAG,
      body: BrandingBody,
      example: {
        branding: {
          display_name: 'Kowloon Books',
          color: '#1d4f8f',
          email: 'help@kowloonbooks.example',
          terms_url: 'https://kowloonbooks.example/terms',
          wallet_names: { wallet_b: 'Harbour Wallet' },
        },
      },
      data,
      handle: ({ caller, body }) => businesses.editBranding(caller, body.branding),
    }),
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
