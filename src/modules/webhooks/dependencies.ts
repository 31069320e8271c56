import type { Businesses } from '#modules/businesses'
import type { Database, Tx } from '#platform/postgres/database'
import type { Egress } from '#platform/security/egress'
import type { EventLog, NewEvent } from '#platform/events/events'
import type { Keyring } from '#platform/security/keyring'
import type { Log } from '#platform/observability/log'

/** What the module needs of the others; compose.ts gives it. */
export interface WebhooksDependencies {
  readonly db: Database
  readonly events: EventLog
  readonly egress: Pick<Egress, 'checkUrl' | 'begin'>
  readonly keyring: Pick<Keyring, 'seal' | 'open'>
  readonly businesses: Pick<Businesses, 'webhookSecrets'>
  readonly sources: readonly ReceiverSource[]
  readonly log: Log
  /** Counts a failure of due work, by its kind. */
  readonly onFailure: (kind: string) => void
  /** Milliseconds for the whole exchange with a receiver; 15 s unless a test says otherwise. */
  readonly timeoutMs?: number
}

/**
 * Who knows URLs of single objects: payments an order's `notify_url`; recurring a plan's
 * `callback_url`, also for the orders of the plan. Asked in the transaction of the events, so it must
 * cost nothing where there are no such URLs.
 */
export interface ReceiverSource {
  /** URLs by `objectId` of the events; an object without one is left out. A URL named twice gets each event once. */
  receiversOf(tx: Tx, events: readonly NewEvent[]): Promise<ReadonlyMap<string, string>>
}
