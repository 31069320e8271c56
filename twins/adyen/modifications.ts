import { type Amount, positiveAmountOf } from './amounts.ts'
import { type Desk, newPspReference } from './desk.ts'
import { openTestDispute } from './disputes.ts'
import { invalid, missingField, unknownOriginal } from './errors.ts'
import { type Json, merchantAccountOf, onlyMembersOf, text } from './json.ts'
import type { JournalLine, Modification, PaymentState } from './model.ts'
import { notifyFailure, notifyModification, notifyNothingCancelled } from './notices.ts'
import { failsAtTheBank } from './triggers.ts'

// Adyen responds to a modification with `received` and sends its result by webhook. The twin decides at once and
// notifies later.

/** POST /payments/{paymentPspReference}/captures. */
export function capture(desk: Desk, paymentPsp: string, body: Json): Json {
  onlyMembersOf('PaymentCaptureRequest', body)
  const payment = originalOf(desk, paymentPsp, body)
  const amount = positiveAmountOf(body)
  if (amount.currency !== payment.amount.currency)
    throw invalid('138', 'The currency is not that of the payment')
  const modification = newModification('capture', payment, body, amount, refusalOfCapture(payment, amount))
  book(desk, payment, modification)
  return { ...received(payment, modification), amount }
}

export function captureAutomatically(desk: Desk, payment: PaymentState): void {
  if (payment.amount.value === 0) return
  const modification: Modification = {
    psp: newPspReference(),
    kind: 'capture',
    payment: payment.psp,
    reference: payment.reference,
    amount: payment.amount,
    success: true,
    reason: '',
  }
  book(desk, payment, modification, 'silent')
}

/** POST /payments/{paymentPspReference}/refunds. */
export function refund(desk: Desk, paymentPsp: string, body: Json): Json {
  onlyMembersOf('PaymentRefundRequest', body)
  const payment = originalOf(desk, paymentPsp, body)
  const amount = positiveAmountOf(body)
  if (amount.currency !== payment.amount.currency)
    throw invalid('138', 'The currency is not that of the payment')
  const modification = newModification('refund', payment, body, amount, refusalOfRefund(payment, amount))
  book(desk, payment, modification)
  return { ...received(payment, modification), amount }
}

/** POST /payments/{paymentPspReference}/cancels. */
export function cancel(desk: Desk, paymentPsp: string, body: Json): Json {
  onlyMembersOf('PaymentCancelRequest', body)
  const payment = originalOf(desk, paymentPsp, body)
  const modification = newModification('cancel', payment, body, payment.amount, refusalOfCancel(payment))
  book(desk, payment, modification)
  return received(payment, modification)
}

/** POST /payments/{paymentPspReference}/reversals: refunds what was captured, else cancels. */
export function reverse(desk: Desk, paymentPsp: string, body: Json): Json {
  onlyMembersOf('PaymentReversalRequest', body)
  const payment = originalOf(desk, paymentPsp, body)
  const left = payment.captured - payment.refunded
  const amount = { ...payment.amount, value: left }
  const modification =
    payment.captures > 0
      ? newModification('refund', payment, body, amount, left > 0 ? '' : INSUFFICIENT_BALANCE)
      : newModification('cancel', payment, body, payment.amount, refusalOfCancel(payment))
  book(desk, payment, modification, 'CANCEL_OR_REFUND')
  return received(payment, modification)
}

/** POST /cancels cancels the payments of a merchant reference, but none that arrives later. */
export function technicalCancel(desk: Desk, body: Json): Json {
  onlyMembersOf('StandalonePaymentCancelRequest', body)
  const merchantAccount = merchantAccountOf(body)
  const paymentReference = text(body, 'paymentReference')
  if (paymentReference === null) throw missingField('paymentReference')
  const psp = newPspReference()
  const payments = desk.model.paymentsOf(merchantAccount, paymentReference)
  const open = payments.filter((payment) => refusalOfCancel(payment) === '')
  for (const payment of open) {
    const modification = newModification('cancel', payment, body, payment.amount, '')
    book(desk, payment, { ...modification, psp }, 'TECHNICAL_CANCEL')
  }
  const last = payments.at(-1)
  if (open.length === 0) {
    notifyNothingCancelled(desk, {
      merchantAccount,
      psp,
      paymentReference,
      amount: last?.amount ?? { currency: 'EUR', value: 0 },
      reason: last === undefined ? 'Transaction not found' : refusalOfCancel(last),
    })
  }
  const reference = text(body, 'reference')
  return {
    merchantAccount,
    paymentReference,
    pspReference: psp,
    status: 'received',
    ...(reference !== null && { reference }),
  }
}

