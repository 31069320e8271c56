import { localDateOf, type TimeZone } from '#kernel/time-zone'
import type { OrderMoney } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import type { InvoicesContext, Settlement } from '../context.ts'

export interface DatedSettlement extends Settlement {
  readonly date: string
}

/**
 * What was written off at a match counts as long as its payment: from the value date until a return. What was reversed of it counts
 * from its own day.
 */
export async function readSettlements(
  { settlementReaders }: InvoicesContext,
  tx: Tx,
  orderIds: readonly string[],
  { money, zone }: { readonly money: readonly OrderMoney[]; readonly zone: TimeZone },
): Promise<DatedSettlement[]> {
  const found = await Promise.all(settlementReaders.map((read) => read(tx, orderIds)))
  const byTransaction = Map.groupBy(money, ({ transactionId }) => transactionId)
  return found.flat().flatMap((settlement): DatedSettlement[] => {
    const { transactionId, amount, at } = settlement
    const ownDate = localDateOf(at, zone).toString()
    if (transactionId === null) return [{ ...settlement, date: ownDate }]
    return (byTransaction.get(transactionId) ?? []).map(({ type, date }) =>
      type === 'Return'
        ? { ...settlement, amount: amount.negated(), date }
        : { ...settlement, date: amount.isNegative() ? ownDate : date },
    )
  })
}
