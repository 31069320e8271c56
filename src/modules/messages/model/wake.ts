import type { Instant } from '#kernel/clock'

/**
 * A time at which a message may become due. The job decides then whether it is made.
 * - `renewal_scan`: Schedules the renewals of all plans, after renewals were enabled or their days changed. `objectId` is the last
 *   plan that it read.
 * - `step`: How many reminders of the order were due before.
 */
export interface Wake {
  readonly kind: 'payment_reminder' | 'renewal_ahead' | 'renewal_scan'
  readonly objectId: string
  readonly dueAt: Instant
  readonly step: number
}
