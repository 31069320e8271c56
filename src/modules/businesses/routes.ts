import Type from 'typebox'
import { defineRoute, type Route } from '#platform/http/route'
import { strictObject } from '#platform/http/schemas'
import type { Businesses } from './businesses.ts'
import { type KeyUse, PublicJwkSchema } from './public-key.ts'

const BASE = '/svc/account/api/v1/openapi/apps/self'
const TAG = 'Account'

const RegisterKeyBody = strictObject({ key: PublicJwkSchema })
const KeyData = Type.Object({
  key: PublicJwkSchema,
  thumbprint: Type.String({ description: 'RFC 7638, SHA-256 in base64url' }),
})

export function businessRoutes(businesses: Businesses): Route[] {
  return [
    ...keyRoutes(businesses, 'signing', 'the key that the app signs its requests with'),
    ...keyRoutes(businesses, 'encryption', 'the key that card numbers are encrypted to'),
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
