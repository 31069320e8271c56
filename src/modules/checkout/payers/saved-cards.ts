import { isChargeable, type PaymentToken } from '#modules/customers'
import type { Tx } from '#platform/postgres/database'
import type { CheckoutDependencies } from '../dependencies.ts'

export async function savedCardsOf(
  { customers }: Pick<CheckoutDependencies, 'customers'>,
  tx: Tx,
  customerUuid: string,
): Promise<PaymentToken[]> {
  const tokens = await customers.listCards(tx, customerUuid)
  return tokens
    .filter((token) => isChargeable(token, tx.now))
    .toSorted((one, other) => Number(other.isDefault) - Number(one.isDefault))
}
