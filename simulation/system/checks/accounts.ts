import type { BookLine } from '../../../src/modules/acquirers/testing/simulator.ts'
import { PAYMENTS } from '../../../scenarios/harness/client.ts'
import type { SimulatedAcquirer } from '../../acquirers/index.ts'
import type { Merchant } from '../actors/merchant.ts'
import type { CardBehavior } from '../plan/draw-plans.ts'

export interface ApiTransaction {
  readonly type: 'Sales' | 'Authorization' | 'Refund' | 'Capture'
  readonly uuid: string
  readonly original_transaction_uuid?: string | null
  /** The caller's own. */
  readonly reference_id?: string
  readonly currency: string
  readonly amount: number
  readonly success: boolean
  readonly is_pending: boolean
  readonly void_is_pending: boolean
  readonly payment_data: { readonly transaction_state: string; readonly resp_code?: string }
}

export interface ApiOrder {
  readonly number: string
  readonly reference_number: string
  readonly state: string
  readonly correspondence_state: string
  readonly currency: string
  readonly initial_total: number
  readonly paid_total: string
  readonly created_at: string
  readonly billing?: { readonly kind: string; readonly credited_total: number }
  readonly transactions: readonly ApiTransaction[]
}

interface ApiPlan {
  readonly id: string
  readonly reference_number: string
  readonly state: string
  readonly recurring_cycles: readonly { readonly billing_count_created: number }[]
}

interface ApiEvent {
  readonly id: string
  readonly type: string
  readonly object_id: string
  readonly sequence: number
  readonly data: { readonly transaction?: { readonly uuid: string } }
}

export interface ExpectedPlan {
  readonly reference: string
  readonly cardBehavior: CardBehavior
  readonly priceMinorAt: (due: Temporal.Instant) => bigint
  /** The totals of the orders that changes made, by number. */
  readonly changeOrders: ReadonlyMap<string, number>
  /** The due times of its orders until now, oldest first. A plan whose card declines may stop earlier. */
  readonly dueTimes: readonly Temporal.Instant[]
  readonly isCompleted: boolean
  readonly gracePeriod: number | null
  /** Whether the attempts or the grace of its orders may still run. */
  readonly isUndecided?: boolean
}

export interface Accounts {
  readonly orders: readonly ApiOrder[]
  readonly plans: readonly ApiPlan[]
  readonly events: readonly ApiEvent[]
  readonly books: readonly BookLine[]
}

export async function readAccounts(merchant: Merchant, acquirer: SimulatedAcquirer): Promise<Accounts> {
  const orders = await readOrders(merchant)
  const plans = await merchant.all(`${PAYMENTS}/recurring_payments/plan`, 'plans')
  const events = await merchant.all('/svc/event/api/v1/openapi/events', 'events')
  return { orders, plans, events, books: await acquirer.books(orders) }
}

export function readOrders(merchant: Merchant): Promise<ApiOrder[]> {
  return merchant.all(`${PAYMENTS}/orders`, 'orders')
}
