import { type Instant, toRfc3339 } from '#kernel/clock'
import type { TimeZone } from '#kernel/time-zone'
import type { PlanStep } from '#modules/billing'
import { moneyInSentence } from '#platform/documents/money-text'
import { timeText } from '../words.ts'
import type { NextEntry } from './next-entry.ts'

type Step<Kind extends PlanStep['kind']> = Extract<PlanStep, { kind: Kind }>
type Explanation = Omit<NextEntry, 'at' | 'objectId'>

export function planEntries(
  steps: readonly PlanStep[],
  { timeZone }: { readonly timeZone: TimeZone },
): NextEntry[] {
  return steps.map((step) => ({
    at: 'at' in step ? step.at : null,
    ...explain(step, timeZone),
    ...('orderId' in step && { objectId: step.orderId }),
  }))
}

function explain(step: PlanStep, zone: TimeZone): Explanation {
  switch (step.kind) {
    case 'bill':
      return explainBill(step)
    case 'cycle_end':
      return explainCycleEnd(step)
    case 'trial_end':
      return explainTrialEnd(step)
    case 'attempt':
      return explainAttempt(step)
    case 'attempt_under_way':
      return explainAttemptUnderWay(step)
    case 'exhaustion':
      return step.cancels ? explainCancellation(step) : explainExhaustion(step, zone)
    case 'uncollectible':
      return explainUncollectible(step)
    case 'change':
    case 'cancellation':
    case 'token_awaited':
    case 'void':
    case 'blocked':
    case 'resumption':
    case 'paused':
      return ALWAYS_THE_SAME[step.kind]
  }
}

const ALWAYS_THE_SAME = {
  change: {
    kind: 'plan.changes',
    text: 'The scheduled change of the plan takes effect.',
    reason: 'It was scheduled for the end of the period.',
    reasonCode: 'change_scheduled',
  },
  cancellation: {
    kind: 'plan.cancels',
    text: 'The plan is canceled.',
    reason: 'It was canceled at the end of the period.',
    reasonCode: 'canceled_at_period_end',
  },
  token_awaited: {
    kind: 'attempt.waits_for_token',
    text: 'The order is not charged until the customer has another default payment token.',
    reason: 'The customer has no token that may be charged, and the dunning policy waits for one.',
    reasonCode: 'another_token_needed',
  },
  void: {
    kind: 'order.voids',
    text: 'The order is voided, unless somebody pays it before.',
    reason: 'The grace period of the plan ends.',
    reasonCode: 'grace_period_ends',
  },
  blocked: {
    kind: 'order.blocked',
    text: 'The next attempt or the void of the order waits.',
    reason: 'Another payment, refund or void of the order has no outcome yet.',
    reasonCode: 'other_operation_under_way',
  },
  resumption: {
    kind: 'plan.resumes',
    text: 'The plan is resumed.',
    reason: 'It was paused until then.',
    reasonCode: 'pause_ends',
  },
  paused: {
    kind: 'plan.paused',
    text: 'The plan bills nothing and attempts nothing until somebody resumes it.',
    reason: 'The plan is paused. A pause has no end of its own.',
    reasonCode: 'paused',
  },
} as const

function explainBill({ amount, nth, of }: Step<'bill'>): Explanation {
  return {
    kind: 'plan.bills',
    text: `The plan bills ${moneyInSentence(amount)} and charges the default payment token of the customer.`,
    reason:
      of === null
        ? `The next period of the cycle begins. It is period ${nth}; the cycle has no end.`
        : `The next period of the cycle begins. It is period ${nth} of ${of}.`,
    reasonCode: of === null ? 'next_period_without_end' : 'next_period',
    details: { period: nth, ...(of !== null && { periods_total: of }) },
    amount,
  }
}

function explainCycleEnd({ isLast }: Step<'cycle_end'>): Explanation {
  return {
    kind: 'cycle.ends',
    text: isLast
      ? 'The last cycle ends. The plan is completed as soon as all its orders are paid.'
      : 'The cycle ends, and the next cycle of the plan begins.',
    reason: 'The cycle has made as many orders as its billing count.',
    reasonCode: isLast ? 'last_billing_count_reached' : 'billing_count_reached',
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

function explainTrialEnd({ withoutToken }: Step<'trial_end'>): Explanation {
  return {
    kind: 'trial.ends',
    text: `The trial ends, and the first period begins${WITHOUT_TOKEN[withoutToken].text}.`,
    reason: 'The trial was given until then.',
    reasonCode: WITHOUT_TOKEN[withoutToken].reasonCode,
  }
}

function explainAttempt({ nth, of }: Step<'attempt'>): Explanation {
  return {
    kind: 'attempt.due',
    text: `The order is charged${nth === 1 ? '' : ' again'}. It is attempt ${nth} of ${of}.`,
    reason: nth === 1 ? 'The order has not been charged yet.' : 'The attempt before it failed.',
    reasonCode: nth === 1 ? 'not_charged_yet' : 'attempt_failed',
    attempt: nth,
    attemptsTotal: of,
  }
}

function explainAttemptUnderWay({ nth, of }: Step<'attempt_under_way'>): Explanation {
  return {
    kind: 'attempt.under_way',
    text: `The outcome of attempt ${nth} of ${of} is awaited.`,
    reason: 'The acquirer or the payer has not responded yet.',
    reasonCode: 'attempt_without_outcome',
    attempt: nth,
    attemptsTotal: of,
  }
}

function explainCancellation({ voidAt }: Step<'exhaustion'>): Explanation {
  return {
    kind: 'plan.cancels',
    text: 'If the order is not paid by then, the plan is canceled.',
    reason: 'No attempt is left after the last one, and the dunning policy then cancels.',
    reasonCode: 'no_attempt_left_then_canceled',
    ...voidDetails(voidAt),
  }
}

function explainExhaustion({ voidAt }: Step<'exhaustion'>, zone: TimeZone): Explanation {
  return {
    kind: 'plan.becomes_uncollectible',
    text:
      voidAt === null
        ? 'If all attempts fail, the plan becomes uncollectible. The order stays open until somebody pays it.'
        : `If all attempts fail, the plan becomes uncollectible, and the order is voided on ${timeText(voidAt, zone)} unless somebody pays it.`,
    reason: 'No attempt is left after the last one.',
    reasonCode: voidAt === null ? 'no_attempt_left' : 'no_attempt_left_then_voided',
    ...voidDetails(voidAt),
  }
}

function voidDetails(voidAt: Instant | null): Pick<NextEntry, 'details'> {
  return voidAt === null ? {} : { details: { voids_at: toRfc3339(voidAt) } }
}

function explainUncollectible({ isPermanent }: Step<'uncollectible'>): Explanation {
  return {
    kind: 'plan.uncollectible',
    text: isPermanent
      ? 'The plan never bills again.'
      : 'The plan bills nothing until the order whose attempts failed is paid.',
    reason: isPermanent ? 'An order was voided after its last attempt.' : 'All attempts of an order failed.',
    reasonCode: isPermanent ? 'voided_after_last_attempt' : 'attempts_failed',
  }
}
