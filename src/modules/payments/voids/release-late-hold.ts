import type { Tx } from '#platform/postgres/database'
import type { PaymentsContext } from '../context.ts'
import { initiateVoid } from '../operations/initiate.ts'
import type { Transaction } from '../model/transaction.ts'
import type { TransactionState } from '../model/transaction.states.ts'
import { byIds } from '../storage/order-selector.ts'
import { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'

/** A charge in one of these states may be recorded as failed at this moment, so it is read again once its order is locked. */
const MAY_FAIL: ReadonlySet<TransactionState> = new Set([
  'failed',
  'initiated',
  'pending',
  'requires_action',
  'unknown',
])

/** Releases what a bank holds for a charge that has failed: its request arrived after its key was closed. */
export async function releaseLateHold(
  ctx: PaymentsContext,
  tx: Tx,
  found: Transaction,
  reference: string,
): Promise<void> {
  if (!MAY_FAIL.has(found.state)) return
  const unit = await PaymentUnitOfWork.lock(ctx, tx, byIds([found.orderId]))
  const aggregate = unit.aggregate(found.orderId)
  const { answer, ...failed } = aggregate.transaction(found.id)
  const held = { ...failed, answer: { ...answer, gatewayTransactionId: reference } }
  if (held.state !== 'failed' || held.voidPending) return
  initiateVoid(unit, aggregate, held, { at: tx.now, status: 'queued' })
  await unit.save()
}
