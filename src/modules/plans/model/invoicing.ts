import type { BillingSettings } from '#modules/taxes'

/**
 * Who invoices the orders of a plan, and how: by the settings at the plan's creation, and by the plan's own members.
 * - `series`: Null for the entity's first series.
 */
export interface PlanInvoicing extends Pick<BillingSettings, 'tax' | 'collection' | 'daysUntilDue'> {
  readonly legalEntityId: string
  readonly series: string | null
  readonly buyerReference?: string
  readonly purchaseOrder?: string
}
