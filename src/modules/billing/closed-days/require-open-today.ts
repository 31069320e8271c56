import { errorOf, type RequestError } from '#kernel/errors'
import { localDateOf } from '#kernel/time-zone'
import { lockedUntil, refuseLocked, taxErrors } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import type { BillingContext } from '../context.ts'

/**
 * Refuses (409 `period_locked`) what requests would issue or refund today, if today is closed. Billing runs are not refused.
 * @param counts whether there is something that would count today; else nothing is read
 */
export async function refusedToday(
  { businesses }: BillingContext,
  tx: Tx,
  counts: boolean,
): Promise<RequestError | null> {
  if (!counts) return null
  const [until, { timeZone }] = await Promise.all([lockedUntil(tx), businesses.profile(tx.businessId)])
  const refused = refuseLocked(localDateOf(tx.now, timeZone).toString(), until)
  return refused && errorOf(taxErrors, refused)
}

export async function requireOpenToday(ctx: BillingContext, tx: Tx, counts: boolean): Promise<void> {
  const refused = await refusedToday(ctx, tx, counts)
  if (refused !== null) throw refused
}
