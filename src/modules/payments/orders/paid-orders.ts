import type { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import { givenCreditOf, type PaymentsContext } from '../context.ts'
import { overpaidOf } from '../model/left-to-give-back.ts'
import { findOrdersById, type OrderWithTransactions } from '../storage/order-read.repository.ts'

/** An order with its payments. - `overpaid`: What of it is over-paid and still there. */
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
    [...found].map(([id, paid]) => [id, { ...paid, overpaid: overpaidOf(paid, given.get(id)) }] as const),
  )
}
