import { type BookLine, readBooks } from '../src/modules/acquirers/testing/simulator.ts'
import { PAYMENTS } from '../scenarios/harness/client.ts'
import type { Nature } from './choices.ts'
import type { Merchant } from './merchant.ts'

/** What the checks read of a transaction, as the interface shows it. */
export interface ShownTransaction {
  readonly type: 'Sales' | 'Authorization' | 'Refund' | 'Capture'
  readonly uuid: string
  readonly currency: string
  readonly amount: number
  readonly success: boolean
  readonly is_pending: boolean
  readonly void_is_pending: boolean
  readonly payment_data: { readonly transaction_state: string; readonly resp_code?: string }
}

export interface ShownOrder {
  readonly number: string
  readonly reference_number: string
  readonly state: string
  readonly correspondence_state: string
  readonly currency: string
  readonly initial_total: number
  readonly paid_total: string
  readonly created_at: string
  readonly transactions: readonly ShownTransaction[]
}

export interface ShownPlan {
  readonly id: string
  readonly reference_number: string
  readonly state: string
  readonly recurring_cycles: readonly { readonly billing_count_created: number }[]
}

export interface ShownEvent {
  readonly id: string
  readonly type: string
  readonly object_id: string
  readonly sequence: number
  readonly data: { readonly transaction?: { readonly uuid: string } }
}

/** What the merchant knows of an order that it had paid. */
export interface ExpectedOrder {
  readonly number: string
  readonly currency: string
  /** In minor units: what is paid and not given back. */
  readonly paidMinor: bigint
  /** Given back as a whole. */
  readonly isRefunded: boolean
}

/** What the merchant knows of a plan. */
export interface ExpectedPlan {
  readonly reference: string
  readonly nature: Nature
  readonly priceMinor: bigint
  /** When its orders are due until now, oldest first; of a plan whose card declines, at most these. */
  readonly dueAt: readonly Temporal.Instant[]
  /** The last of its periods has ended. */
  readonly isOver: boolean
  readonly gracePeriod: number | null
}

/** Both sides of the account: what the service says, and what the simulator's books say. */
export interface Accounts {
  readonly orders: readonly ShownOrder[]
  readonly plans: readonly ShownPlan[]
  readonly events: readonly ShownEvent[]
  readonly books: readonly BookLine[]
}

export async function readAccounts(merchant: Merchant, simulatorUrl: string): Promise<Accounts> {
  const orders = await readOrders(merchant)
  const plans = await merchant.all(`${PAYMENTS}/recurring_payments/plan`, 'plans')
  const events = await merchant.all('/svc/event/api/v1/openapi/events', 'events')
  return { orders, plans, events, books: await readBooks(simulatorUrl) }
}

export function readOrders(merchant: Merchant): Promise<ShownOrder[]> {
  return merchant.all(`${PAYMENTS}/orders`, 'orders')
}
