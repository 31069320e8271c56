import type { BusinessProfile } from '#modules/businesses'
import type { Payments } from '#modules/payments'
import type { Billing } from '#modules/billing'
import type { Webhooks } from '#modules/webhooks'
import type { Log } from '#platform/observability/log'
import type { Scope } from '#platform/http/routes/route'
import type { Database } from '#platform/postgres/database'
import type { BulkAction, StopReason } from './model/bulk-action.ts'

/** - `lostRight`: Why the caller of an action may not do this any more; undefined while it may. */
export interface BulkActionsDependencies {
  readonly db: Database
  readonly log: Log
  readonly businesses: { profile(businessId: string): Promise<Pick<BusinessProfile, 'timeZone'>> }
  readonly lostRight: (caller: BulkAction['caller'], scope: Scope) => Promise<StopReason | undefined>
  readonly payments: Pick<
    Payments,
    | 'orderIdsPage'
    | 'findOrders'
    | 'refund'
    | 'storedTransactions'
    | 'voidOrder'
    | 'voidTransaction'
    | 'previewRefund'
    | 'previewVoidOrder'
    | 'previewVoidTransaction'
  >
  readonly billing: Pick<Billing, 'planIds' | 'cancel' | 'previewCancel' | 'changePlans' | 'withTaxEngine'>
  readonly webhooks: Pick<Webhooks, 'deliveryIds' | 'redeliver' | 'previewRedelivery'>
}
