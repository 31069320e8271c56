export interface Overview {
  readonly currency: string
  readonly currencies: readonly string[]
  readonly today: {
    readonly paid_total: string
    readonly refunded_total: string
    readonly orders_paid: number
    readonly payments_failed: number
  }
  readonly days: readonly OverviewDay[]
  readonly declines: readonly {
    readonly decline_code: string
    readonly count: number
    readonly total: string
  }[]
  readonly recurring: { readonly active_plans: number | null; readonly monthly_total: string | null }
}

interface OverviewDay {
  readonly date: string
  readonly paid_total: string
  readonly refunded_total: string
  readonly payments_approved: number
  readonly payments_declined: number
  readonly success_rate: number | string | null
  readonly recurring_paid_total: string
  readonly dunning_recovered_total: string
  readonly dunning_attempted_total: string
}

export interface Attention {
  readonly kind: 'unknown_outcome' | 'dispute_due' | 'uncollectible_plan' | 'late_job' | 'failing_webhook'
  readonly count: number
  readonly oldest_at: string | null
  readonly items: readonly { readonly id: string; readonly title: string; readonly at: string }[]
}

export const REPORTS = '/svc/report/api/v1/openapi'
