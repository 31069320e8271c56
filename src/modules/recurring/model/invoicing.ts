import type { BillingSettings } from '#modules/taxes'

/**
 * Who invoices the orders of a plan, and how: the settings of the time at which it was made, and what it said itself.
 * - `series`: Null for the entity's first series.
 */
export interface PlanInvoicing extends Pick<BillingSettings, 'tax' | 'collection' | 'daysUntilDue'> {
  readonly legalEntityId: string
  readonly series: string | null
}
