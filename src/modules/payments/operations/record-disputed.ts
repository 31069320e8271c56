import { localDateOf } from '#kernel/time-zone'
import { firstOpenDay, lockedUntil } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import type { PaymentsContext } from '../context.ts'
import { type DisputedPayment, insertDisputedMoney } from '../storage/disputed-money.repository.ts'

/** Books what a dispute took or gave back on the day on which we learn of it, or on the first open one (reference/disputes#books). */
export async function recordDisputed(
  { businesses }: Pick<PaymentsContext, 'businesses'>,
  tx: Tx,
  disputed: DisputedPayment,
): Promise<void> {
  const [closed, { timeZone }] = await Promise.all([lockedUntil(tx), businesses.profile(tx.businessId)])
  await insertDisputedMoney(tx, disputed, firstOpenDay(localDateOf(tx.now, timeZone).toString(), closed))
}
