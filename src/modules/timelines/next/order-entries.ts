import { toRfc3339 } from '#kernel/clock'
import { type Dispute, isAwaitingResponse } from '#modules/disputes'
import type { Order, OrderStep } from '#modules/payments'
import type { TimeZone } from '#kernel/time-zone'
import { moneyInSentence } from '#platform/documents/money-text'
import { timeText } from '../words.ts'
import type { NextEntry, OPERATION_NAMES } from './next-entry.ts'

interface Clock {
  readonly offsetMs: number
  readonly timeZone: TimeZone
}

export function orderEntries(
  steps: readonly OrderStep[],
  order: Pick<Order, 'id'>,
  clock: Clock,
): NextEntry[] {
  return steps.flatMap((step) =>
    entriesOf(step, clock).map((entry) => ({
      objectId: order.id,
      ...('transaction' in step && { transactionUuid: step.transaction.id }),
      ...entry,
    })),
  )
}

type OperationStep = Extract<OrderStep, { operation: unknown }>

const OPERATIONS: Readonly<Record<OperationStep['operation'], (typeof OPERATION_NAMES)[number]>> = {
  sale: 'payment',
  authorization: 'authorization',
  capture: 'capture',
  refund: 'refund',
  void: 'void',
}

function nameOf({ operation, transaction }: OperationStep): string {
  return `the ${OPERATIONS[operation]} of ${moneyInSentence(transaction.amount.abs())}`
}

function valuesOf(
  { operation, transaction }: OperationStep,
  details: NextEntry['details'] = {},
): Pick<NextEntry, 'amount' | 'details'> {
  return { amount: transaction.amount.abs(), details: { operation: OPERATIONS[operation], ...details } }
}

function entriesOf(step: OrderStep, { offsetMs, timeZone }: Clock): NextEntry[] {
  switch (step.kind) {
    case 'expiry':
      return [
        {
          at: step.at,
          kind: 'order.expires',
          text: step.waits
            ? 'The order expires, once the payment that is under way has failed.'
            : 'The order expires, unless it is paid before.',
          reason: 'The order was created with a timer.',
          reasonCode: step.waits ? 'timer_and_payment_under_way' : 'timer',
        },
      ]
    case 'authorization_expiry':
      return [
        {
          at: step.at,
          kind: 'authorization.expires',
          text: `The authorization expires, and ${moneyInSentence(step.amount)} that is not captured is released.`,
          reason: 'An authorization holds for 7 days.',
          reasonCode: 'authorization_period',
          amount: step.amount,
        },
      ]
    case 'inquiry':
      return inquiryEntries(step, step.decidableAt.add({ milliseconds: offsetMs }), timeZone)
    case 'payer_inquiry':
      return [
        {
          at: step.at,
          kind: 'payer.inquiry',
          text: `The acquirer is asked whether ${nameOf(step)} was confirmed.`,
          reason: 'The payer or the acquirer has not confirmed it yet.',
          reasonCode: 'payer_has_not_confirmed',
          ...valuesOf(step),
        },
        {
          at: step.deadline,
          kind: 'payer.deadline',
          text: `If ${nameOf(step)} is still not confirmed, it is closed at the acquirer and fails.`,
          reason: 'A payer has 24 hours to confirm.',
          reasonCode: 'payer_time_limit',
          ...valuesOf(step),
        },
      ]
    case 'send':
      return [
        {
          at: step.at,
          kind: 'operation.sent',
          text: `The service sends ${nameOf(step)} to the acquirer.`,
          reason: 'Money that arrived for a closed order is given back.',
          reasonCode: 'order_was_closed',
          ...valuesOf(step),
        },
      ]
    case 'void':
      return [
        {
          at: step.at,
          kind: 'void.continues',
          text: 'The void of the order goes on.',
          reason:
            step.mode === 'grace'
              ? "The grace of the plan's order has ended. Settled payments are refunded."
              : 'Its payments must be reversed at the acquirer first.',
          reasonCode: step.mode === 'grace' ? 'grace_ended' : 'payments_reversed_first',
        },
      ]
    case 'settlement':
      return [
        {
          at: step.at,
          kind: 'payment.settles',
          text: `The payment of ${moneyInSentence(step.transaction.amount)} settles.`,
          reason: 'Until then it can be voided; after that it can only be refunded.',
          reasonCode: 'voidable_until_then',
          amount: step.transaction.amount,
        },
      ]
  }
}

function inquiryEntries(
  step: Extract<OrderStep, { kind: 'inquiry' }>,
  decidableAt: Temporal.Instant,
  timeZone: TimeZone,
): NextEntry[] {
  return [
    {
      at: step.at,
      kind: 'outcome.inquiry',
      text: `The acquirer is asked for the outcome of ${nameOf(step)}, for the ${ordinal(step.inquiry)} time.`,
      reason: `The acquirer has not told the outcome. It is asked until the outcome is known; from ${timeText(decidableAt, timeZone)} on a person may decide it.`,
      reasonCode: 'acquirer_did_not_answer',
      ...valuesOf(step, { inquiry: step.inquiry, decidable_at: toRfc3339(decidableAt) }),
    },
    {
      at: decidableAt,
      kind: 'outcome.decision',
      text: `A person may decide the outcome of ${nameOf(step)}, if it is still unknown.`,
      reason: 'Acquirers forget our key after a day, so that an inquiry may find nothing more.',
      reasonCode: 'acquirer_may_forget',
      ...valuesOf(step),
    },
  ]
}

function ordinal(count: number): string {
  const isTeen = count % 100 >= 11 && count % 100 <= 13
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th')
  return `${count}${ending}`
}

export function disputeEntries(disputes: readonly Dispute[]): NextEntry[] {
  return disputes.flatMap(({ id, state, submittedAt, respondBy, amount, transaction }): NextEntry[] => {
    if (!isAwaitingResponse(state) || submittedAt !== null || respondBy === null) return []
    return [
      {
        at: respondBy,
        kind: 'dispute.due',
        text: `The time for evidence in the dispute of ${moneyInSentence(amount)} ends.`,
        reason: 'Without evidence the bank decides for the payer.',
        reasonCode: 'evidence_missing',
        objectId: id,
        ...(transaction !== null && { transactionUuid: transaction.id }),
        amount,
      },
    ]
  })
}
