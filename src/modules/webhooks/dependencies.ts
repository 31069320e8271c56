import type { BusinessProfile, Businesses } from '#modules/businesses'
import type { Database, Tx } from '#platform/postgres/database'
import type { Egress } from '#platform/security/egress'
import type { EventLog, NewEvent } from '#platform/events/events'
import type { Keyring } from '#platform/security/keyring'
import type { ObserveAttempt } from './attempt-metrics.ts'
import type { Log } from '#platform/observability/log'

export interface WebhooksDependencies {
  readonly db: Database
  readonly events: EventLog
  readonly egress: Pick<Egress, 'start' | 'checkUrl'>
  readonly keyring: Pick<Keyring, 'seal' | 'open'>
  readonly businesses: Pick<Businesses, 'webhookSecrets'> & {
    profile(businessId: string): Promise<Pick<BusinessProfile, 'timeZone'>>
  }
  readonly sources: readonly ReceiverSource[]
  readonly log: Log
  readonly onFailure: (job: string) => void
  readonly onRun?: (job: string, handled: number, durationMs: number) => void
  readonly timeoutMs?: number
  readonly onAttempt?: ObserveAttempt
}

/**
 * Knows the URLs of single objects, by `objectId`: payments the `notify_url` of orders, plans the `callback_url`
 * of plans and of the plans' orders. It is called in every transaction that writes events, so it must be free where
 * there are no URLs.
 */
export interface ReceiverSource {
  receiversOf(tx: Tx, events: readonly NewEvent[]): Promise<ReadonlyMap<string, string>>
}
