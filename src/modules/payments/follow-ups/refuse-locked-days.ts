import { throwIfRefused } from '#kernel/errors'
import { localDateOf } from '#kernel/time-zone'
import { refuseLocked, taxErrors } from '#modules/taxes'
import type { PaymentsContext } from '../context.ts'
import type { PaidOrder } from '../model/left-to-give-back.ts'
import { isSuccessful, type Transaction } from '../model/transaction.ts'
import type { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'

/** The closed days of a business where there are some. Dates are YYYY-MM-DD. */
export interface ClosedDays {
  readonly until: string
  readonly today: string
}

export async function closedDaysOf(
  ctx: PaymentsContext,
  { tx, lockedUntil: until }: Pick<PaymentUnitOfWork, 'tx' | 'lockedUntil'>,
): Promise<ClosedDays | null> {
  if (until === null) return null
  const { timeZone } = await ctx.businesses.profile(tx.businessId)
  return { until, today: localDateOf(tx.now, timeZone).toString() }
}

/** Throws 409 (`period_locked`) for what counts today: a refund, or the credit note of a void. */
export function refuseToday(closed: ClosedDays | null): void {
  if (closed !== null) throwIfRefused(taxErrors, refuseLocked(closed.today, closed.until))
}

/** Throws 409 (`period_locked`) if a closed day counts the payment, because a payment that is voided no longer counts on its day. */
export function refuseVoidOf(payment: Transaction, closed: ClosedDays | null): void {
  const { type, valueDate } = payment
  const isCounted = (type === 'Sales' || type === 'Capture') && isSuccessful(payment)
  if (closed === null || valueDate === null || !isCounted) return
  throwIfRefused(taxErrors, refuseLocked(valueDate, closed.until))
}

/** As both of them: the void of an order issues a credit note for its invoice, and voids its payments. */
export function refuseOrderVoid({ order, transactions }: PaidOrder, closed: ClosedDays | null): void {
  if (order.invoice !== null) refuseToday(closed)
  for (const transaction of transactions) refuseVoidOf(transaction, closed)
}
