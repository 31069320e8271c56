import type { ModelTransaction, OrderModel } from './order-model.ts'

/**
 * The reasons for which the next movement may be refused, while nothing else is under way: a request that fits must not
 * be refused, and one that does not fit must not be taken (the sums of the order show that later).
 */
export function mayBeRefused(
  model: OrderModel,
  { type, amountMinor, original }: ModelTransaction,
): (reason: string) => boolean {
  const reasons = new Set(
    original === undefined
      ? refusalsOfPayment(model, amountMinor)
      : refusalsOfFollowUp(model, original, type === 'Capture' ? 'Capture' : 'Refund', amountMinor),
  )
  return (reason) => reasons.has(reason)
}

function* refusalsOfPayment(model: OrderModel, amountMinor: bigint): Generator<string> {
  if (model.state !== 'open' || model.life.timeoutS !== null) yield 'order_not_payable'
  if (amountMinor > model.freeMinor) yield 'payment_in_progress'
  if (amountMinor > model.totalMinor - model.grossMinor) yield 'amount_too_large'
}

function* refusalsOfFollowUp(
  model: OrderModel,
  original: ModelTransaction,
  type: 'Capture' | 'Refund',
  amountMinor: bigint,
): Generator<string> {
  const left = model.leftOf(original, type)
  if (amountMinor > left) yield 'amount_too_large'
  if (left === 0n) yield type === 'Capture' ? 'nothing_left_to_capture' : 'nothing_left_to_refund'
  // A hold lapses after seven days of a clock that others move, and some acquirers take one capture of it only.
  if (type === 'Capture') yield 'transaction_not_capturable'
}
