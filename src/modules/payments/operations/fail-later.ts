import { localDateOf } from '#kernel/time-zone'
import { firstOpenDay, lockedUntil } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import type { PaymentsContext } from '../context.ts'
import { FAILED_LATER, type Transaction } from '../model/transaction.ts'
import { NOT_SUCCEEDED } from '../model/value-date.ts'
import { byIds } from '../storage/order-selector.ts'
import { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'
import { retryFailedReversal } from './apply-result.ts'

const KINDS = { Sales: 'sale', Capture: 'capture', Refund: 'refund' } as const

/**
 * Fails a transaction that the acquirer had accepted. If the notice comes before the transaction is recorded, it is handled
 * again after the recording. A notice for a transaction that has failed already changes nothing.
 */
export async function failLater(ctx: PaymentsContext, tx: Tx, found: Transaction): Promise<void> {
  const unit = await PaymentUnitOfWork.lock(ctx, tx, byIds([found.orderId]))
  const aggregate = unit.aggregate(found.orderId)
  const transaction = aggregate.transaction(found.id)
  if (transaction.state !== 'succeeded' || transaction.type === 'Authorization') return
  const reference = paymentReferenceOf(transaction, aggregate.transactions)
  const kind = KINDS[transaction.type]
  const { acquirerAccountId: accountId, acquirerName } = transaction
  const failure = await ctx.acquirers.laterFailure(
    tx,
    { accountId, acquirerName },
    { kind, key: found.id, reference },
  )
  if (failure === null) return
  const at = tx.now
  const answer = {
    ...transaction.answer,
    ...failure,
    hard: false,
    failure: 'declined',
    declineCode: FAILED_LATER,
  } as const
  const dates = await datesAfterFailure(ctx, tx, transaction)
  aggregate.change(found.id, { state: 'failed', answer, ...dates, settlesAt: null }, at)
  aggregate.recordEvent('transaction.failed', at, found.id)
  aggregate.recalculate(at, 'late_failure')
  retryFailedReversal(unit, aggregate, aggregate.transaction(found.id), at)
  await unit.save()
}

/** A closed day keeps what it counted, and the failure counts on the first open day, as a return of the bank. */
async function datesAfterFailure(
  { businesses }: PaymentsContext,
  tx: Tx,
  { valueDate }: Transaction,
): Promise<Partial<Transaction>> {
  const [closed, { timeZone }] = await Promise.all([lockedUntil(tx), businesses.profile(tx.businessId)])
  if (closed === null || valueDate === null || valueDate > closed) return NOT_SUCCEEDED
  return { returnedOn: firstOpenDay(localDateOf(tx.now, timeZone).toString(), closed) }
}

function paymentReferenceOf(
  { originalId, answer }: Transaction,
  transactions: readonly Transaction[],
): string {
  const original = transactions.find(({ id }) => id === originalId)
  return (original ?? { answer }).answer.gatewayTransactionId
}
