import Type from 'typebox'
import { BILLING_INTERVALS, BILLING_TYPES } from '#kernel/billing-config'
import { PageSchema } from '#platform/http/validation/list'
import {
  AmountOut,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { NewItemSchema } from '../../requests/items.ts'

const NullableTimestamp = Nullable(TimestampOut())

export const BillingConfigSchema = Resource('RecurringBillingConfig', {
  id: Type.String(),
  billing_interval: OneOf(BILLING_INTERVALS),
  interval_count: Type.Integer(),
  billing_type: OneOf(BILLING_TYPES),
  billing_month: Type.Optional(Type.Integer()),
  billing_day_of_month: Type.Optional(Type.Integer()),
  billing_proration_enabled: Type.Boolean(),
  description: Type.Optional(Type.String()),
  created_at: TimestampOut(),
  updated_at: TimestampOut(),
  deleted_at: NullableTimestamp,
})

export const ItemSchema = Resource('RecurringItem', {
  id: Type.String(),
  label: Type.String(),
  price: AmountOut(),
  currency: Type.String(),
  reference_id: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  created_at: TimestampOut(),
  updated_at: TimestampOut(),
  deleted_at: NullableTimestamp,
})

export const ItemData = Type.Object({ recurring_item: ItemSchema })
export const ItemsPage = Type.Object({ recurring_items: Type.Array(ItemSchema), page: PageSchema })
export const BillingConfigData = Type.Object({ recurring_billing_config: BillingConfigSchema })
export const BillingConfigsPage = Type.Object({
  recurring_billing_configs: Type.Array(BillingConfigSchema),
  page: PageSchema,
})
export const CreateItemBody = strictObject({ recurring_item: NewItemSchema })

export const CreateBillingConfigBody = strictObject({
  recurring_billing_config: strictObject({
    billing_interval: OneOf(BILLING_INTERVALS),
    interval_count: Type.Optional(Type.Integer({ minimum: 1, description: 'Default 1.' })),
    billing_type: OneOf(BILLING_TYPES, {
      description:
        'anniversary: on the day of the start. calendar: on billing_day_of_month of months or years.',
    }),
    billing_month: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 12,
        description: 'For billing_type calendar with billing_interval year only.',
      }),
    ),
    billing_day_of_month: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 31,
        description: 'For billing_type calendar only. In a shorter month the last day counts.',
      }),
    ),
    billing_proration_enabled: Type.Optional(
      Type.Boolean({
        description:
          'For billing_type calendar only: bills the days before the first date in proportion. Default false.',
      }),
    ),
    description: Type.Optional(Text({ max: 4_096 })),
  }),
})
