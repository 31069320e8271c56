import { defineRoute, type Route } from '#platform/http/routes/route'
import { ListQuery, readPage } from '#platform/http/validation/list'
import { createBillingConfig } from '../../items/create-billing-config.ts'
import { createItem } from '../../items/create-item.ts'
import type { CatalogueContext } from '../../context.ts'
import { listConfigs, listPrices } from '../../storage/price.repository.ts'
import { renderConfigData, renderConfigsPage, renderItemData, renderItemsPage } from './render.ts'
import {
  BillingConfigData,
  BillingConfigsPage,
  CreateBillingConfigBody,
  CreateItemBody,
  ItemData,
  ItemsPage,
} from './schemas.ts'

const BASE = '/svc/payment/api/v1/openapi/recurring_payments'
const TAG = 'Recurring payments'

export function itemRoutes(ctx: CatalogueContext): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${BASE}/items`,
      scope: 'recurring:write',
      summary: 'Create a recurring item',
      tag: TAG,
      body: CreateItemBody,
      example: { recurring_item: { label: 'Membership', price: 99, currency: 'HKD' } },
      data: ItemData,
      handle: ({ caller, body }) => createItem(ctx, caller, body.recurring_item),
      render: renderItemData,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/items`,
      scope: 'recurring:read',
      summary: 'List recurring items',
      tag: TAG,
      query: ListQuery,
      data: ItemsPage,
      handle: async ({ caller, query }) => {
        const request = readPage('recurring_items', query)
        return renderItemsPage(request, await listPrices(ctx.db, caller.businessId, undefined, request))
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/billing_configs`,
      scope: 'recurring:write',
      summary: 'Create a billing config',
      tag: TAG,
      body: CreateBillingConfigBody,
      example: {
        recurring_billing_config: {
          billing_interval: 'month',
          billing_type: 'calendar',
          billing_day_of_month: 1,
          billing_proration_enabled: true,
        },
      },
      data: BillingConfigData,
      handle: ({ caller, body }) => createBillingConfig(ctx, caller, body.recurring_billing_config),
      render: renderConfigData,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/billing_configs`,
      scope: 'recurring:read',
      summary: 'List billing configs',
      tag: TAG,
      query: ListQuery,
      data: BillingConfigsPage,
      handle: async ({ caller, query }) => {
        const request = readPage('recurring_billing_configs', query)
        return renderConfigsPage(request, await listConfigs(ctx.db, caller.businessId, request))
      },
    }),
  ]
}
