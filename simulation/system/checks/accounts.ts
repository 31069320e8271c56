import type { ApiOrder } from '../../acquirers/api-order.ts'
import type { BookLine } from '../../../src/modules/acquirers/testing/simulator.ts'
import { PAYMENTS } from '../../../scenarios/harness/client.ts'
import type { SimulatedAcquirer } from '../../acquirers/index.ts'
import type { Merchant } from '../actors/merchant.ts'
import { BILLING } from '../actors/offers.ts'
import type { PlanLife } from '../plan/draw-plans.ts'

const REPORTS = '/svc/report/api/v1/openapi/invoices'

export interface ApiPlan {
  readonly id: string
  readonly reference_number: string
  readonly state: string
  readonly credit?: number
  readonly recurring_cycles: readonly { readonly billing_count_created: number }[]
  readonly coupons?: readonly { readonly id: string; readonly periods_lowered: number }[]
}

interface ApiDocumentLine {
  readonly id: string
  readonly line_id?: string
  readonly net: number
  readonly tax: number
  readonly total: number
}

export interface ApiDocument {
  readonly id: string
  readonly type: 'invoice' | 'credit_note'
  readonly number: string
  readonly state: string
  readonly order_number: string
  readonly invoice_id?: string
  readonly replaced_by?: string
  readonly replaces?: string
  readonly currency: string
  readonly overpaid?: number
  readonly lines: readonly ApiDocumentLine[]
  readonly taxes: readonly { readonly amount: number }[]
  readonly net_total: number
  readonly tax_total: number
  readonly total: number
  readonly amount_due: number
  readonly credited_total: number
  readonly issue_date: string
  readonly created_at: string
}

interface ApiEvent {
  readonly id: string
  readonly type: string
  readonly object_id: string
  readonly sequence: number
  readonly data: { readonly transaction?: { readonly uuid: string } }
}

/** A billing may be late by as long as the service was down while the clock ran. No billing may be early. */
export const MAX_LATENESS = Temporal.Duration.from({ minutes: 10 })

export interface ExpectedPlan {
  readonly life: PlanLife
  /** The periods of the plan until now, oldest first. A plan whose card declines may stop earlier. */
  readonly periods: readonly { readonly dueAt: Temporal.Instant; readonly totalMinor: bigint }[]
  /** The least and the most that each change billed, and the number of the order that was returned. */
  readonly changes: readonly {
    readonly order: string | undefined
    readonly totalMinor: bigint
    readonly maxMinor: bigint
  }[]
  /** The least and the most that changes, cancellations and notes lowered or refunded. */
  readonly givenBackMinor: bigint
  readonly maxGivenBackMinor: bigint
  /** The orders that the merchant voided. */
  readonly voided: ReadonlySet<string>
  /** What notes credited of paid orders without giving it back, by order number. */
  readonly overpaid: ReadonlyMap<string, bigint>
  /** Whether these two are known. */
  readonly isExact: boolean
  /** How many periods each attached coupon has lowered, by its position in `COUPONS`. */
  readonly couponUses: ReadonlyMap<number, number>
  readonly states: readonly string[]
  readonly hasNewCard: boolean
  /**
   * When the plan was last canceled, and after how many periods. Earlier orders are attempted no more. A plan that is
   * reactivated while its clock stands still bills its next period at the same time.
   */
  readonly leftUnpaid: { readonly at: Temporal.Instant; readonly periods: number } | undefined
  readonly timeOfDay: Temporal.PlainTime
  /** Whether the attempts or the grace of its orders may still run. */
  readonly isUndecided: boolean
}

export interface Accounts {
  readonly orders: readonly ApiOrder[]
  readonly plans: readonly ApiPlan[]
  readonly events: readonly ApiEvent[]
  readonly documents: readonly ApiDocument[]
  readonly open: readonly { readonly number: string; readonly due: number }[]
  readonly taxes: readonly { readonly currency: string; readonly tax: number }[]
  readonly books: readonly BookLine[]
}

export async function readAccounts(merchant: Merchant, acquirer: SimulatedAcquirer): Promise<Accounts> {
  const orders = await readOrders(merchant)
  const plans = await merchant.all(`${PAYMENTS}/recurring_payments/plan`, 'plans')
  const events = await merchant.all('/svc/event/api/v1/openapi/events', 'events')
  const documents = await readDocuments(merchant)
  const open = await merchant.all(`${REPORTS}/open`, 'open')
  const taxes = await readTaxes(merchant, documents)
  return { orders, plans, events, documents, open, taxes, books: await acquirer.books(orders) }
}

/** Of all documents. */
async function readTaxes(merchant: Merchant, documents: readonly ApiDocument[]): Promise<Accounts['taxes']> {
  const days = documents.map(({ issue_date: day }) => day).toSorted()
  const [from] = days
  if (from === undefined) return []
  const range = new URLSearchParams({ from, to: days.at(-1) ?? from })
  return (await merchant.ok('GET', `${REPORTS}/taxes?${range.toString()}`)).taxes as Accounts['taxes']
}

export function readOrders(merchant: Merchant): Promise<ApiOrder[]> {
  return merchant.all(`${PAYMENTS}/orders`, 'orders')
}

/** Without drafts: some are left behind, have no number, and count nowhere. */
export async function readDocuments(merchant: Merchant): Promise<ApiDocument[]> {
  const documents: ApiDocument[] = await merchant.all(`${BILLING}/invoices`, 'invoices')
  return documents.filter(({ state }) => state !== 'draft')
}
