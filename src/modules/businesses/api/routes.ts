import Type from 'typebox'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { strictObject } from '#platform/http/validation/schemas'
import type { Database } from '#platform/postgres/database'
import { apiKeyRoutes } from './api-key-routes.ts'
import { type KeyUse, PublicJwkSchema } from '../model/public-key.ts'
import { registerPublicKey } from '../authentication/register-public-key.ts'
import { getRegisteredKey } from '../authentication/registered-key.ts'
import { removePublicKey } from '../authentication/remove-public-key.ts'
import { editBranding, showBranding } from '../branding/edit-branding.ts'
import { type DayReader, editBusiness } from '../profiles/edit-business.ts'
import { getBusiness } from '../profiles/look-up.ts'
import { BrandingBody, BrandingData } from './branding-schemas.ts'
import { BusinessBody, BusinessData } from './business-schemas.ts'
import { renderBrandingData, renderBusinessData } from './render.ts'

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

export function businessRoutes(db: Database, dayReaders: readonly DayReader[]): Route[] {
  return [
    ...settingsRoutes(db, dayReaders),
    ...apiKeyRoutes(db),
    ...keyRoutes(db, 'signing', 'the key that verifies the app’s request signatures'),
    ...keyRoutes(db, 'encryption', 'the key that card numbers are encrypted with'),
    ...brandingRoutes(db),
  ]
}

function settingsRoutes(db: Database, dayReaders: readonly DayReader[]): Route[] {
  const path = `${ACCOUNT}/business`
  return [
    defineRoute({
      method: 'GET',
      path,
      scope: 'admin:read',
      summary: 'Get the business',
      tag: TAG,
      data: BusinessData,
      handle: ({ caller }) => getBusiness(db, caller.businessId),
      render: renderBusinessData,
    }),
    defineRoute({
      method: 'PUT',
      path,
      scope: 'admin:write',
      summary: 'Set name, time zone and currency of the business',
      description:
        'Members that are left out stay as they are. The name is that of both environments; time zone and currency are those of this one.',
      tag: TAG,
      body: BusinessBody,
      example: { business: { name: 'Kowloon Books', time_zone: 'Asia/Hong_Kong', currency: 'HKD' } },
      data: BusinessData,
      handle: ({ caller, body }) => editBusiness(db, dayReaders, caller, body.business),
      render: renderBusinessData,
    }),
  ]
}

function brandingRoutes(db: Database): Route[] {
  const path = `${ACCOUNT}/branding`
  return [
    defineRoute({
      method: 'GET',
      path,
      scope: 'admin:read',
      summary: 'Get what payers see of the business',
      tag: TAG,
      data: BrandingData,
      handle: ({ caller }) => showBranding(db, caller),
      render: renderBrandingData,
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
      data: BrandingData,
      handle: ({ caller, body }) => editBranding(db, caller, body.branding),
      render: renderBrandingData,
    }),
  ]
}

function keyRoutes(db: Database, use: KeyUse, what: string): Route[] {
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
      handle: ({ caller, body }) => registerPublicKey(db, caller, use, body.key),
    }),
    defineRoute({
      method: 'GET',
      path,
      scope: 'admin:read',
      summary: `Get ${what}`,
      tag: TAG,
      data: KeyData,
      handle: ({ caller }) => getRegisteredKey(db, caller, use),
    }),
    defineRoute({
      method: 'DELETE',
      path,
      scope: 'admin:write',
      summary: `Remove ${what}`,
      tag: TAG,
      data: Type.Object({}),
      handle: ({ caller }) => removePublicKey(db, caller, use),
      render: () => ({}),
    }),
  ]
}
