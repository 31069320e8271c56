import type { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import { givenCreditOf, type PaymentsContext } from '../context.ts'
import { overpaidOf, repaidBeyond } from '../model/left-to-give-back.ts'
import { findOrdersById, type OrderWithTransactions } from '../storage/order-read.repository.ts'

/**
 * An order with its payments.
 * - `overpaid`: What of it is over-paid and still there; negative where more than that was given back by hand.
 */
export interface PaidOrderView extends OrderWithTransactions {
  readonly overpaid: Money
}

export async function paidOrders(
  ctx: PaymentsContext,
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PaidOrderView>> {
  const found = await findOrdersById(tx, ids)
  const given = await givenCreditOf(
    ctx,
    tx,
    [...found.values()].map(({ order }) => order),
  )
  return new Map(
    [...found].map(([id, paid]) => {
      const overpaid = overpaidOf(paid, given.get(id)).minus(repaidBeyond(paid.order))
      return [id, { ...paid, overpaid }] as const
    }),
  )
}
