import { toRfc3339 } from '#kernel/clock'
import type { TimeZone } from '#kernel/time-zone'
import type { PlanStep } from '#modules/billing'
import { moneyInSentence } from '#platform/documents/money-text'
import { timeText } from '../words.ts'
import type { NextEntry } from './next-entry.ts'

export function planEntries(
  steps: readonly PlanStep[],
  { timeZone }: { readonly timeZone: TimeZone },
): NextEntry[] {
  return steps.map((step) => ({
    ...entryOf(step, timeZone),
    ...('orderId' in step && { objectId: step.orderId }),
  }))
}

function entryOf(step: PlanStep, zone: TimeZone): NextEntry {
  switch (step.kind) {
    case 'bill':
      return {
        at: step.at,
        kind: 'plan.bills',
        text: `The plan bills ${moneyInSentence(step.amount)} and charges the default payment token of the customer.`,
        reason:
          step.of === null
            ? `The next period of the cycle begins. It is period ${step.nth}; the cycle has no end.`
            : `The next period of the cycle begins. It is period ${step.nth} of ${step.of}.`,
        reasonCode: step.of === null ? 'next_period_without_end' : 'next_period',
        details: { period: step.nth, ...(step.of !== null && { periods_total: step.of }) },
        amount: step.amount,
      }
    case 'cycle_end':
      return {
        at: step.at,
        kind: 'cycle.ends',
        text: step.isLast
          ? 'The last cycle ends. The plan is completed as soon as all its orders are paid.'
          : 'The cycle ends, and the next cycle of the plan begins.',
        reason: 'The cycle has made as many orders as its billing count.',
        reasonCode: step.isLast ? 'last_billing_count_reached' : 'billing_count_reached',
      }
    case 'change':
      return {
        at: step.at,
        kind: 'plan.changes',
        text: 'The scheduled change of the plan takes effect.',
        reason: 'It was scheduled for the end of the period.',
        reasonCode: 'change_scheduled',
      }
    case 'cancellation':
      return {
        at: step.at,
        kind: 'plan.cancels',
        text: 'The plan is canceled.',
        reason: 'It was canceled at the end of the period.',
        reasonCode: 'canceled_at_period_end',
      }
    case 'attempt':
      return {
        at: step.at,
        kind: 'attempt.due',
        text: `The order is charged${step.nth === 1 ? '' : ' again'}. It is attempt ${step.nth} of ${step.of}.`,
        reason: step.nth === 1 ? 'The order has not been charged yet.' : 'The attempt before it failed.',
        reasonCode: step.nth === 1 ? 'not_charged_yet' : 'attempt_failed',
        attempt: step.nth,
        attemptsTotal: step.of,
      }
    case 'attempt_under_way':
      return {
        at: null,
        kind: 'attempt.under_way',
        text: `The outcome of attempt ${step.nth} of ${step.of} is awaited.`,
        reason: 'The acquirer or the payer has not responded yet.',
        reasonCode: 'attempt_without_outcome',
        attempt: step.nth,
        attemptsTotal: step.of,
      }
    case 'token_awaited':
      return {
        at: null,
        kind: 'attempt.waits_for_token',
        text: 'The order is not charged until the customer has another default payment token.',
        reason: 'The customer has no token that may be charged, and the dunning policy waits for one.',
        reasonCode: 'another_token_needed',
      }
    case 'exhaustion':
      if (step.cancels) {
        return {
          at: step.at,
          kind: 'plan.cancels',
          text: 'If the order is not paid by then, the plan is canceled.',
          reason: 'No attempt is left after the last one, and the dunning policy then cancels.',
          reasonCode: 'no_attempt_left_then_canceled',
          ...(step.voidAt !== null && { details: { voids_at: toRfc3339(step.voidAt) } }),
        }
      }
      return {
        at: step.at,
        kind: 'plan.becomes_uncollectible',
        text:
          step.voidAt === null
            ? 'If all attempts fail, the plan becomes uncollectible. The order stays open until somebody pays it.'
            : `If all attempts fail, the plan becomes uncollectible, and the order is voided on ${timeText(step.voidAt, zone)} unless somebody pays it.`,
        reason: 'No attempt is left after the last one.',
        reasonCode: step.voidAt === null ? 'no_attempt_left' : 'no_attempt_left_then_voided',
        ...(step.voidAt !== null && { details: { voids_at: toRfc3339(step.voidAt) } }),
      }
    case 'void':
      return {
        at: step.at,
        kind: 'order.voids',
        text: 'The order is voided, unless somebody pays it before.',
        reason: 'The grace period of the plan ends.',
        reasonCode: 'grace_period_ends',
      }
    case 'blocked':
      return {
        at: null,
        kind: 'order.blocked',
        text: 'The next attempt or the void of the order waits.',
        reason: 'Another payment, refund or void of the order has no outcome yet.',
        reasonCode: 'other_operation_under_way',
      }
    case 'trial_end':
      return {
        at: step.at,
        kind: 'trial.ends',
        text: `The trial ends, and the first period begins${WITHOUT_TOKEN[step.withoutToken].text}.`,
        reason: 'The trial was given until then.',
        reasonCode: WITHOUT_TOKEN[step.withoutToken].reasonCode,
      }
    case 'resumption':
      return {
        at: step.at,
        kind: 'plan.resumes',
        text: 'The plan is resumed.',
        reason: 'It was paused until then.',
        reasonCode: 'pause_ends',
      }
    case 'paused':
      return {
        at: null,
        kind: 'plan.paused',
        text: 'The plan bills nothing and attempts nothing until somebody resumes it.',
        reason: 'The plan is paused. A pause has no end of its own.',
        reasonCode: 'paused',
      }
    case 'uncollectible':
      return {
        at: null,
        kind: 'plan.uncollectible',
        text: step.isPermanent
          ? 'The plan never bills again.'
          : 'The plan bills nothing until the order whose attempts failed is paid.',
        reason: step.isPermanent
          ? 'An order was voided after its last attempt.'
          : 'All attempts of an order failed.',
        reasonCode: step.isPermanent ? 'voided_after_last_attempt' : 'attempts_failed',
      }
  }
}

const WITHOUT_TOKEN = {
  cancel: {
    text: '; without an active default token of the customer the plan is canceled instead',
    reasonCode: 'trial_ends_or_cancels',
  },
  pause: {
    text: '; without an active default token of the customer the plan is paused instead',
    reasonCode: 'trial_ends_or_pauses',
  },
  bill: { text: '', reasonCode: 'trial_ends' },
} as const
