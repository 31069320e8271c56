import type { Instant } from '#kernel/clock'
import type { TimeZone } from '#kernel/time-zone'
import type { Tx } from '#platform/database'
import { verdictOfTransaction } from './answer.ts'
import type { Verdict } from './answer.ts'
import { applyAnswer } from './apply-answer.ts'
import type { Answer } from './apply-answer.ts'
import type { Charge, ChargeOutcome, RecordedCharge } from './charge.ts'
import type { PaymentsContext } from './context.ts'
import { type Begun, lockBegun } from './lock-begun.ts'
import { findOperations } from './operation.repository.ts'
import { PaymentWork } from './payment-work.ts'
import { byIds } from './order-selector.ts'

/** What is known of an operation, to be recorded. `at`: the business's time of it. */
export interface KnownAnswer {
  readonly key: string
  readonly orderId: string
  readonly transactionId: string
  readonly answer: Answer
  readonly at: Instant
  readonly zone: TimeZone
  /** The charge that was begun, when it was begun in this process. */
  readonly charge?: Charge
}

export interface Recorded extends RecordedCharge {
  /** What the operation's caller is told, whoever recorded the outcome. */
  readonly verdict: Verdict
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
  const { work, operations } = await lockKnown(ctx, tx, known)
  const verdicts = known.map((one) => {
    const operation = operations.get(one.key)
    return operation && applyAnswer(work, operation, one.answer, one.at, one.zone)
  })
  await work.save()
  return known.map((one, index): Recorded => {
    const { order, transactions } = work.ledger(one.orderId)
    const transaction = work.ledger(one.orderId).transaction(one.transactionId)
    const isVoid = one.key !== one.transactionId
    const verdict =
      verdicts[index] ?? (isVoid ? verdictOfVoid(transaction) : verdictOfTransaction(transaction))
    return { order, transactions, transaction, verdict }
  })
}

async function lockKnown(ctx: PaymentsContext, tx: Tx, known: readonly KnownAnswer[]): Promise<Begun> {
  const orderIds = new Set(known.map((one) => one.orderId))
  const charges = known.flatMap(({ charge }) => charge ?? [])
  if (charges.length === known.length && orderIds.size === known.length) return lockBegun(ctx, tx, charges)
  const [work, operations] = await Promise.all([
    PaymentWork.lock(ctx, tx, byIds([...orderIds])),
    findOperations(
      tx,
      known.map((one) => one.key),
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
      key: charge.transaction.id,
      orderId: charge.transaction.orderId,
      transactionId: charge.transaction.id,
      answer: outcome,
      at,
      zone: charge.zone,
      charge,
    })),
  )
}

function verdictOfVoid(transaction: { state: string; voidPending: boolean }): Verdict {
  if (transaction.voidPending) return 'unknown'
  return transaction.state === 'voided' ? 'done' : 'not_processed'
}
