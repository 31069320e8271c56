import type { BillingConfigRecord, CycleItem } from '#modules/catalogue'

/** By the position of their cycle. */
export type PlanItems = readonly (readonly CycleItem[])[]

/** What a pending change refers to, as it is stored. */
export interface ScheduledChange {
  readonly items: readonly CycleItem[]
  readonly config: BillingConfigRecord | null
}

/**
 * - `isRhythm`: The cycles from `from` on are new rows. Otherwise only the items of the cycle at `from` are new.
 */
export interface ReplacedCycles {
  readonly from: number
  readonly isRhythm: boolean
}
