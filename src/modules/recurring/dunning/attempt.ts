import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import { isChargeable, type PaymentToken } from '#modules/customers'
import type { Charge, ChargeRefusal, Order, OrderWithTransactions, Payments } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import type { Life } from '../plan/plan.ts'
import type { RefusedToken } from '../storage/refused-token.repository.ts'

/** An attempt that is to be made now, of an order that exists. */
export interface Attempt {
  readonly orderId: string
  /** The customer's default token of this moment, chargeable or not. */
  readonly token: PaymentToken | undefined
  readonly amount: Money
  readonly at: Instant
}

/** What became of an attempt before the acquirer is asked. */
export type Attempted =
  | { readonly kind: 'begun'; readonly transaction: string; readonly charge: Charge }
  /** Recorded as failed without a call. */
  | { readonly kind: 'failed'; readonly transaction: string; readonly found: OrderWithTransactions }
  /** Something else is under way at the order: a payment, or a void. */
  | { readonly kind: 'blocked' }
  /** The order is not what it was when it was looked at. */
  | { readonly kind: 'changed' }

const NO_TOKEN = {
  responseCode: 'no_payment_token',
  message: 'The customer has no active default payment token.',
}

/** An order of a plan that is not payable, and not paid or voided either, is being voided. */
const BLOCKING: ReadonlySet<ChargeRefusal> = new Set(['payment_in_progress', 'order_not_payable'])

/** The token that an attempt at `at` sends to the acquirer; undefined when it sends none. */
export function tokenToSend(
  token: PaymentToken | undefined,
  refused: ReadonlyMap<string, RefusedToken>,
  at: Instant,
): PaymentToken | undefined {
  return token !== undefined && isChargeable(token, at) && !refused.has(token.token) ? token : undefined
}

/**
 * Begins attempts: reserves and writes the transactions of those that go to the acquirer, and records as failed those
 * that have no token, or one that the acquirer must not see again. Locks the orders of the former in id order, then those
 * of the latter in theirs: two runs that meet in a deadlock are run again.
 * @param refused of the attempts' tokens, those that the acquirer must not see again
 * @param made orders that this transaction made; they need no lock
 * @returns what became of each, by order
 */
export async function beginAttempts(
  payments: Payments,
  tx: Tx,
  attempts: readonly Attempt[],
  refused: ReadonlyMap<string, RefusedToken>,
  made: readonly Order[] = [],
): Promise<Map<string, Attempted>> {
  const sent = attempts.flatMap((attempt) => {
    const token = tokenToSend(attempt.token, refused, attempt.at)
    return token === undefined ? [] : [{ ...attempt, token }]
  })
  const sentOrders = new Set(sent.map(({ orderId }) => orderId))
  const unsent = attempts.filter(({ orderId }) => !sentOrders.has(orderId))
  const begun = await beginCharges(payments, tx, sent, made)
  const failed = await recordFailures(payments, tx, unsent, refused)
  return new Map([...begun, ...failed])
}

type SentAttempt = Attempt & { readonly token: PaymentToken }

async function beginCharges(
  payments: Payments,
  tx: Tx,
  sent: readonly SentAttempt[],
  made: readonly Order[],
): Promise<[string, Attempted][]> {
  const results = await payments.initiateCharges(
    tx,
    sent.map(({ orderId, token, amount, at }) => ({
      orderId,
      type: 'Sales',
      amount,
      token,
      payerPresent: false,
      at,
    })),
    made,
  )
  return results.map((result, index) => {
    const orderId = sent[index]?.orderId ?? ''
    if (!result.ok) return [orderId, refusedAttempt(result.reason)]
    const { charge } = result
    return [orderId, { kind: 'begun', transaction: charge.transaction.id, charge }]
  })
}

async function recordFailures(
  payments: Payments,
  tx: Tx,
  unsent: readonly Attempt[],
  refused: ReadonlyMap<string, RefusedToken>,
): Promise<[string, Attempted][]> {
  if (unsent.length === 0) return []
  const results = await payments.recordFailedCharges(
    tx,
    unsent.map(({ orderId, token, at }) => {
      const known = token !== undefined && isChargeable(token, at) ? token : null
      const { responseCode, message } = (known && refused.get(known.token)) ?? NO_TOKEN
      return { orderId, responseCode, message, token: known, at }
    }),
  )
  return results.map((result, index) => {
    const orderId = unsent[index]?.orderId ?? ''
    if (!result.ok) return [orderId, refusedAttempt(result.reason)]
    const { failed } = result
    return [orderId, { kind: 'failed', transaction: failed.transaction.id, found: failed }]
  })
}

function refusedAttempt(reason: ChargeRefusal): Attempted {
  return { kind: BLOCKING.has(reason) ? 'blocked' : 'changed' }
}

/** An attempt to be sent to the acquirer, with its plan's life as its beginning left it. */
export interface BegunAttempt {
  readonly charge: Charge
  readonly life: Life
}

/** Those that were begun, of lives that were saved with them. */
export function begunAttempts(
  attempted: ReadonlyMap<string, Attempted>,
  left: readonly Life[],
): BegunAttempt[] {
  return left.flatMap((life) =>
    life.orders.flatMap(({ orderId }) => {
      const result = attempted.get(orderId)
      return result?.kind === 'begun' ? [{ charge: result.charge, life }] : []
    }),
  )
}
