import { type Instant, timeOfChange } from '#kernel/clock'
import { derivedId, isDerivedId, msOfId, newId } from '#kernel/ids'
import type { Router } from '#modules/acquirers'
import type { Charge } from '../model/charge.ts'
import type { Operation } from '../model/operation.ts'
import { withWalletOf } from '../model/shown-instrument.ts'
import { INITIATED } from '../model/transaction.ts'
import type { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'
import { type AcquirerResult, responseOf } from '../outcomes/acquirer-result.ts'
import { mayTryAnotherAccount } from '../outcomes/hard-decline.ts'
import { initiatePayment } from './initiate.ts'

/** The amount moves from one reservation to the other in one transaction. */
export function initiateFallback(
  unit: PaymentUnitOfWork,
  router: Router,
  charge: Charge,
  { fallbackAccounts, payerPresent, idempotencyId, requestId, status }: Operation,
  acquirerResult: AcquirerResult,
  receivedAt: Instant,
): Charge | undefined {
  const aggregate = unit.aggregate(charge.order.id)
  const { order } = aggregate
  if (!mayTryAnotherAccount(responseOf(acquirerResult)) || status !== 'sent') return undefined
  if (order.state !== 'open' || order.voiding !== null) return undefined
  const declined = aggregate.transaction(charge.transaction.id)
  const [next, ...left] = fallbackAccounts.flatMap((id) => router.account(id) ?? [])
  if (next === undefined) return undefined
  const at = timeOfChange(order, receivedAt)
  const payment = {
    ...declined,
    ...INITIATED,
    id: isDerivedId(declined.id)
      ? derivedId('txn', msOfId(declined.id), `${declined.id} fallback`)
      : newId('txn'),
    referenceId: null,
    fallbackOf: declined.id,
    instrument: withWalletOf(next, declined.paymentMethod, declined.instrument),
    acquirerAccountId: next.id,
    acquirerName: next.acquirerName,
    merchantId: next.merchantId,
    createdAt: at,
    updatedAt: at,
  }
  const operation = initiatePayment(unit, aggregate, payment, {
    at,
    status: 'sent',
    payerPresent,
    fallbackAccounts: left.map(({ id }) => id),
    reply: { idempotencyId, requestId: requestId ?? '' },
  })
  return { ...charge, operation, transaction: payment, at }
}
