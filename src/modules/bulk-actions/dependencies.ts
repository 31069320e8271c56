import type { BusinessProfile } from '#modules/businesses'
import type { Payments } from '#modules/payments'
import type { Recurring } from '#modules/recurring'
import type { Webhooks } from '#modules/webhooks'
import type { Log } from '#platform/observability/log'
import type { Database } from '#platform/postgres/database'

export interface BulkActionsDependencies {
  readonly db: Database
  readonly log: Log
  readonly businesses: { profile(businessId: string): Promise<Pick<BusinessProfile, 'timeZone'>> }
  readonly payments: Pick<
    Payments,
    | 'ordersPage'
    | 'findOrders'
    | 'refund'
    | 'voidOrder'
    | 'voidTransaction'
    | 'previewRefund'
    | 'previewVoidOrder'
    | 'previewVoidTransaction'
  >
  readonly recurring: Pick<Recurring, 'page' | 'cancel' | 'previewCancel'>
  readonly webhooks: Pick<Webhooks, 'deliveryIds' | 'redeliver' | 'previewRedelivery'>
}
