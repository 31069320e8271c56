import type { Static } from 'typebox'
import { toRfc3339 } from '#kernel/clock'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import type { BillingConfigRecord, RecurringItem } from '../../model/catalogue.ts'
import type {
  BillingConfigData,
  BillingConfigSchema,
  BillingConfigsPage,
  ItemData,
  ItemSchema,
  ItemsPage,
} from './schemas.ts'

export function renderItemData(item: RecurringItem): Static<typeof ItemData> {
  return { recurring_item: renderItem(item) }
}

export function renderItemsPage(
  request: PageRequest,
  found: readonly RecurringItem[],
): Static<typeof ItemsPage> {
  const { rows, page } = renderPage(request, found, createdKey, renderItem)
  return { recurring_items: rows, page }
}

export function renderConfigData(config: BillingConfigRecord): Static<typeof BillingConfigData> {
  return { recurring_billing_config: renderConfig(config) }
}

export function renderConfigsPage(
  request: PageRequest,
  found: readonly BillingConfigRecord[],
): Static<typeof BillingConfigsPage> {
  const { rows, page } = renderPage(request, found, createdKey, renderConfig)
  return { recurring_billing_configs: rows, page }
}

function createdKey({ createdAt, id }: RecurringItem | BillingConfigRecord) {
  return { at: createdAt, id }
}

export function renderConfig(config: BillingConfigRecord): Static<typeof BillingConfigSchema> {
  return {
    id: config.id,
    billing_interval: config.billing_interval,
    interval_count: config.interval_count,
    billing_type: config.billing_type,
    ...(config.billing_month !== undefined && { billing_month: config.billing_month }),
    ...(config.billing_day_of_month !== undefined && { billing_day_of_month: config.billing_day_of_month }),
    billing_proration_enabled: config.billing_proration_enabled,
    ...(config.description !== null && { description: config.description }),
    created_at: toRfc3339(config.createdAt),
    updated_at: toRfc3339(config.createdAt),
    deleted_at: null,
  }
}

export function renderItem(item: RecurringItem): Static<typeof ItemSchema> {
  return {
    id: item.id,
    label: item.label,
    price: item.price,
    currency: item.price.currency,
    ...(item.referenceId !== null && { reference_id: item.referenceId }),
    ...(item.description !== null && { description: item.description }),
    created_at: toRfc3339(item.createdAt),
    updated_at: toRfc3339(item.createdAt),
    deleted_at: null,
  }
}
