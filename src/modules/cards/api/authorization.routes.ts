import Type from 'typebox'
import { ListQuery, PageSchema, readPage } from '#platform/http/validation/list'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { IdParams, UuidParams } from '#platform/http/validation/schemas'
import { captureAuthorization, refundAuthorization, reverseAuthorization } from '../authorizations/operate.ts'
import { authorizationsOfPage } from '../cards/read-cards.ts'
import type { DecidingContext } from '../context.ts'
import { authorize } from '../decisions/authorize.ts'
import { getHook, putHook, removeHook } from '../hooks/decision-hook.ts'
import {
  renderAuthorizationData,
  renderAuthorizationsPage,
  renderHookData,
  renderOperated,
} from './render.ts'
import { CaptureBody, RefundBody, ReverseBody } from '../model/requests.ts'
import { AuthorizationData, AuthorizationSchema, AuthorizeBody, HookBody, HookData } from './schemas.ts'

const BASE = '/svc/ts/api/v1/openapi/cards'
const TAG = 'Card authorizations'

export function authorizationRoutes(ctx: DecidingContext): Route[] {
  return [...decisionRoutes(ctx), ...operationRoutes(ctx), ...hookRoutes(ctx)]
}

function decisionRoutes(ctx: DecidingContext): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${BASE}/:id/authorizations`,
      scope: 'cards:write',
      priority: 'critical',
      summary: 'Request an authorization',
      description:
        'The authorization is approved and its amount held, or it is declined with the first reason; the status is 200 either way. A hold counts in the limit windows in which it was created, even if it is captured after they have reset.',
      tag: TAG,
      params: IdParams,
      body: AuthorizeBody,
      example: {
        authorization: {
          amount: '150.50',
          currency: 'HKD',
          merchant: { name: 'Corner Shop', mcc: '5411', country: 'HK' },
          reference_id: 'a-1001',
        },
      },
      data: AuthorizationData,
      handle: ({ caller, params, body }) => authorize(ctx, caller, params.id, body.authorization),
      render: renderAuthorizationData,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/:id/authorizations`,
      scope: 'cards:read',
      summary: "List a card's authorizations",
      tag: TAG,
      params: IdParams,
      query: ListQuery,
      data: Type.Object({ authorizations: Type.Array(AuthorizationSchema), page: PageSchema }),
      handle: async ({ caller, params, query }) => {
        const request = readPage('card_authorizations', query)
        const authorizations = await authorizationsOfPage(ctx, caller, params.id, request)
        return renderAuthorizationsPage(request, authorizations)
      },
    }),
  ]
}

function operationRoutes(ctx: DecidingContext): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${BASE}/authorizations/:uuid/capture`,
      scope: 'cards:write',
      priority: 'critical',
      summary: 'Capture an authorization',
      description:
        'A capture above the hold, or after its expiry, is forced: no limit blocks it, and it counts in the windows of the capture.',
      tag: TAG,
      params: UuidParams,
      body: CaptureBody,
      example: { amount: '120.00', final: true, reference_id: 'a-1001-capture' },
      data: AuthorizationData,
      handle: ({ caller, params, body }) => captureAuthorization(ctx, caller, params.uuid, body),
      render: renderOperated,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/authorizations/:uuid/refund`,
      scope: 'cards:write',
      priority: 'critical',
      summary: 'Refund an authorization',
      tag: TAG,
      params: UuidParams,
      body: RefundBody,
      example: { amount: '20.00', reference_id: 'a-1001-refund' },
      data: AuthorizationData,
      handle: ({ caller, params, body }) => refundAuthorization(ctx, caller, params.uuid, body),
      render: renderOperated,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/authorizations/:uuid/reverse`,
      scope: 'cards:write',
      priority: 'critical',
      summary: 'Reverse an authorization',
      tag: TAG,
      params: UuidParams,
      body: ReverseBody,
      example: { amount: '30.50' },
      data: AuthorizationData,
      handle: ({ caller, params, body }) => reverseAuthorization(ctx, caller, params.uuid, body),
      render: renderOperated,
    }),
  ]
}

function hookRoutes(ctx: DecidingContext): Route[] {
  const path = `${BASE}/decision_hook`
  return [
    defineRoute({
      method: 'PUT',
      path,
      scope: 'cards:write',
      priority: 'critical',
      summary: 'Register the decision hook',
      description:
        'The hook is called before an authorization is approved. It receives `{type, timestamp, authorization}`, signed as webhooks are, and responds with `{"approved": true}` or false within `timeout_ms`. If it does not, `on_silence` decides. The secret is shown when it is created; a later change keeps it.',
      tag: TAG,
      body: HookBody,
      example: {
        decision_hook: { url: 'https://shop.example.com/decide', timeout_ms: 1000, on_silence: 'decline' },
      },
      data: HookData,
      handle: ({ caller, body }) => putHook(ctx, caller, body.decision_hook),
      render: renderHookData,
    }),
    defineRoute({
      method: 'GET',
      path,
      scope: 'cards:read',
      summary: 'Get the decision hook',
      tag: TAG,
      data: HookData,
      handle: ({ caller }) => getHook(ctx, caller),
      render: renderHookData,
    }),
    defineRoute({
      method: 'DELETE',
      path,
      scope: 'cards:write',
      priority: 'critical',
      summary: 'Remove the decision hook',
      tag: TAG,
      data: HookData,
      handle: ({ caller }) => removeHook(ctx, caller),
      render: renderHookData,
    }),
  ]
}
