import { type Instant, laterOf, timeOfChange } from '#kernel/clock'
import { isUnresolved, type OrderChange, type Transaction } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import {
  attemptAgain,
  attemptFailed,
  attemptLeftShort,
  orderPaid,
  orderReopened,
  orderVoided,
  waitOver,
} from './dunning.ts'
import { type LeftLife, lockLivesOfOrders } from '../storage/life.repository.ts'
import type { RecurringDependencies } from '../dependencies.ts'
import type { Life, PlanOrder } from '../plan/plan.ts'
import { insertRefusedTokens, type RefusedToken } from '../storage/refused-token.repository.ts'
import type { LifeChange } from '../storage/save-lives.ts'
import { commitLives } from '../storage/tell.ts'

/**
 * What plans make of changes of their orders: an attempt's outcome, whoever learned of it; a payment by link or by the
 * merchant; a void. Runs inside the transaction of the change, with the orders locked, for many at once.
 * @param left lives as attempts left them, by order
 */
export async function reactToOrders(
  deps: RecurringDependencies,
  tx: Tx,
  changes: readonly OrderChange[],
  left: ReadonlyMap<string, LeftLife> = new Map(),
): Promise<void> {
  const ours = changes.filter(({ order, before }) => order.type === 'recurring' && before !== null)
  if (ours.length === 0) return
  const { planOf, lives } = await lockLivesOfOrders(
    tx,
    ours.map(({ order }) => order.id),
    left,
  )
  const changed = new Map<string, LifeChange>()
  for (const change of ours) {
    const life = lives.get(planOf.get(change.order.id) ?? '')
    if (life === undefined) continue
    const known = changed.get(life.plan.id)
    const before = known?.after ?? life
    const at = timeOfChange(life.plan, laterOf(change.at, known?.at ?? change.at))
    const after = applyChange(before, { ...change, at })
    if (after !== before) changed.set(life.plan.id, { before: life, after, at })
  }
  await insertRefusedTokens(tx, ours.flatMap(hardDeclines))
  await commitLives(deps, tx, [...changed.values()])
}

function applyChange(life: Life, change: OrderChange): Life {
  const { order, at } = change
  const known = life.orders.find((candidate) => candidate.orderId === order.id)
  if (known === undefined) return life
  if (order.state === 'completed' && known.state === 'open') return orderPaid(life, order.id, at)
  if (order.state === 'voided' && known.state !== 'voided') return orderVoided(life, order.id, at)
  // Voided in part, or an attempt taken back: what that means shows when the void ends.
  if (order.state !== 'open' || order.voiding !== null) return life
  if (known.state === 'paid') return orderReopened(life, order.id)
  const after = attemptOver(life, known, change)
  return isWaitOver(change) ? waitOver(after, order.id, at) : after
}

/** The life after the attempt that it waits for, if that has ended and its order is open all the same. */
function attemptOver(life: Life, { orderId, attemptTransaction }: PlanOrder, change: OrderChange): Life {
  const { at, allTransactions } = change
  const attempt = allTransactions.find(({ id }) => id === attemptTransaction)
  if (attempt === undefined || isUnresolved(attempt.state)) return life
  if (attempt.state !== 'failed') return attemptLeftShort(life, orderId)
  const isOurs = isTakenBack(attempt, change) || isAbandoned(attempt, allTransactions)
  return isOurs ? attemptAgain(life, orderId, at) : attemptFailed(life, orderId, at)
}

/** Of one order: after that they count, since the attempt itself may be what our process dies of. */
const MAX_ABANDONED = 5

/** Whether our process died before it said what came of the attempt, and the acquirer never heard of it. */
function isAbandoned(attempt: Transaction, allTransactions: readonly Transaction[]): boolean {
  const abandoned = allTransactions.filter(({ answer }) => answer.failure === 'abandoned')
  return abandoned.includes(attempt) && abandoned.length <= MAX_ABANDONED
}

/** Whether we closed its key for a void that was given up: nobody declined it. */
function isTakenBack({ answer: { failure } }: Transaction, change: OrderChange): boolean {
  return isVoidOver(change) && (failure === 'canceled' || failure === 'not_processed')
}

/** Of an open order: whether a void of it was given up. */
function isVoidOver({ before, order }: OrderChange): boolean {
  return before !== null && before.voiding !== null && order.voiding === null
}

/** Whether anything has ended that the order's attempt or void may have waited for. */
function isWaitOver(change: OrderChange): boolean {
  const isResolved = change.transactions.some(
    ({ before, transaction }) =>
      !isUnresolved(transaction.state) && (before === null || isUnresolved(before.state)),
  )
  return isResolved || isVoidOver(change) || isFreed(change)
}

/** Less is reserved than before, also when an authorization that nobody captured is voided or lapses. */
function isFreed({ before, order }: OrderChange): boolean {
  return before !== null && order.reservedTotal.lessThan(before.reservedTotal)
}

function hardDeclines({ transactions, at }: OrderChange): (RefusedToken & { at: Instant })[] {
  return transactions.flatMap(({ transaction: { state, token, answer } }) =>
    state === 'failed' && answer.hard && token !== null
      ? [{ token, responseCode: answer.responseCode, message: answer.responseMessage, at }]
      : [],
  )
}
