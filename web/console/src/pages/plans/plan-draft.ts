import type { Schemas } from 'quittance'

export const UNITS = ['day', 'week', 'month', 'year'] as const
type Unit = (typeof UNITS)[number]

export const TRIAL_ENDS = ['none', 'days', 'until'] as const
export const WITHOUT_TOKEN = ['cancel', 'pause', 'bill'] as const

/** Null: not given. */
export interface Length {
  readonly count: number | null
  readonly unit: Unit
}

/** What the form holds. Amounts and numbers stay as they were typed. */
export interface PlanDraft {
  readonly name: string
  readonly customer: string | null
  /** - `label`: Shown for a price that nobody else can take any more. */
  readonly items: readonly { readonly id: string; readonly quantity: number; readonly label?: string }[]
  readonly unit: Unit
  readonly every: number
  readonly dayOfMonth: number | null
  /** Null is forever. */
  readonly orders: number | null
  readonly discount: string
  readonly discountType: 'fixed_amount' | 'percentage'
  readonly policy: string | null
  readonly attempts: number
  readonly daysBetween: number
  readonly grace: number | null
  readonly start: string
  readonly trial: {
    readonly ends: (typeof TRIAL_ENDS)[number]
    readonly days: number
    readonly until: string
    readonly tokenRequired: boolean
    readonly withoutToken: (typeof WITHOUT_TOKEN)[number]
  }
  readonly terms: { readonly minimum: Length; readonly notice: Length; readonly renewal: Length }
  /** Ids and codes. */
  readonly coupons: readonly string[]
  readonly buyerReference: string
  readonly purchaseOrder: string
}

export const NEW_PLAN: PlanDraft = {
  name: '',
  customer: null,
  items: [],
  unit: 'month',
  every: 1,
  dayOfMonth: null,
  orders: null,
  discount: '',
  discountType: 'fixed_amount',
  policy: null,
  attempts: 4,
  daysBetween: 3,
  grace: 7,
  start: '',
  trial: { ends: 'none', days: 14, until: '', tokenRequired: false, withoutToken: 'cancel' },
  terms: {
    minimum: { count: null, unit: 'month' },
    notice: { count: null, unit: 'month' },
    renewal: { count: null, unit: 'month' },
  },
  coupons: [],
  buyerReference: '',
  purchaseOrder: '',
}

export function isComplete(draft: PlanDraft): boolean {
  const { name, customer, items, every, attempts, daysBetween, trial } = draft
  return (
    name !== '' &&
    customer !== null &&
    items.length > 0 &&
    items.every(({ quantity }) => quantity > 0) &&
    every > 0 &&
    attempts > 0 &&
    daysBetween > 0 &&
    (trial.ends !== 'days' || trial.days > 0) &&
    (trial.ends !== 'until' || trial.until !== '')
  )
}

const FREQUENCIES = { day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' } as const

/** A rule of RFC 5545 (reference/recurring#recurrence-rules). */
function ruleOf({ unit, every, dayOfMonth }: PlanDraft): string {
  const parts = [`FREQ=${FREQUENCIES[unit]}`, `INTERVAL=${every}`]
  if (unit === 'month' && dayOfMonth !== null) parts.push(`BYMONTHDAY=${dayOfMonth}`)
  return parts.join(';')
}

function trialOf({ ends, days, until, tokenRequired, withoutToken }: PlanDraft['trial']) {
  if (ends === 'none') return {}
  return {
    trial: {
      ...(ends === 'days' ? { days } : { until }),
      token_required: tokenRequired,
      without_token: withoutToken,
    },
  }
}

function termsOf({ minimum, notice, renewal }: PlanDraft['terms']) {
  const text = ({ count, unit }: Length) => `P${count}${unit.charAt(0).toUpperCase()}`
  if (minimum.count === null) return {}
  return {
    terms: {
      minimum: text(minimum),
      ...(notice.count !== null && { notice: text(notice) }),
      ...(renewal.count !== null && { renewal: text(renewal) }),
    },
  }
}

function invoicingOf({ buyerReference, purchaseOrder }: PlanDraft) {
  const invoicing = {
    ...(buyerReference.trim() !== '' && { buyer_reference: buyerReference.trim() }),
    ...(purchaseOrder.trim() !== '' && { purchase_order: purchaseOrder.trim() }),
  }
  return Object.keys(invoicing).length === 0 ? {} : { invoicing }
}

export function planOf(draft: PlanDraft): Schemas['NewRecurringPlan'] {
  return {
    name: draft.name,
    customer_uuid: draft.customer ?? '',
    default_collection_method: 'charge_automatically',
    payment_retry_count: draft.attempts,
    payment_retry_day_period: draft.daysBetween,
    ...(draft.policy !== null && { dunning_policy_id: draft.policy }),
    grace_period: draft.grace,
    ...(draft.start !== '' && { start_date: draft.start }),
    ...trialOf(draft.trial),
    ...termsOf(draft.terms),
    ...(draft.coupons.length > 0 && { coupons: [...draft.coupons] }),
    ...invoicingOf(draft),
    recurring_cycles: [
      {
        billing_count: draft.orders,
        recurring_billing_config: ruleOf(draft),
        recurring_items: draft.items.map(({ id, quantity }) => ({ recurring_item_id: id, quantity })),
        ...(draft.discount !== '' && { discount_amount: draft.discount, discount_type: draft.discountType }),
      },
    ],
  }
}
