import Type from 'typebox'
import { defineRoute, type Route } from '#platform/http/routes/route'
import { filteredListQuery, PageSchema, readPage } from '#platform/http/validation/list'
import { IdParams } from '#platform/http/validation/schemas'
import { accountById, accountsOfPage } from '../accounts/read-accounts.ts'
import { createAccount } from '../accounts/create-account.ts'
import { disableAccount, updateAccount } from '../accounts/update-account.ts'
import type { AcquirersContext } from '../context.ts'
import { previewRouting } from '../routing/preview-routing.ts'
import { getRouting, putRouting } from '../routing/put-routing.ts'
import { ACCOUNT_FIELDS } from '../storage/account.repository.ts'
import { renderAccountData, renderAccountsPage, renderPreview, renderRoutingData } from './render.ts'
import {
  AccountData,
  AccountSchema,
  CreateAccountBody,
  PreviewSchema,
  PutRoutingBody,
  RoutingData,
  UpdateAccountBody,
} from './schemas.ts'
import { PreviewRoutingBody } from '../routing/routing-requests.ts'

const BASE = '/svc/account/api/v1/openapi'
const ACCOUNTS = `${BASE}/acquirer_accounts`
const ROUTING = `${BASE}/routing`
const TAG = 'Acquirers'

export function acquirerRoutes(ctx: AcquirersContext): Route[] {
  return [...accountRoutes(ctx), ...routingRoutes(ctx)]
}

function accountRoutes(ctx: AcquirersContext): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: ACCOUNTS,
      scope: 'admin:write',
      summary: 'Connect an account at an acquirer',
      description:
        'The acquirer is asked whether it accepts the credentials, which are then stored encrypted.',
      tag: TAG,
      body: CreateAccountBody,
      example: {
        acquirer_account: {
          acquirer: 'stripe',
          name: 'Stripe HK',
          credentials: {
            secret_key: 'sk_test_…',
            publishable_key: 'pk_test_…',
            webhook_secret: 'whsec_…',
          },
        },
      },
      data: AccountData,
      handle: ({ caller, body }) => createAccount(ctx, caller, body.acquirer_account),
      render: renderAccountData,
    }),
    defineRoute({
      method: 'GET',
      path: ACCOUNTS,
      scope: 'admin:read',
      summary: 'List acquirer accounts',
      tag: TAG,
      query: filteredListQuery(ACCOUNT_FIELDS),
      data: Type.Object({ acquirer_accounts: Type.Array(AccountSchema), page: PageSchema }),
      handle: async ({ caller, query }) => {
        const request = readPage('acquirer_accounts', query)
        return renderAccountsPage(request, await accountsOfPage(ctx, caller, query.filter, request))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${ACCOUNTS}/:id`,
      scope: 'admin:read',
      summary: 'Get an acquirer account',
      tag: TAG,
      params: IdParams,
      data: AccountData,
      handle: ({ caller, params }) => accountById(ctx, caller, params.id),
      render: renderAccountData,
    }),
    defineRoute({
      method: 'PUT',
      path: `${ACCOUNTS}/:id`,
      scope: 'admin:write',
      summary: 'Edit an acquirer account',
      description: 'A member that is left out stays. Another api_base needs the credentials again.',
      tag: TAG,
      params: IdParams,
      body: UpdateAccountBody,
      example: { acquirer_account: { name: 'Stripe Hong Kong', currencies: ['HKD', 'USD'] } },
      data: AccountData,
      handle: ({ caller, params, body }) => updateAccount(ctx, caller, params.id, body.acquirer_account),
      render: renderAccountData,
    }),
    defineRoute({
      method: 'DELETE',
      path: `${ACCOUNTS}/:id`,
      scope: 'admin:write',
      summary: 'Disable an acquirer account',
      description: 'It takes no new payments. Those that it has are finished, captured and refunded there.',
      tag: TAG,
      params: IdParams,
      data: AccountData,
      handle: ({ caller, params }) => disableAccount(ctx, caller, params.id),
      render: renderAccountData,
    }),
  ]
}

function routingRoutes(ctx: AcquirersContext): Route[] {
  return [
    defineRoute({
      method: 'PUT',
      path: ROUTING,
      scope: 'admin:write',
      summary: 'Replace the routing rules',
      description: 'The first rule that matches a payment chooses its account.',
      tag: TAG,
      body: PutRoutingBody,
      example: {
        routing: {
          rules: [
            {
              when: { currency: 'HKD', max_amount: 5000 },
              accounts: [
                { id: 'acc_01k0f3h9ybe7r8w2m5n6p4q1st', weight: 3 },
                { id: 'acc_01k0f3jc2de9x7v4b8g5h6k1mn', weight: 1 },
              ],
              fallback: ['acc_01k0f3k7r4fa2s9d6j3c8t5wxy'],
            },
          ],
        },
      },
      data: RoutingData,
      handle: ({ caller, body }) => putRouting(ctx, caller, body.routing.rules),
      render: renderRoutingData,
    }),
    defineRoute({
      method: 'GET',
      path: ROUTING,
      scope: 'admin:read',
      summary: 'Get the routing rules',
      tag: TAG,
      data: RoutingData,
      handle: ({ caller }) => getRouting(ctx, caller),
      render: renderRoutingData,
    }),
    defineRoute({
      method: 'POST',
      path: `${ROUTING}/preview`,
      scope: 'admin:read',
      takesIdempotencyKey: false,
      summary: 'Preview the route of a payment',
      description: 'Says which account a payment would go to, and why. Nothing is stored.',
      tag: TAG,
      body: PreviewRoutingBody,
      example: { amount: 120.5, currency: 'HKD', brand: 'visa' },
      data: PreviewSchema,
      handle: ({ caller, body }) => previewRouting(ctx, caller, body),
      render: renderPreview,
    }),
  ]
}