const INSUFFICIENT_BALANCE = 'Insufficient balance on payment'

/** An account takes one capture, which releases the rest, unless its name contains `PartialCaptures`. */
function refusalOfCapture(payment: PaymentState, { value }: Amount): string {
  if (payment.resultCode !== 'Authorised') return 'Transaction has not been authorised'
  if (payment.cancelled) return 'Transaction has been cancelled'
  if (payment.captured + value > payment.amount.value) return INSUFFICIENT_BALANCE
  if (payment.captures > 0 && !payment.merchantAccount.includes('PartialCaptures'))
    return INSUFFICIENT_BALANCE
  return ''
}

function refusalOfRefund(payment: PaymentState, { value }: Amount): string {
  if (payment.captures === 0) return "Transaction hasn't been captured, refund not possible"
  return payment.refunded + value > payment.captured ? INSUFFICIENT_BALANCE : ''
}

function refusalOfCancel(payment: PaymentState): string {
  if (payment.resultCode !== 'Authorised') return 'Transaction has not been authorised'
  if (payment.cancelled) return 'Transaction has already been cancelled'
  return payment.captures > 0 ? 'Transaction has already been captured' : ''
}

const OPERATIONS = { capture: 'capture', refund: 'refund', cancel: 'void' } as const
const EVENT_CODES = { capture: 'CAPTURE', refund: 'REFUND', cancel: 'CANCELLATION' } as const

/** Adyen sends no CAPTURE notice for an automatic capture: pass `silent`. */
function book(
  desk: Desk,
  payment: PaymentState,
  modification: Modification,
  as?: 'silent' | 'CANCEL_OR_REFUND' | 'TECHNICAL_CANCEL',
): void {
  const { kind } = modification
  const fails = kind !== 'cancel' && modification.success && failsAtTheBank(payment.card.holderName, kind)
  const moves = modification.success && !fails
  desk.push({ type: 'modification', modification: { ...modification, success: moves } })
  desk.move(payment, {
    key: modification.reference ?? payment.reference,
    operation: OPERATIONS[kind],
    amount: modification.amount,
    outcome: moves ? 'approved' : 'declined',
    reference: kind === 'refund' ? modification.psp : payment.psp,
  })
  if (as !== 'silent') notifyModification(desk, payment, { modification, eventCode: as ?? EVENT_CODES[kind] })
  if (fails) notifyFailure(desk, payment, modification)
  if (!moves || kind === 'cancel') return
  desk.push({ type: 'journal', line: journalLine(desk, payment, modification) })
  if (kind === 'capture') openTestDispute(desk, payment, modification)
}

function journalLine(desk: Desk, payment: PaymentState, modification: Modification): JournalLine {
  const { amount, kind } = modification
  return {
    type: kind === 'capture' ? 'Settled' : 'Refunded',
    merchantAccount: payment.merchantAccount,
    payment: payment.psp,
    modificationPsp: modification.psp,
    modificationReference: modification.reference ?? '',
    amount: kind === 'capture' ? amount : { ...amount, value: -amount.value },
    atMs: desk.nowMs,
  }
}

function originalOf(desk: Desk, psp: string, body: Json): PaymentState {
  const merchantAccount = merchantAccountOf(body)
  const payment = desk.model.payments.get(psp)
  if (payment === undefined || payment.merchantAccount !== merchantAccount) throw unknownOriginal()
  return payment
}

function newModification(
  kind: Modification['kind'],
  payment: PaymentState,
  body: Json,
  amount: Amount,
  refusal: string,
): Modification {
  return {
    psp: newPspReference(),
    kind,
    payment: payment.psp,
    reference: text(body, 'reference'),
    amount,
    success: refusal === '',
    reason: refusal,
  }
}

function received(payment: PaymentState, { psp, reference }: Modification): Json {
  return {
    merchantAccount: payment.merchantAccount,
    paymentPspReference: payment.psp,
    pspReference: psp,
    status: 'received',
    ...(reference !== null && { reference }),
  }
}
