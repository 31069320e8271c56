import type { Currency } from '#kernel/currencies'
import { errorOf } from '#kernel/errors'
import { Money } from '#kernel/money'
import { settings } from '#modules/taxes'
import type { Caller } from '#platform/caller'
import { errors } from '../errors.ts'
import type { PaymentsContext } from '../context.ts'
import { previewForCaller } from '../follow-ups/follow-up.ts'
import { closedDaysOf, refuseOrderVoid } from '../follow-ups/refuse-locked-days.ts'
import { byIds } from '../storage/order-selector.ts'
import { findOrders } from '../storage/order-read.repository.ts'
import { decideVoidOrder, type OrderVoidDecision } from './decide-void-order.ts'
import { initiateFirst } from '../follow-ups/void-transaction.ts'
import type { FollowUpRequest } from '../model/order-requests.ts'

export function previewVoidTransaction(
  ctx: PaymentsContext,
  caller: Caller,
  request: FollowUpRequest,
): Promise<Money> {
  return previewForCaller(ctx, caller, request, (locked) => initiateFirst(locked, request))
}

export async function previewVoidOrder(ctx: PaymentsContext, caller: Caller, id: string): Promise<Money> {
  return ctx.db.transact(
    caller.businessId,
    async (tx) => {
      const [found] = await findOrders(tx, byIds([id]))
      if (found === undefined) throw errors.order_not_found({ param: 'order.number' })
      const { order, transactions } = found
      const decision = decideVoidOrder(order, transactions, order.voiding?.mode ?? 'merchant', tx.now)
      if (order.voiding === null) {
        const { lockedUntil } = await settings(tx)
        refuseOrderVoid(found, await closedDaysOf(ctx, { tx, lockedUntil }))
      }
      return releasedBy(decision, order.currency)
    },
    { isSnapshot: true },
  )
}

function releasedBy(decision: OrderVoidDecision, currency: Currency): Money {
  if ('refused' in decision) throw errorOf(errors, decision)
  let released = Money.zero(currency)
  if (decision.kind !== 'reverse') return released
  for (const { transaction } of decision.reversals) released = released.plus(transaction.amount)
  return released
}
