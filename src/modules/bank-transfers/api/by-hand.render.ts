import type { Static } from 'typebox'
import { renderInvoiceView } from '#modules/invoices'
import { renderOrder, renderTransaction } from '#modules/payments'
import type { MovedOverpayment } from '../by-hand/move-overpayment.ts'
import type { RecordedPayment } from '../by-hand/record-payment.ts'
import type { RecordedRepayment } from '../by-hand/record-repayment.ts'
import type { UndonePayment } from '../by-hand/undo-payment.ts'
import type { WrittenOff } from '../by-hand/write-off.ts'
import type {
  MovedOverpaymentData,
  RecordedPaymentData,
  RecordedRepaymentData,
  UndonePaymentData,
  WrittenOffData,
} from './by-hand.schemas.ts'

export function renderRecordedPayment(recorded: RecordedPayment): Static<typeof RecordedPaymentData> {
  return { invoice: renderInvoiceView(recorded.invoice), transaction: transactionOf(recorded) }
}

export function renderUndonePayment(undone: UndonePayment): Static<typeof UndonePaymentData> {
  return {
    ...(undone.invoice !== undefined && { invoice: renderInvoiceView(undone.invoice) }),
    order: orderOf(undone),
    transaction: transactionOf(undone),
  }
}

export function renderRecordedRepayment(recorded: RecordedRepayment): Static<typeof RecordedRepaymentData> {
  const { refunds, transactions, at } = recorded
  return {
    order: orderOf(recorded),
    transactions: refunds.map((refund) => renderTransaction(refund, transactions, at)),
  }
}

export function renderMovedOverpayment(moved: MovedOverpayment): Static<typeof MovedOverpaymentData> {
  return { order: orderOf(moved) }
}

export function renderWrittenOff(written: WrittenOff): Static<typeof WrittenOffData> {
  return { invoice: renderInvoiceView(written.invoice), order: orderOf(written) }
}

function orderOf({ order, transactions, at }: MovedOverpayment) {
  return renderOrder(order, transactions, at)
}

function transactionOf({
  transactions,
  transactionId,
  at,
}: MovedOverpayment & { readonly transactionId: string }) {
  const transaction = transactions.find(({ id }) => id === transactionId)
  if (transaction === undefined) throw new Error(`transaction ${transactionId} was not recorded`)
  return renderTransaction(transaction, transactions, at)
}
