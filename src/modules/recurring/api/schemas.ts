import Type, { type Static } from 'typebox'
import { BILLING_INTERVALS, BILLING_TYPES } from '#kernel/billing-config'
import { parseDate, parseInstant } from '#kernel/time-text'
import { CustomerSchema } from '#modules/customers'
import { OrderSchema } from '#modules/payments'
import {
  Amount,
  AmountOut,
  HttpUrl,
  KeyOf,
  MetadataBody,
  MetadataOut,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { CYCLE_STATES } from '../plan/cycle.states.ts'

const MAX_PLAN_CYCLES = 100
const MAX_CYCLE_ITEMS = 100
/** The maximum of PostgreSQL's integer. */
const MAX_COUNT = 2_147_483_647

const COLLECTION_METHODS = ['charge_automatically'] as const
const DISCOUNT_TYPES = ['fixed_amount', 'percentage'] as const

function StartDate() {
  const expected = 'a time as 2026-01-31T09:30:00Z (RFC 3339) or a date as 2026-01-31'
  return Type.Refine(
    Type.String({
      maxLength: 64,
      description: `When the plan starts: ${expected}. Default now.`,
      examples: ['2031-01-31T09:30:00Z'],
    }),
    (value: unknown) =>
      typeof value === 'string' && (parseDate(value) !== undefined || parseInstant(value) !== undefined),
    () => `must be ${expected}`,
  )
}

const RetryCount = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: 'All attempts of one order, the first included.',
})
const RetryDayPeriod = Type.Integer({
  minimum: 1,
  maximum: 3_650,
  description: 'Local calendar days between attempts.',
})

const NewCycle = strictObject(
  {
    billing_count: Nullable(
      Type.Integer({
        minimum: 1,
        maximum: MAX_COUNT,
        description: 'How many orders the cycle makes. Null: without end.',
      }),
    ),
    recurring_billing_config: Text({
      max: 255,
      description:
        'The id of a billing config, or a rule such as FREQ=MONTHLY;BYMONTHDAY=1 (RFC 5545: FREQ, INTERVAL, BYMONTHDAY, BYMONTH).',
    }),
    recurring_items: Type.Array(
      strictObject({
        quantity: Type.Integer({ minimum: 1 }),
        recurring_item_id: Text({ max: 255 }),
      }),
      { minItems: 1, maxItems: MAX_CYCLE_ITEMS },
    ),
    discount_amount: Type.Optional(Amount({ description: 'An amount, or a percentage of at most 100.' })),
    discount_type: Type.Optional(OneOf(DISCOUNT_TYPES, { description: 'Default fixed_amount.' })),
    description: Type.Optional(Nullable(Text({ max: 4_096 }))),
  },
  { title: 'NewRecurringCycle' },
)

const NewPlan = strictObject(
  {
    name: Text({ max: 255 }),
    reference_number: Type.Optional(
      Text({
        max: 200,
        description: 'The orders of the plan have this reference number with -1, -2, -3 and so on.',
      }),
    ),
    customer_uuid: Text({ max: 255 }),
    default_collection_method: OneOf(COLLECTION_METHODS),
    payment_retry_count: RetryCount,
    payment_retry_day_period: RetryDayPeriod,
    grace_period: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 0,
          maximum: 3_650,
          description:
            'Local days from the last failed attempt to the void of the order. Null: orders are never voided.',
        }),
      ),
    ),
    callback_url: Type.Optional(
      HttpUrl({ description: 'Receives the events of the plan, its cycles and its orders.' }),
    ),
    redirect_url: Type.Optional(
      HttpUrl({ description: 'Where payment links of its orders send the payer.' }),
    ),
    timeout: Type.Optional(
      strictObject({
        timer: Text({ max: 64, description: 'Seconds in digits, or an ISO 8601 duration.' }),
        url: Type.Optional(
          HttpUrl({ description: 'Where the payment link sends the payer once the time has run out.' }),
        ),
      }),
    ),
    note: Type.Optional(Text({ max: 4_096 })),
    description: Type.Optional(Nullable(Text({ max: 4_096 }))),
    metadata: MetadataBody(),
    start_date: Type.Optional(StartDate()),
    recurring_cycles: Type.Array(NewCycle, { minItems: 1, maxItems: MAX_PLAN_CYCLES }),
  },
  { title: 'NewRecurringPlan' },
)

