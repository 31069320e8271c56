import { setTimeout as sleep } from 'node:timers/promises'
import { isBefore, realClock } from '#kernel/clock'
import { RequestError } from '#kernel/errors'
import { currentCause } from '#platform/events/events'
import { isUnreachable } from '#platform/postgres/database-errors'
import { errors } from '../errors.ts'
import type { PaymentsContext } from '../context.ts'
import type { InitiatedOperation } from '../model/operation.ts'
import type { AcquirerResult } from '../outcomes/acquirer-result.ts'
import type { PaymentResult } from '../model/payment-result.ts'
import type { Charge } from '../model/charge.ts'
import { performCharge } from './perform.ts'
import { type OperationResult, recordResults } from './record-results.ts'

/** A cut connection is replaced at once; a database fails over in a few seconds. */
const RETRY_PAUSES_MS = [50, 500, 2_000]
/** Far below the lease of an operation, so a database that is back is used before the resolver has to inquire. */
const LATER_PAUSE_MS = 1_000

export async function performWithFallbacks<Recorded extends Pick<PaymentResult, 'fallback'>>(
  ctx: PaymentsContext,
  first: Charge,
  record: (charge: Charge, outcome: AcquirerResult) => Promise<Recorded>,
): Promise<Recorded> {
  for (let charge = first; ;) {
    const recorded = await record(charge, await performCharge(ctx, charge))
    if (recorded.fallback === null) return recorded
    charge = recorded.fallback
  }
}

export function performForCaller(ctx: PaymentsContext, first: Charge): Promise<PaymentResult> {
  return performWithFallbacks(ctx, first, (charge, outcome) =>
    recordForCaller(ctx, charge.businessId, charge, outcome, charge),
  )
}

export function recordForCaller(
  ctx: PaymentsContext,
  businessId: string,
  initiated: InitiatedOperation,
  acquirerResult: AcquirerResult,
  charge?: Charge,
): Promise<PaymentResult> {
  const { operation } = initiated
  const recording = { initiated, acquirerResult, charge, cause: currentCause() }
  return retryRecordingOf(ctx, businessId, [{ operation, acquirerResult }], () =>
    ctx.sets.recordForCallers.submit(businessId, recording),
  )
}

type ReceivedResult = Pick<OperationResult, 'operation' | 'acquirerResult'>

/** Like `retryRecording`. Callers repeat a request that got 504, so results are still recorded when the database is back. */
export async function retryRecordingOf<Recorded>(
  ctx: PaymentsContext,
  businessId: string,
  results: readonly ReceivedResult[],
  record: () => Promise<Recorded>,
): Promise<Recorded> {
  try {
    return await retryRecording(record)
  } catch (error) {
    if (error instanceof RequestError && isUnreachable(error.cause))
      void recordLater(ctx, businessId, results)
    throw error
  }
}

/** Retries until the leases end; then the resolver inquires. No fallback account charges once the caller has its reply. */
async function recordLater(
  ctx: PaymentsContext,
  businessId: string,
  results: readonly ReceivedResult[],
): Promise<void> {
  const isHeld = () =>
    results.some(
      ({ operation: { leasedUntil } }) => leasedUntil !== null && isBefore(realClock.now(), leasedUntil),
    )
  while (isHeld()) {
    await sleep(LATER_PAUSE_MS, undefined, { ref: false })
    try {
      await ctx.db.transact(businessId, (tx) =>
        recordResults(
          ctx,
          tx,
          results.map((result) => ({ ...result, at: tx.now })),
        ),
      )
      return
    } catch (error) {
      if (isUnreachable(error)) continue
      ctx.log.warn({ err: error, business_id: businessId }, 'results of an acquirer could not be recorded')
      return
    }
  }
}

/**
 * Retries the recording while the database is unreachable. If an outcome cannot be recorded, the response is 504. After a 503
 * callers would send the request again, which charges twice without an Idempotency-Key. The resolver finds out the outcome.
 */
export async function retryRecording<Recorded>(record: () => Promise<Recorded>): Promise<Recorded> {
  for (let tries = 0; ; tries++) {
    try {
      return await record()
    } catch (error) {
      if (error instanceof RequestError) throw error
      const pauseMs = RETRY_PAUSES_MS[tries]
      if (pauseMs === undefined || !isUnreachable(error)) {
        throw errors.outcome_unknown({
          message: 'The acquirer’s response could not be recorded, so the outcome is not known yet.',
          cause: error,
        })
      }
      await sleep(pauseMs)
    }
  }
}
