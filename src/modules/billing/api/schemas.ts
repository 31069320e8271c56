import Type from 'typebox'
import { CustomerSchema } from '#modules/customers'
import { BilledLineMembers, OrderSchema, OrderTaxSchema } from '#modules/payments'
import { COLLECTIONS, TAX_MODES } from '#modules/taxes'
import { PageSchema } from '#platform/http/validation/list'
import {
  AmountOut,
  KeyOf,
  MetadataOut,
  Nullable,
  NullableString,
  OneOf,
  Resource,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { BillingConfigSchema, DISCOUNT_TYPES, ItemSchema } from '#modules/catalogue'
import { COLLECTION_METHODS, CYCLE_STATES } from '#modules/plans'
import { PlanCouponSchema } from './plan-coupons/schemas.ts'

const NullableTimestamp = Nullable(TimestampOut())

export const CycleItemSchema = Resource('RecurringCycleItem', {
  ...ItemSchema.properties,
  quantity: Type.Integer(),
})

export const CycleSchema = Resource('RecurringCycle', {
  id: Type.Optional(Type.String({ description: 'Left out in a preview.' })),
  state: KeyOf(CYCLE_STATES),
  recurring_plan_id: Type.String(),
  billing_count: Nullable(Type.Integer()),
  billing_count_created: Type.Integer(),
  recurring_billing_config: BillingConfigSchema,
  recurring_items: Type.Array(CycleItemSchema),
  billing_amount: AmountOut(),
  discount_amount: Type.Optional(AmountOut()),
  discount_type: Type.Optional(OneOf(DISCOUNT_TYPES)),
  previous_cycle: NullableString,
  next_cycle: NullableString,
  estimated_start_date: Type.Optional(TimestampOut()),
  start_date: NullableTimestamp,
  estimated_end_date: NullableTimestamp,
  end_date: NullableTimestamp,
  next_execute_time: NullableTimestamp,
  description: NullableString,
  created_at: TimestampOut(),
  updated_at: TimestampOut(),
  deleted_at: NullableTimestamp,
})

export const PlanOrderSchema = Resource('RecurringOrder', {
  amount: AmountOut(),
  paid_total: AmountOut(),
  currency: Type.String(),
  order_number: Type.String(),
  reference_number: Type.String(),
  state: OrderSchema.properties.state,
  correspondence_state: OrderSchema.properties.correspondence_state,
  auth_code: Type.String(),
  default_payment_token: Type.String(),
  default_collection_method: OneOf(COLLECTION_METHODS),
  note: Type.String(),
  redirect_url: Type.String(),
  timeout: Type.Optional(Type.Object({ timer: Type.String(), url: Type.Optional(Type.String()) })),
})

export const PlanLine = Type.Object({
  purchasable_type: OneOf(['Charge']),
  label: Type.String(),
  price: AmountOut(),
  quantity: Type.Integer(),
  total: AmountOut(),
  ...BilledLineMembers.properties,
})

const PendingLines = Type.Array(PlanLine, {
  description: 'Lines of changes that wait for the next order.',
})

const PendingChangeSchema = Type.Object(
  {
    effective_at: TimestampOut(),
    state: Type.Optional(OneOf(['awaiting_payment'])),
    order_number: Type.Optional(Type.String()),
    until: Type.Optional(TimestampOut()),
    recurring_items: Type.Array(Type.Object({ recurring_item_id: Type.String(), quantity: Type.Integer() })),
    recurring_billing_config: Type.Optional(Type.String()),
    billing_count: Type.Optional(Nullable(Type.Integer())),
  },
  {
    description:
      'The change that waits for the end of the period or, with `state: awaiting_payment`, until its order is paid.',
  },
)

export const PlanSchema = Resource('RecurringPlan', {
  id: Type.String(),
  name: Type.String(),
  reference_number: Type.Optional(Type.String()),
  state: KeyOf(CYCLE_STATES),
  default_payment_token: Type.Optional(Type.String()),
  default_collection_method: OneOf(COLLECTION_METHODS),
  payment_retry_count: Type.Integer(),
  payment_retry_day_period: Type.Integer(),
  dunning_policy_id: Type.Optional(Type.String()),
  grace_period: Nullable(Type.Integer()),
  credit: AmountOut(),
  callback_url: Type.Optional(Type.String()),
  redirect_url: Type.Optional(Type.String()),
  note: Type.Optional(Type.String()),
  timeout: Type.Optional(Type.Object({ timer: Type.Integer(), url: Type.Optional(Type.String()) })),
  description: NullableString,
  metadata: MetadataOut(),
  start_date: TimestampOut(),
  next_execute_time: NullableTimestamp,
  cancel_at: Type.Optional(TimestampOut()),
  cancellation: Type.Optional(
    Type.Object(
      {
        reason: Type.String(),
        comment: Type.Optional(Type.String()),
        by: OneOf(['portal'], { description: 'The customer, in the portal.' }),
      },
      { description: 'Why the plan is to end, or has ended, where somebody said so.' },
    ),
  ),
  pending_change: Type.Optional(PendingChangeSchema),
  pending_lines: Type.Optional(PendingLines),
  pause_until: Type.Optional(TimestampOut()),
  trial: Type.Optional(
    Type.Object({
      start: TimestampOut(),
      end: TimestampOut(),
      state: OneOf(['running', 'converted', 'canceled']),
    }),
  ),
  terms: Type.Optional(
    Type.Object({
      minimum: Type.String(),
      notice: Type.Optional(Type.String()),
      renewal: Type.Optional(Type.String()),
    }),
  ),
  invoicing: Type.Optional(
    Type.Object({
      legal_entity_id: Type.String(),
      series: Type.Optional(Type.String()),
      tax: OneOf(TAX_MODES),
      collection: OneOf(COLLECTIONS),
      days_until_due: Type.Integer(),
      buyer_reference: Type.Optional(Type.String()),
      purchase_order: Type.Optional(Type.String()),
    }),
  ),
  created_at: TimestampOut(),
  updated_at: TimestampOut(),
  deleted_at: NullableTimestamp,
  recurring_cycles: Type.Array(CycleSchema),
  coupons: Type.Optional(
    Type.Array(PlanCouponSchema, {
      description: 'As attached. Left out until a plan gets its first coupon.',
    }),
  ),
  customer: Type.Optional(
    Type.Object({
      uuid: Type.String(),
      reference_number: Type.String(),
      name: Type.String(),
      email: Type.Optional(Type.String()),
      phone: Type.String(),
      default_payment_method: CustomerSchema.properties.default_payment_method,
    }),
  ),
  current_order: Type.Optional(PlanOrderSchema),
  current_payment_link: Type.Optional(Type.String()),
})

export const PlanData = Type.Object({ plan: PlanSchema })
export const CycleWithPlan = Type.Object({ plan: PlanSchema, recurring_cycle: CycleSchema })

export const PlansPage = Type.Object({ plans: Type.Array(PlanSchema), page: PageSchema })

export const PreviewSchema = Type.Object({
  orders: Type.Array(
    Type.Object({
      date: TimestampOut(),
      amount: AmountOut(),
      currency: Type.String(),
      recurring_cycle: CycleSchema,
      line_items: Type.Array(PlanLine),
      tax: Nullable(OrderTaxSchema),
    }),
  ),
})

export const RecurringOrderSchema = Type.Object({
  customer: CustomerSchema,
  recurring_cycle: Type.Object({
    recurring_billing_config: BillingConfigSchema,
    recurring_items: Type.Array(ItemSchema),
    discount_amount: AmountOut(),
  }),
  order: PlanOrderSchema,
})
