import type { Instant } from '#kernel/clock'
import type { RequestError } from '#kernel/errors'
import { errors } from '../api/errors.ts'
import { renderOrder } from '../api/render.ts'
import { envelopeOf, type PaymentResult } from '../api/replies.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import type { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'

export type VoidFailure = Extract<PaymentResult, 'declined' | 'refused'>

export function endOrderVoid(
  aggregate: OrderAggregate,
  errorWith: (detail: { data: object }) => RequestError,
  at: Instant,
): RequestError {
  aggregate.changeOrder({ voiding: null }, at)
  aggregate.recalculate(at)
  return errorWith({ data: { order: renderOrder(aggregate.order, aggregate.transactions, at) } })
}

export function errorOfVoidFailure(failure: VoidFailure): (detail: { data: object }) => RequestError {
  return failure === 'declined' ? errors.payment_declined : errors.acquirer_refused
}

export function endFailedOrderVoid(
  unit: PaymentUnitOfWork,
  aggregate: OrderAggregate,
  failure: VoidFailure,
  at: Instant,
): void {
  const { voiding } = aggregate.order
  if (voiding?.mode !== 'merchant') return
  const reply = endOrderVoid(aggregate, errorOfVoidFailure(failure), at)
  unit.keepReply(voiding.idempotencyId, reply.status, () => envelopeOf(reply, voiding.requestId ?? ''))
}
