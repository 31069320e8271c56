import type { Money } from '#kernel/money'

export const TAX_MODES = ['none', 'automatic'] as const
export const COLLECTIONS = ['automatic', 'send_invoice'] as const

/**
 * How new plans are invoiced.
 * - `lockedUntil`: The last closed local day, YYYY-MM-DD (reference/billing-tax#closed-months).
 * - `writeOffUpTo`: By currency, up to which amount due a match writes off the rest.
 * - `lateDays`: For how many days after the end of a period its usage events are accepted.
 */
export interface BillingSettings {
  readonly legalEntityId: string | null
  readonly tax: (typeof TAX_MODES)[number]
  readonly collection: (typeof COLLECTIONS)[number]
  readonly daysUntilDue: number
  readonly lateDays: number
  readonly lockedUntil: string | null
  readonly writeOffUpTo: ReadonlyMap<string, Money>
}

export const DEFAULT_SETTINGS: BillingSettings = {
  legalEntityId: null,
  tax: 'none',
  collection: 'automatic',
  daysUntilDue: 30,
  lateDays: 35,
  lockedUntil: null,
  writeOffUpTo: new Map(),
}
