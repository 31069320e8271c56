import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import { isChargeable, type PaymentToken } from '#modules/customers'
import {
  type Charge,
  type ChargeRefusal,
  declineCodeOf,
  type Order,
  type OrderChangeOrigin,
  type OrderWithTransactions,
} from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import type { BillingDependencies } from '../dependencies.ts'
import type { RefusedToken } from '../storage/refused-token.repository.ts'
import {
  attemptFailed,
  attemptInitiated,
  attemptWaits,
  type Decline,
  markBlocked,
  type PlanAggregate,
} from '#modules/plans'
import { ConcurrentPlanChange } from '../concurrent-change.ts'

export interface Attempt {
  readonly orderId: string
  /** The customer's default token at this moment, chargeable or not. */
  readonly token: PaymentToken | undefined
  readonly amount: Money
  readonly at: Instant
  readonly waitsForToken: boolean
}

export type AttemptResult =
  | { readonly kind: 'initiated'; readonly charge: Charge }
  /** Recorded as failed without a call to the acquirer. */
  | {
      readonly kind: 'failed'
      readonly transactionId: string
      readonly decline: Decline
      readonly order: OrderWithTransactions
    }
  | { readonly kind: 'waits' }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'changed' }

export interface InitiatedCharges {
  readonly plansChanged: number
  readonly charges: readonly Charge[]
}

const NO_TOKEN = {
  responseCode: 'no_payment_token',
  message: 'The customer has no active default payment token.',
}

/** An open order of a plan is `order_not_payable` only while it is being voided. */
const BLOCKING: ReadonlySet<ChargeRefusal> = new Set(['payment_in_progress', 'order_not_payable'])

export function tokenToSend(
  token: PaymentToken | undefined,
  refused: ReadonlyMap<string, RefusedToken>,
  at: Instant,
): PaymentToken | undefined {
  return token !== undefined && isChargeable(token, at) && !refused.has(token.token) ? token : undefined
}

/**
 * Initiates the charges of attempts with a usable token, and records other attempts as failed unless they wait. Both steps lock their
 * orders in id order. Two jobs that deadlock across the steps are retried by their transactions.
 * @param created orders that this transaction created; they need no lock
 * @returns the result of each attempt, by order id
 */
export async function initiateAttempts(
  payments: BillingDependencies['payments'],
  tx: Tx,
  attempts: readonly Attempt[],
  refused: ReadonlyMap<string, RefusedToken>,
  origin: OrderChangeOrigin,
  created: readonly Order[] = [],
): Promise<Map<string, AttemptResult>> {
  const sendable: SendableAttempt[] = []
  const failing: Attempt[] = []
  const waiting: Attempt[] = []
  for (const attempt of attempts) {
    const token = tokenToSend(attempt.token, refused, attempt.at)
    if (token !== undefined) sendable.push({ ...attempt, token })
    else if (attempt.waitsForToken) waiting.push(attempt)
    else failing.push(attempt)
  }
  const initiated = await initiateCharges(payments, tx, sendable, created)
  const failed = await recordFailures(payments, tx, failing, refused, origin)
  const waits = waiting.map(({ orderId }): [string, AttemptResult] => [orderId, { kind: 'waits' }])
  return new Map([...initiated, ...failed, ...waits])
}

type SendableAttempt = Attempt & { readonly token: PaymentToken }

async function initiateCharges(
  payments: BillingDependencies['payments'],
  tx: Tx,
  attempts: readonly SendableAttempt[],
  created: readonly Order[],
): Promise<[string, AttemptResult][]> {
  const results = await payments.initiateCharges(
    tx,
    attempts.map(({ orderId, token, amount, at }) => ({
      orderId,
      type: 'Sales',
      amount,
      token,
      payerPresent: false,
      at,
    })),
    created,
  )
  return results.map((result) =>
    'refused' in result
      ? [result.orderId, refusal(result.refused)]
      : [result.order.id, { kind: 'initiated', charge: result }],
  )
}

async function recordFailures(
  payments: BillingDependencies['payments'],
  tx: Tx,
  attempts: readonly Attempt[],
  refused: ReadonlyMap<string, RefusedToken>,
  origin: OrderChangeOrigin,
): Promise<[string, AttemptResult][]> {
  if (attempts.length === 0) return []
  const results = await payments.recordFailedCharges(
    tx,
    attempts.map(({ orderId, token, at }) => {
      const chargeable = token !== undefined && isChargeable(token, at) ? token : null
      const { responseCode, message } = (chargeable && refused.get(chargeable.token)) ?? NO_TOKEN
      return { orderId, responseCode, message, token: chargeable, at }
    }),
    origin,
  )
  return results.map((result) => {
    if ('refused' in result) return [result.orderId, refusal(result.refused)]
    const { order, transaction } = result
    const decline = { code: declineCodeOf(transaction.answer), isHard: true }
    return [order.id, { kind: 'failed', transactionId: transaction.id, decline, order: result }]
  })
}

function refusal(reason: ChargeRefusal): AttemptResult {
  return { kind: BLOCKING.has(reason) ? 'blocked' : 'changed' }
}

export function initiatedCharges(results: ReadonlyMap<string, AttemptResult>): Charge[] {
  return [...results.values()].flatMap((result) => (result.kind === 'initiated' ? [result.charge] : []))
}

export function withAttempt(
  aggregate: PlanAggregate,
  orderId: string,
  result: AttemptResult,
  at: Instant,
): PlanAggregate {
  switch (result.kind) {
    case 'initiated':
      return attemptInitiated(aggregate, orderId, result.charge.transaction.id, at)
    case 'failed':
      return attemptFailed(
        attemptInitiated(aggregate, orderId, result.transactionId, at),
        orderId,
        at,
        result.decline,
      )
    case 'waits':
      if (aggregate.policy?.hard !== 'wait') throw new ConcurrentPlanChange(aggregate.plan.id)
      return attemptWaits(aggregate, orderId, at)
    case 'blocked':
      return markBlocked(aggregate, orderId)
    case 'changed':
      throw new ConcurrentPlanChange(aggregate.plan.id)
  }
}
