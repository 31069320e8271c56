import type { PayableInvoice } from '#modules/invoices'
import type { OrdersForTransfers } from '#modules/payments'
import type { BankEntry, EntryMatch } from '../model/bank-entry.ts'

/**
 * Sorts entries by whether their matches can be undone. An entry sees what those before it took: two transfers of one order may each
 * be undone, and not both.
 */
export function decideUndone(
  entries: readonly BankEntry[],
  matches: ReadonlyMap<string, readonly EntryMatch[]>,
  locked: Pick<OrdersForTransfers, 'isInUse'>,
  creditedOrders: ReadonlySet<string>,
): Partial<Record<'credited' | 'inUse' | 'undone', BankEntry[]>> {
  const taken: EntryMatch[] = []
  const isUsed = ({ orderId, transactionId }: EntryMatch) => {
    const earlier = taken.filter((one) => one.orderId === orderId).map((one) => one.transactionId)
    return locked.isInUse(orderId, [...earlier, transactionId])
  }
  return Object.groupBy(entries, ({ id }) => {
    const ofEntry = matches.get(id) ?? []
    if (ofEntry.some(isUsed)) return 'inUse'
    if (ofEntry.some(({ orderId }) => creditedOrders.has(orderId))) return 'credited'
    taken.push(...ofEntry)
    return 'undone'
  })
}

/** The orders whose invoices were credited beyond what was due: without their payment they would be due again. */
export function creditedBeyondDue(
  { orders }: Pick<OrdersForTransfers, 'orders'>,
  invoices: readonly PayableInvoice[],
): ReadonlySet<string> {
  return new Set(
    invoices
      .filter(({ orderId, creditedTotal }) => {
        const order = orders.get(orderId)
        return order !== undefined && creditedTotal.greaterThan(order.creditedTotal)
      })
      .map(({ orderId }) => orderId),
  )
}
