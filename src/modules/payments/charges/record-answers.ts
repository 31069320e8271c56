import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { type PaymentResult, verdictOfTransaction } from '../api/answer.ts'
import { type AcquirerResult, applyAnswer } from './apply-answer.ts'
import type { Charge, ChargeOutcome, RecordedCharge } from './charge.ts'
import type { PaymentsContext } from '../context.ts'
import { lockBegun, type LockedOperations } from '../storage/lock-begun.ts'
import type { Operation } from '../model/operation.ts'
import { findOperations } from '../storage/operation.repository.ts'
import { PaymentWork } from '../storage/payment-work.ts'
import { byIds } from '../storage/order-selector.ts'
import type { Transaction } from '../model/transaction.ts'

/** What is known of an operation, to be recorded. `at`: the business's time of it. */
export interface KnownAnswer {
  /** It may have changed since: only what never does is used. */
  readonly operation: Operation
  readonly answer: AcquirerResult
  readonly at: Instant
  /** The charge that was begun, when it was begun in this process. */
  readonly charge?: Charge
}

export interface Recorded extends RecordedCharge {
  /** What the operation's caller is told, whoever recorded the outcome. */
  readonly verdict: PaymentResult
}

/**
 * Records answers: transactions, orders, events, kept replies and reactions, for hundreds of orders in as many statements
 * as for one. What somebody else has recorded already is left as it is, so that late answers are harmless.
 */
export async function recordAnswers(
  ctx: PaymentsContext,
  tx: Tx,
  known: readonly KnownAnswer[],
): Promise<Recorded[]> {
  if (known.length === 0) return []
  const [{ work, operations }, { timeZone }] = await Promise.all([
    lockKnown(ctx, tx, known),
    ctx.businesses.profile(tx.businessId),
  ])
  const verdicts = known.map(({ operation: { key }, answer, at }) => {
    const operation = operations.get(key)
    return operation && applyAnswer(work, operation, answer, at, timeZone)
  })
  await work.save()
  return known.map(({ operation: { kind, orderId, transactionId } }, index): Recorded => {
    const { order, transactions } = work.ledger(orderId)
    const transaction = work.ledger(orderId).transaction(transactionId)
    const verdict =
      verdicts[index] ?? (kind === 'void' ? verdictOfVoid(transaction) : verdictOfTransaction(transaction))
    return { order, transactions, transaction, verdict }
  })
}

async function lockKnown(
  ctx: PaymentsContext,
  tx: Tx,
  known: readonly KnownAnswer[],
): Promise<LockedOperations> {
  const orderIds = new Set(known.map(({ operation }) => operation.orderId))
  const charges = known.flatMap(({ charge }) => charge ?? [])
  if (charges.length === known.length && orderIds.size === known.length) return lockBegun(ctx, tx, charges)
  const [work, operations] = await Promise.all([
    PaymentWork.lock(ctx, tx, byIds([...orderIds])),
    findOperations(
      tx,
      known.map(({ operation }) => operation.key),
    ),
  ])
  return { work, operations }
}

/** Records what became of charges. */
export function recordOutcomes(
  ctx: PaymentsContext,
  tx: Tx,
  outcomes: readonly ChargeOutcome[],
): Promise<Recorded[]> {
  return recordAnswers(
    ctx,
    tx,
    outcomes.map(({ charge, outcome, at }) => ({
      operation: charge.begun.operation,
      answer: outcome,
      at,
      charge,
    })),
  )
}

function verdictOfVoid(transaction: Transaction): PaymentResult {
  if (transaction.voidPending) return 'unknown'
  return transaction.state === 'voided' ? 'done' : 'not_processed'
}
