import type { ExactNumber } from '#kernel/json'

export type Amount = number | ExactNumber

export interface PlanResponse {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly cancel_at?: string
  readonly pause_until?: string
  readonly trial?: { readonly end: string; readonly state: string }
  readonly recurring_cycles: readonly CycleResponse[]
}

export interface CycleResponse {
  readonly state: string
  readonly billing_amount: Amount
  readonly recurring_billing_config: IntervalResponse
  readonly recurring_items: readonly ItemResponse[]
}

export interface IntervalResponse {
  readonly billing_interval: 'day' | 'week' | 'month' | 'year'
  readonly interval_count: number
}

interface ItemResponse {
  readonly id: string
  readonly label?: string
  readonly price: Amount
  readonly currency: string
  readonly quantity: number
}

export interface InvoiceResponse {
  readonly id: string
  readonly type: string
  readonly number: string
  readonly state: string
  readonly issue_date: string
  readonly currency: string
  readonly total: Amount
  readonly amount_due: Amount
}

export interface TokenResponse {
  readonly token: string
  readonly token_type: string
  readonly state: string
  readonly default: boolean
  readonly verify_url: string | null
  readonly credit_card?: {
    readonly number: string
    readonly brand: string
    readonly exp_month: string
    readonly exp_year: string
  }
}

export interface DueOrderResponse {
  readonly plan_id: string
  readonly reference_number: string
  readonly amount: Amount
  readonly currency: string
  readonly payment_link?: string
}

export interface LineResponse {
  readonly label: string
  readonly total: Amount
  readonly kind?: string
  readonly units?: number
}

/** By operation, the members of its response that pages read. `openapi.json` has all of them. */
interface Responses {
  'GET /overview': {
    readonly plans: readonly PlanResponse[]
    readonly next_bills: readonly {
      readonly plan_id: string
      readonly date: string
      readonly amount: Amount
      readonly currency: string
    }[]
    readonly due_orders: readonly DueOrderResponse[]
  }
  'GET /billing_details': {
    readonly billing_details: {
      readonly address: Readonly<Record<string, string | undefined>> | null
      readonly tax_ids: readonly { readonly type: string; readonly value: string }[]
      readonly invoice_email: string | null
    }
  }
  'GET /invoices': {
    readonly invoices: readonly InvoiceResponse[]
    readonly page: { readonly next_cursor: string | null }
  }
  'POST /invoices/:id/pay': { readonly next_action?: { readonly url: string } }
  'GET /payment_tokens': { readonly payment_tokens: readonly TokenResponse[] | null }
  'POST /payment_tokens': { readonly payment_token: TokenResponse }
  'POST /plans/:id/change/preview': {
    readonly change: {
      readonly effective_at: string
      readonly total: Amount
      readonly line_items: readonly LineResponse[]
    }
    readonly orders: readonly { readonly date: string; readonly amount: Amount; readonly currency: string }[]
  }
}

/** Unknown where pages read nothing of it. */
export type ResponseOf<Name extends string> = Name extends keyof Responses ? Responses[Name] : unknown
