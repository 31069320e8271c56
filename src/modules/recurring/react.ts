import type { Instant } from '#kernel/clock'
import { isUnresolved, type OrderChange } from '#modules/payments'
import type { Tx } from '#platform/database'
import { attemptFailed, orderPaid, orderReopened, orderVoided, waitOver } from './dunning.ts'
import { type LeftLife, lockLivesOfOrders } from './life.repository.ts'
import type { RecurringNeeds } from './needs.ts'
import type { Life } from './plan.ts'
import { insertRefusedTokens, type RefusedToken } from './refused-token.repository.ts'
import { commitLives } from './tell.ts'

/**
 * What plans make of changes of their orders: an attempt's outcome, whoever learned of it; a payment by link or by the
 * merchant; a void. Runs inside the transaction of the change, with the orders locked, for many at once.
 * @param left lives as attempts left them, by order
 */
export async function reactToOrders(
  needs: RecurringNeeds,
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
  const changed = new Map<string, { before: Life; after: Life; at: Instant }>()
  for (const change of ours) {
    const life = lives.get(planOf.get(change.order.id) ?? '')
    if (life === undefined) continue
    const before = changed.get(life.plan.id)?.after ?? life
    const after = applyChange(before, change)
    if (after !== before) changed.set(life.plan.id, { before: life, after, at: change.at })
  }
  await insertRefusedTokens(tx, ours.flatMap(hardDeclines))
  await commitLives(needs, tx, [...changed.values()])
}

function applyChange(life: Life, change: OrderChange): Life {
  const { order, at } = change
  const known = life.orders.find((candidate) => candidate.orderId === order.id)
  if (known === undefined) return life
  if (order.state === 'completed' && known.state === 'open') return orderPaid(life, order.id, at)
  if (order.state === 'voided' && known.state !== 'voided') return orderVoided(life, order.id, at)
  if (order.state !== 'open') return life
  // Voided in part: what that means shows when the void ends.
  if (known.state === 'paid') return order.voiding === null ? orderReopened(life, order.id) : life
  const resolved = change.transactions.filter(
    ({ before, transaction }) =>
      !isUnresolved(transaction.state) && (before === null || isUnresolved(before.state)),
  )
  const attemptEnded = resolved.some(({ transaction }) => transaction.id === known.attemptTransaction)
  const after = attemptEnded ? attemptFailed(life, order.id, at) : life
  const voidEnded = change.before !== null && change.before.voiding !== null && order.voiding === null
  return resolved.length > 0 || voidEnded || isFreed(change) ? waitOver(after, order.id, at) : after
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
