import type { ApiOrder, ApiTransaction } from '../../acquirers/api-order.ts'
import { type PlanLife, POLICIES } from '../plan/draw-plans.ts'
import { zoned } from './trial-model.ts'

/** Attempts of a declining card without a policy are a day apart. */
export const ATTEMPTS_OF_DECLINING_CARD = 3
/** The decline code of a stolen card, which must not be charged again. */
const HARD = 'stolen_card'

/** The position of the policy whose steps leave time for another card. */
export const PATIENT = 0
export const PATIENT_DAYS = 10

export function exhaustedState({ policy }: PlanLife): string {
  const drawn = policy === undefined ? undefined : POLICIES[policy]
  return drawn?.exhausted === 'cancel' ? 'canceled' : 'uncollectible'
}

/** Days from an order to its last attempt, whatever the declines were. */
export function daysOfAttempts({ policy }: PlanLife): number {
  const drawn = policy === undefined ? undefined : POLICIES[policy]
  if (drawn === undefined) return ATTEMPTS_OF_DECLINING_CARD - 1
  const steps = [...drawn.steps, ...(drawn.soft ?? []).flatMap((soft) => soft.steps)]
  return Math.max(...steps.map(({ after_days: days }) => days))
}

/**
 * Checks that no attempt comes before the step that follows the previous attempt, and none after the last step.
 * Faults may delay an attempt; an attempt that was never sent is sent again.
 * @param timeOfDay of the plan's orders
 */
export function checkAttempts(
  { created_at: createdAt, reference_number: reference, transactions }: ApiOrder,
  { policy, card }: PlanLife,
  timeOfDay: Temporal.PlainTime,
): string[] {
  const drawn = policy === undefined ? undefined : POLICIES[policy]
  if (drawn === undefined) return []
  const attempts = transactions
    .filter(({ type }) => type === 'Sales')
    .toSorted((a, b) => Temporal.Instant.compare(a.created_at, b.created_at))
  const orderedOn = zoned(Temporal.Instant.from(createdAt))
  const stepsAfter = (attempt: ApiTransaction): Temporal.Instant[] => {
    const code = attempt.decline_code ?? ''
    if (code === HARD && drawn.hard === 'wait') return []
    const { steps } = drawn.soft?.find((soft) => soft.decline_codes.includes(code)) ?? drawn
    return steps
      .map(({ after_days: days, at_time: time }) =>
        orderedOn
          .add({ days })
          .withPlainTime(time ?? timeOfDay)
          .toInstant(),
      )
      .filter((at) => Temporal.Instant.compare(at, attempt.created_at) > 0)
  }
  const findings = attempts.slice(1).flatMap((attempt, index) => {
    const before = attempts[index]
    if (before === undefined || mayRepeat(before)) return []
    const [next] = stepsAfter(before)
    if (next !== undefined && Temporal.Instant.compare(attempt.created_at, next) >= 0) return []
    const due = next?.toString() ?? 'never'
    return [`${reference}: attempt ${index + 2} was made at ${attempt.created_at}, and was due ${due}`]
  })
  if (card === 'none' && drawn.hard === 'wait' && attempts.length > 0)
    findings.push(`${reference}: ${attempts.length} attempts were made without a card`)
  return findings
}

/** As far as is known, the attempt never reached the acquirer. */
function mayRepeat({ decline_code: code }: ApiTransaction): boolean {
  return code === undefined || code === 'not_processed'
}
