import type { Instant } from '#kernel/clock'
import { LEASE_MS } from '#modules/acquirers'
import type { Tx } from '#platform/database'
import type { PaymentsContext } from './context.ts'
import { decideVoidOrder } from './decide-void-order.ts'
import type { OrderLedger } from './order-ledger.ts'
import type { Voiding } from './order.ts'
import { PaymentWork } from './payment-work.ts'
import { resumeOrderVoid } from './void-order.ts'
import { byIds } from './order-selector.ts'

export type VoidedNow = 'voided' | 'paid' | 'waiting'

export interface OrderToVoid {
  readonly orderId: string
  readonly at: Instant
}

/** Orders with money on them that are voided at the same time. */
const AT_ONCE = 8

/**
 * Voids orders at the end of their grace (decisions, section 5). Those without money, which are nearly all, go in one
 * transaction, which also begins the voids of the others, so that nobody pays them any more; these go on one by one, with
 * their calls to the acquirer. `paid`: it was paid, so nothing was done. An order that is not due any more is left out, and
 * so is one of which a merchant's void was given up meanwhile: that is to be voided once more.
 * @param findDue which of the orders are still to be voided; asked when they are locked
 */
export async function voidOrdersNow(
  ctx: PaymentsContext,
  businessId: string,
  orders: readonly OrderToVoid[],
  findDue: (tx: Tx) => Promise<ReadonlySet<string>>,
): Promise<Map<string, VoidedNow>> {
  const { ends, rest } = await ctx.db.transact(businessId, (tx) => beginGraceVoids(ctx, tx, orders, findDue))
  for (let start = 0; start < rest.length; start += AT_ONCE) {
    const voided = rest.slice(start, start + AT_ONCE).map(async ({ orderId, at }) => {
      const end = await resumeOrderVoid(ctx, businessId, orderId, at)
      if (end.kind !== 'failed') ends.set(orderId, end.kind)
    })
    await Promise.all(voided)
  }
  return ends
}

/** @returns what became of orders at once, and those that are voided with calls to the acquirer */
async function beginGraceVoids(
  ctx: PaymentsContext,
  tx: Tx,
  orders: readonly OrderToVoid[],
  findDue: (tx: Tx) => Promise<ReadonlySet<string>>,
): Promise<{ ends: Map<string, VoidedNow>; rest: OrderToVoid[] }> {
  const work = await PaymentWork.lock(ctx, tx, byIds(orders.map((order) => order.orderId)))
  const due = await findDue(tx)
  const ends = new Map<string, VoidedNow>()
  const rest: OrderToVoid[] = []
  for (const { orderId, at } of orders) {
    const ledger = work.ledgers.get(orderId)
    if (ledger === undefined || !due.has(orderId)) continue
    const end = beginGraceVoid(ledger, at)
    if (end === null) rest.push({ orderId, at })
    else ends.set(orderId, end)
  }
  await work.save()
  return { ends, rest }
}

/** Voids an order without money; of one with money the void begins, and null is answered. */
function beginGraceVoid(ledger: OrderLedger, at: Instant): VoidedNow | null {
  const { order, transactions } = ledger
  const isPaid = order.state === 'completed' || order.state === 'refunded'
  if (isPaid && order.voiding === null) return 'paid'
  const decided = decideVoidOrder(order, transactions, 'grace', at)
  if (decided.kind === 'voided' || decided.kind === 'refuse') return 'voided'
  if (order.voiding !== null) return null
  if (decided.kind !== 'finish') {
    ledger.changeOrder({ voiding: graceVoid(at) }, at)
    return null
  }
  ledger.move('void', at)
  return 'voided'
}

/** A void that is taken up at once here, and by due work if this process dies. */
function graceVoid(at: Instant): Voiding {
  const dueAt = at.add({ milliseconds: LEASE_MS })
  return { mode: 'grace', idempotencyId: null, requestId: null, dueAt, inquiries: 0 }
}
