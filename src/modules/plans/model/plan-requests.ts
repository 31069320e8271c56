import Type, { type Static } from 'typebox'
import { DISCOUNT_TYPES, MAX_PLAN_COUPONS } from '#modules/catalogue'
import { COLLECTIONS, TAX_MODES } from '#modules/taxes'
import {
  Amount,
  HttpUrl,
  MAX_INTEGER,
  MetadataBody,
  Nullable,
  OneOf,
  strictObject,
  Text,
} from '#platform/http/validation/schemas'
import { TimeOrDate } from '#platform/http/validation/time-or-date'
import { COLLECTION_METHODS } from './plan.ts'
import { WITHOUT_TOKEN } from './trial.ts'

export const CouponOrCode = Text({ max: 255, description: 'The id of a coupon, or a promotion code.' })

export const MAX_TRIAL_DAYS = 10 * 365
const MAX_PLAN_CYCLES = 100
const MAX_CYCLE_ITEMS = 100

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

export const BillingCount = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: MAX_INTEGER,
    description: 'How many orders the cycle makes. Null: without end.',
  }),
)

export const BillingConfigText = Text({
  max: 255,
  description:
    'The id of a billing config, or a rule such as FREQ=MONTHLY;BYMONTHDAY=1 (RFC 5545: FREQ, INTERVAL, BYMONTHDAY, BYMONTH).',
})

export const RecurringItems = Type.Array(
  strictObject({
    quantity: Type.Integer({ minimum: 1 }),
    recurring_item_id: Text({ max: 255 }),
  }),
  { minItems: 1, maxItems: MAX_CYCLE_ITEMS },
)

const DunningPolicyId = Type.Optional(
  Nullable(
    Text({
      max: 255,
      description: 'The dunning policy that replaces the two numbers of retries. Null: none.',
    }),
  ),
)

const NewCycleSchema = strictObject(
  {
    billing_count: BillingCount,
    recurring_billing_config: BillingConfigText,
    recurring_items: RecurringItems,
    discount_amount: Type.Optional(Amount({ description: 'An amount, or a percentage of at most 100.' })),
    discount_type: Type.Optional(OneOf(DISCOUNT_TYPES, { description: 'Default fixed_amount.' })),
    description: Type.Optional(Nullable(Text({ max: 4_096 }))),
  },
  { title: 'NewRecurringCycle' },
)
export type NewCycle = Static<typeof NewCycleSchema>

const NewInvoicingSchema = strictObject(
  {
    legal_entity_id: Type.Optional(Nullable(Text({ max: 255 }))),
    series: Type.Optional(
      Nullable(Text({ max: 64, description: "The key of one of the entity's series. Default the first." })),
    ),
    tax: Type.Optional(OneOf(TAX_MODES)),
    collection: Type.Optional(OneOf(COLLECTIONS)),
    days_until_due: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_650 })),
    buyer_reference: Type.Optional(
      Nullable(Text({ max: 255, description: 'BT-10, such as the Leitweg-ID in Germany.' })),
    ),
    purchase_order: Type.Optional(
      Nullable(Text({ max: 255, description: "BT-13, the number of the buyer's order." })),
    ),
  },
  {
    title: 'NewInvoicing',
    description: 'Members that are left out are those of the billing settings of now.',
  },
)
export type NewInvoicing = Static<typeof NewInvoicingSchema>

const NewTrialSchema = strictObject(
  {
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_TRIAL_DAYS,
        description: 'Local days from the start. Not with until.',
      }),
    ),
    until: Type.Optional(TimeOrDate({ description: 'When the trial ends. Not with days' })),
    token_required: Type.Optional(
      Type.Boolean({
        description: 'Refuses the plan of a customer without an active default token. Default false.',
      }),
    ),
    without_token: Type.Optional(
      OneOf(WITHOUT_TOKEN, {
        description:
          'What happens at the end if the customer has no active default token. Default cancel. pause: the first period begins at the resumption.',
      }),
    ),
    notice_days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 365,
        description: 'So many local days before the end plan.trial_will_end is written. Default 3; 0: never.',
      }),
    ),
  },
  { title: 'NewTrial' },
)
export type NewTrial = Static<typeof NewTrialSchema>

function Days(description: string) {
  return Text({ max: 64, description: `${description} An ISO 8601 duration of whole days, such as P12M.` })
}

const NewTermsSchema = strictObject(
  {
    minimum: Days('The first term, which begins with the first period.'),
    notice: Type.Optional(Days('How long before the end of a term a cancellation must come. Default none.')),
    renewal: Type.Optional(Days('The terms after the first. Default a period.')),
  },
  { title: 'NewTerms' },
)
export type NewTerms = Static<typeof NewTermsSchema>

export const NewPlanSchema = strictObject(
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
    dunning_policy_id: DunningPolicyId,
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
    start_date: Type.Optional(TimeOrDate({ description: 'When the plan starts, by default now' })),
    trial: Type.Optional(NewTrialSchema),
    terms: Type.Optional(NewTermsSchema),
    invoicing: Type.Optional(NewInvoicingSchema),
    recurring_cycles: Type.Array(NewCycleSchema, { minItems: 1, maxItems: MAX_PLAN_CYCLES }),
    coupons: Type.Optional(
      Type.Array(CouponOrCode, {
        maxItems: MAX_PLAN_COUPONS,
        description: 'Ids of coupons or promotion codes. They lower orders in this order.',
      }),
    ),
  },
  { title: 'NewRecurringPlan' },
)
export type NewPlan = Static<typeof NewPlanSchema>

export const PlanEditSchema = strictObject({
  name: Type.Optional(Text({ max: 255 })),
  default_collection_method: Type.Optional(OneOf(COLLECTION_METHODS)),
  payment_retry_count: Type.Optional(RetryCount),
  payment_retry_day_period: Type.Optional(RetryDayPeriod),
  dunning_policy_id: DunningPolicyId,
  callback_url: Type.Optional(HttpUrl()),
  metadata: MetadataBody(),
})
export type PlanEdit = Static<typeof PlanEditSchema>

export const RecurringOrderBody = strictObject({
  customer_uuid: Text({ max: 255 }),
  order: strictObject({ number: Text({ max: 255 }) }),
})
export type RecurringOrderRequest = Static<typeof RecurringOrderBody>
