import type { Instant } from '#kernel/clock'

/**
 * When a dated message may have to be made.
 * - `renewal_scan`: Looks at plans one after the other, because renewals were switched on or their days changed. `objectId` is
 * the last plan that it looked at.
 * - `step`: How many reminders of the order were due before.
 */
export interface Wake {
  readonly kind: 'payment_reminder' | 'renewal_ahead' | 'renewal_scan'
  readonly objectId: string
  readonly dueAt: Instant
  readonly step: number
}