export type NewPlan = Static<typeof NewPlan>
export type NewCycle = Static<typeof NewCycle>

export const CreatePlanBody = strictObject({ plan: NewPlan })

export const PreviewPlanBody = strictObject({
  plan: NewPlan,
  count: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 120, description: 'How many orders. Default 12.' }),
  ),
})

const PlanEdit = strictObject({
  name: Type.Optional(Text({ max: 255 })),
  default_collection_method: Type.Optional(OneOf(COLLECTION_METHODS)),
  payment_retry_count: Type.Optional(RetryCount),
  payment_retry_day_period: Type.Optional(RetryDayPeriod),
  callback_url: Type.Optional(HttpUrl()),
  metadata: MetadataBody(),
})
export type PlanEdit = Static<typeof PlanEdit>

export const EditPlanBody = strictObject({ plan: Type.Optional(PlanEdit) })
export const EditPlanHeaders = Type.Object({ 'X-P-Customer-Code': Text({ max: 255 }) })

export const CancelPlanBody = strictObject({
  at_period_end: Type.Optional(Type.Boolean({ description: 'Default false: at once.' })),
})

export const RetryPlanBody = strictObject({
  order_number: Type.Optional(
    Text({ max: 64, description: 'Default: every open order of the plan whose attempts are not used up.' }),
  ),
})

export const CreditPlanBody = strictObject({
  amount: Amount({ description: 'Added to the credit of the plan.' }),
  note: Type.Optional(Text({ max: 4_096 })),
})
export type NewCredit = Static<typeof CreditPlanBody>

export const CreateItemBody = strictObject({
  recurring_item: strictObject({
    label: Text({ max: 255 }),
    price: Amount(),
    currency: Text({ min: 3, max: 3, description: 'ISO 4217.' }),
    reference_id: Type.Optional(Text({ max: 255 })),
    description: Type.Optional(Text({ max: 4_096 })),
  }),
})
export type NewItem = Static<typeof CreateItemBody>['recurring_item']

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
export type NewBillingConfig = Static<typeof CreateBillingConfigBody>['recurring_billing_config']

export const RecurringOrderBody = strictObject({
  customer_uuid: Text({ max: 255 }),
  order: strictObject({ number: Text({ max: 255 }) }),
})
export type RecurringOrderRequest = Static<typeof RecurringOrderBody>

const NullableString = Nullable(Type.String())
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

const item = {
  id: Type.String(),
  label: Type.String(),
  price: AmountOut(),
  currency: Type.String(),
  reference_id: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  created_at: TimestampOut(),
  updated_at: TimestampOut(),
  deleted_at: NullableTimestamp,
}

export const ItemSchema = Resource('RecurringItem', item)
const CycleItemSchema = Resource('RecurringCycleItem', { ...item, quantity: Type.Integer() })

const CycleSchema = Resource('RecurringCycle', {
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

const PlanOrderSchema = Resource('RecurringOrder', {
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

export const PlanSchema = Resource('RecurringPlan', {
  id: Type.String(),
  name: Type.String(),
  reference_number: Type.Optional(Type.String()),
  state: KeyOf(CYCLE_STATES),
  default_payment_token: Type.Optional(Type.String()),
  default_collection_method: OneOf(COLLECTION_METHODS),
  payment_retry_count: Type.Integer(),
  payment_retry_day_period: Type.Integer(),
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
  created_at: TimestampOut(),
  updated_at: TimestampOut(),
  deleted_at: NullableTimestamp,
  recurring_cycles: Type.Array(CycleSchema),
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

export const PreviewSchema = Type.Object({
  orders: Type.Array(
    Type.Object({
      date: TimestampOut(),
      amount: AmountOut(),
      currency: Type.String(),
      recurring_cycle: CycleSchema,
      line_items: Type.Array(
        Type.Object({
          purchasable_type: OneOf(['Charge']),
          price: AmountOut(),
          quantity: Type.Integer(),
          total: AmountOut(),
          label: Type.String(),
        }),
      ),
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
