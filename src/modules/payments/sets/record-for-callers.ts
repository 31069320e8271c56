import type { Outcome } from '#platform/batches/batches'
import type { Tx } from '#platform/postgres/database'
import type { PaymentsContext, Recording } from '../context.ts'
import { isBilled } from '../model/order.ts'
import type { PaymentResult } from '../model/payment-result.ts'
import { recordResults } from '../operations/record-results.ts'

/**
 * Each recording of an order shows the order after it, so a second recording of the same order runs alone. Recordings of a
 * plan's or an invoice's order also run alone: those modules write events of their own, whose cause is the current request.
 */
export async function recordForCallers(
  ctx: PaymentsContext,
  tx: Tx,
  recordings: readonly Recording[],
): Promise<Outcome<PaymentResult>[]> {
  const byOrder = new Map<string, Recording>()
  for (const recording of recordings) {
    const { order } = recording.initiated
    if (!byOrder.has(order.id) && (recordings.length === 1 || !isBilled(order)))
      byOrder.set(order.id, recording)
  }
  const together = [...byOrder.values()]
  const results = await recordResults(
    ctx,
    tx,
    together.map(({ initiated: { operation }, acquirerResult, charge, cause }) => ({
      operation,
      acquirerResult,
      at: tx.now,
      cause,
      ...(charge && { charge }),
    })),
  )
  const recorded = new Map(together.map((recording, index) => [recording, results[index]]))
  return recordings.map((recording): Outcome<PaymentResult> => {
    const value = recorded.get(recording)
    return value === undefined ? { kind: 'alone' } : { kind: 'done', value }
  })
}
