import type { Instant } from '#kernel/clock'
import type { Metadata } from '#platform/http/validation/metadata'

export const HARD_DECLINES = ['wait', 'step'] as const
export const NEW_TOKENS = ['retry', 'wait'] as const
export const EXHAUSTED = ['uncollectible', 'cancel'] as const

/**
 * When the next attempt is made. Days are local days of the plan.
 * - `afterDays`: From the creation of the order.
 * - `daysOfMonth`: The next of these days that is at least `minDays` after the previous attempt. In a shorter month 31 is its
 *   last day.
 * - `atTime`: Null: the plan's time of day.
 */
export type DunningStep = (
  | { readonly afterDays: number }
  | { readonly daysOfMonth: readonly number[]; readonly minDays: number }
) & { readonly atTime: Temporal.PlainTime | null }

export interface SoftSteps {
  readonly declineCodes: readonly string[]
  readonly steps: readonly DunningStep[]
}

/**
 * How unpaid orders of plans are attempted again (reference/billing-dunning).
 * - `hard`: Whether an order without a chargeable token waits for another token, or follows the steps.
 * - `newToken`: Whether another default token makes the next attempt at once.
 * - `exhausted`: What happens to the plan after the last step.
 * - `reminders`: Days after the due date.
 */
export interface DunningPolicy {
  readonly id: string
  readonly name: string
  readonly steps: readonly DunningStep[]
  readonly soft: readonly SoftSteps[]
  readonly hard: (typeof HARD_DECLINES)[number]
  readonly newToken: (typeof NEW_TOKENS)[number]
  readonly exhausted: (typeof EXHAUSTED)[number]
  readonly reminders: readonly number[]
  readonly referenceId: string | null
  readonly metadata: Metadata
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/**
 * How far an order has got in the policy of its plan.
 * - `declineCode`: Of the last attempt. Null before the first one.
 * - `step`: The number of the next attempt's step, among the steps that `declineCode` chooses.
 * - `waits`: No attempt is made until another token is default. `nextAttemptAt` is then the time of the last step.
 * - `earlyFrom`: The time of a step whose attempt became due earlier for another reason. Later steps keep their times.
 */
export interface DunningProgress {
  readonly declineCode: string | null
  readonly step: number
  readonly waits: boolean
  readonly earlyFrom: Instant | null
}

export type DunningPolicyEvent = 'dunning_policy.created' | 'dunning_policy.updated'

export function retryNumbers({ steps: [first, ...others] }: DunningPolicy): {
  readonly count: number
  readonly dayPeriod: number
} {
  if (first === undefined) throw new Error('a dunning policy has a step')
  return { count: others.length + 2, dayPeriod: 'afterDays' in first ? first.afterDays : first.minDays }
}
