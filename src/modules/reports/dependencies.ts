import type { BankTransfers } from '#modules/bank-transfers'
import type { BulkActions } from '#modules/bulk-actions'
import type { BusinessProfile } from '#modules/businesses'
import type { Disputes } from '#modules/disputes'
import type { Invoices } from '#modules/invoices'
import type { Messages } from '#modules/messages'
import type { Payments } from '#modules/payments'
import type { Reconciliations } from '#modules/reconciliation'
import type { Billing } from '#modules/billing'
import type { Webhooks } from '#modules/webhooks'
import type { Database } from '#platform/postgres/database'

export interface ReportsDependencies {
  readonly db: Database
  readonly businesses: {
    profile(businessId: string): Promise<Pick<BusinessProfile, 'timeZone' | 'currency'>>
  }
  readonly payments: Pick<
    Payments,
    'unknownOutcomes' | 'laterFailures' | 'ordersWithoutRate' | 'overpaidOrders' | 'disputedDays'
  >
  readonly invoices: Pick<Invoices, 'overdueInvoices' | 'creditedOrders' | 'documentsWithoutRate'>
  readonly disputes: Pick<Disputes, 'dueUntil'>
  readonly reconciliations: Pick<Reconciliations, 'settledDays'>
  readonly billing: Pick<Billing, 'uncollectiblePlans' | 'missingCredit' | 'activePlans'>
  readonly messages: Pick<Messages, 'undelivered'>
  readonly webhooks: Pick<Webhooks, 'failingReceivers'>
  readonly bulkActions: Pick<BulkActions, 'stopped'>
  readonly bankTransfers: Pick<BankTransfers, 'ambiguousReturns' | 'unmatchedTransfers' | 'returnedTransfers'>
}
