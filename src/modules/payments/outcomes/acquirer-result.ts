import type { Instant } from '#kernel/clock'
import { isPayerDeadlinePassed } from '#kernel/inquiry-times'
import type { AcquirerRecord, VerifyOutcome } from '#modules/acquirers'
import type { Operation } from '../model/operation.ts'
import { type AcquirerResponse, NO_RESPONSE, type Transaction } from '../model/transaction.ts'
import type { TransactionEvent } from '../model/transaction.states.ts'
import type { PaymentResult } from '../model/payment-result.ts'

/**
 * The acquirer's outcome, or that its key is closed with nothing booked under it. The latter is `absent` after an inquiry, and
 * `canceled` or `expired` for a payment that waited for its payer. `isAbandoned`: the sender of a charge died before it
 * recorded anything.
 */
export type AcquirerResult = (VerifyOutcome | { readonly kind: 'absent' | 'canceled' | 'expired' }) & {
  readonly isAbandoned?: boolean
}

/** If an inquiry gets no answer, a void stays pending. A void that is still pending after a day may need a person. */
export function decideResult(
  { kind, status, startedAt }: Operation,
  acquirerResult: AcquirerResult,
  at: Instant,
): PaymentResult['kind'] {
  const result = resultOf(acquirerResult)
  const isPending = result === 'pending' || (result === 'unknown' && status === 'pending')
  if (kind !== 'void' || !isPending) return result
  return isPayerDeadlinePassed(startedAt, at) ? 'unknown' : 'pending'
}

function resultOf({ kind }: AcquirerResult): PaymentResult['kind'] {
  switch (kind) {
    case 'approved':
      return 'done'
    case 'absent':
    case 'canceled':
    case 'expired':
      return 'not_processed'
    case 'declined':
    case 'pending':
    case 'refused':
    case 'unknown':
      return kind
  }
}

export function eventOf({ type }: Transaction, acquirerResult: AcquirerResult): TransactionEvent {
  switch (acquirerResult.kind) {
    case 'approved':
      return type === 'Authorization' ? 'authorize' : 'approve'
    case 'pending':
      return acquirerResult.nextAction === undefined ? 'wait' : 'challenge'
    case 'unknown':
      return 'lose'
    case 'absent':
    case 'canceled':
    case 'expired':
    case 'declined':
    case 'refused':
      return 'decline'
  }
}

export function responseOf(acquirerResult: AcquirerResult): AcquirerResponse {
  switch (acquirerResult.kind) {
    case 'approved':
    case 'pending':
      return { ...recordOf(acquirerResult), hard: false, failure: null }
    case 'declined':
      return {
        ...recordOf(acquirerResult),
        ...(acquirerResult.reason !== undefined && { declineCode: acquirerResult.reason }),
        hard: acquirerResult.hard,
        failure: 'declined',
      }
    case 'refused':
      return failed('refused', acquirerResult.responseCode, acquirerResult.responseMessage)
    case 'unknown':
      return failed(acquirerResult.isAbandoned ? 'abandoned' : null, '', acquirerResult.responseMessage)
    case 'absent': {
      const failure = acquirerResult.isAbandoned ? 'abandoned' : 'not_processed'
      return failed(failure, 'not_processed', 'It never reached the acquirer’s books.')
    }
    case 'canceled':
      return failed('canceled', 'canceled', 'Canceled before the payer confirmed.')
    case 'expired':
      return failed('canceled', 'expired', 'The payer did not confirm in time.')
  }
}

function failed(failure: AcquirerResponse['failure'], code: string, message: string): AcquirerResponse {
  return { ...NO_RESPONSE, responseCode: code, responseMessage: message, failure }
}

function recordOf(record: AcquirerRecord): AcquirerRecord {
  return {
    gatewayTransactionId: record.gatewayTransactionId,
    rrn: record.rrn,
    authCode: record.authCode,
    batchNumber: record.batchNumber,
    responseCode: record.responseCode,
    responseMessage: record.responseMessage,
  }
}
