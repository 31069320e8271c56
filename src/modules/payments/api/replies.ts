import type { Static } from 'typebox'
import { errorEnvelope, successEnvelope } from '#platform/envelope'
import type { Reply } from '../storage/payment-unit-of-work.ts'
import { failureOf } from '../outcomes/failure-of.ts'
import type { PaymentResult, TransactionSnapshot } from '../model/payment-result.ts'
import type { OrderVoidResult } from '../model/order-void-result.ts'
import { renderNextAction, renderOrder, renderTransaction } from './render.ts'
import type { OrderData, TransactionData, TransactionWithOrder } from './schemas.ts'

/** Returns the response to a payment, capture, refund or void. Throws the error of a failure. `renderReply` keeps either. */
export function renderPayment(result: PaymentResult): Static<typeof TransactionData> {
  return successOf(result, paymentData(result))
}

export function renderOrderVoid(result: OrderVoidResult): Static<typeof OrderData> {
  return successOf(result, orderVoidData(result))
}

export function renderReply(result: Reply, requestId: string): { status: number; body: string } {
  const data = 'transaction' in result ? paymentData(result) : orderVoidData(result)
  const failure = failureOf(result, { data })
  return failure === null
    ? { status: 200, body: successEnvelope(data) }
    : { status: failure.status, body: errorEnvelope(failure, requestId) }
}

export function renderTransactionWithOrder({
  order,
  transactions,
  transaction,
  at,
}: TransactionSnapshot): Static<typeof TransactionWithOrder> {
  return {
    order: renderOrder(order, transactions, at),
    transaction: renderTransaction(transaction, transactions, at),
  }
}

function successOf<Data extends object>(result: Reply, data: Data): Data {
  const failure = failureOf(result, { data })
  if (failure !== null) throw failure
  return data
}

function paymentData(result: PaymentResult): Static<typeof TransactionData> {
  const {
    kind,
    transaction: { nextAction },
  } = result
  const isSuccess = kind === 'done' || kind === 'pending'
  return {
    ...renderTransactionWithOrder(result),
    ...(isSuccess && nextAction !== null && { next_action: renderNextAction(nextAction) }),
  }
}

function orderVoidData({ order, transactions, at }: OrderVoidResult): Static<typeof OrderData> {
  return { order: renderOrder(order, transactions, at) }
}
