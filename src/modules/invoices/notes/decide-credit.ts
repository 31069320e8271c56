import type { ExactNumber } from '#kernel/json'
import { Money, parseMoney, sumMoney } from '#kernel/money'
import type { Refused } from '#kernel/refusal'
import { dueTotal, type Order } from '#modules/payments'
import type { NewCreditNote } from '../model/invoice-requests.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { type CreditableLine, leftOf, type LineAmount } from './credit-lines.ts'

/** - `lowered`: The part of `amount` that lowers what is due of the order. */
interface DecidedCredit {
  readonly amounts: readonly LineAmount[] | Money
  readonly amount: Money
  readonly lowered: Money
}

type RequestedCredit = Pick<NewCreditNote, 'lines' | 'amount'>

type CreditRefusal = Refused<
  | 'amount_invalid'
  | 'amount_too_large'
  | 'credit_note_inconsistent'
  | 'invoice_line_not_found'
  | 'nothing_left_to_credit'
  | 'payment_in_progress'
>

export function decideCredit(
  request: RequestedCredit,
  invoice: IssuedInvoice,
  creditable: readonly CreditableLine[],
  order: Order,
): DecidedCredit | CreditRefusal {
  const amounts = decideAmounts(request, invoice, creditable)
  if ('refused' in amounts) return amounts
  const amount = amounts instanceof Money ? amounts : totalOf(invoice.currency, amounts)
  const lowered = decideLowered(order, amount)
  return 'refused' in lowered ? lowered : { amounts, amount, lowered }
}

function decideAmounts(
  { lines, amount }: RequestedCredit,
  { currency, total, creditedTotal }: IssuedInvoice,
  creditable: readonly CreditableLine[],
): readonly LineAmount[] | Money | CreditRefusal {
  const left = total.minus(creditedTotal)
  if (!left.isPositive()) return { refused: 'nothing_left_to_credit' }
  if (lines === undefined) {
    return amount === undefined ? left : positiveUpTo(left, amount, 'credit_note.amount')
  }
  if (amount !== undefined) return { refused: 'credit_note_inconsistent', param: 'credit_note.amount' }
  const byId = new Map(creditable.map((line) => [line.id, line]))
  const read: LineAmount[] = []
  for (const [index, { line_id: lineId, amount: wanted }] of lines.entries()) {
    const param = `credit_note.lines[${index}]`
    const line = byId.get(lineId)
    if (line === undefined) return { refused: 'invoice_line_not_found', param: `${param}.line_id` }
    const ofLine = positiveUpTo(leftOf(line), wanted, `${param}.amount`)
    if ('refused' in ofLine) return ofLine
    read.push({ lineId, amount: ofLine })
  }
  if (new Set(read.map(({ lineId }) => lineId)).size < read.length)
    return { refused: 'credit_note_inconsistent', param: 'credit_note.lines' }
  return totalOf(currency, read).greaterThan(left) ? tooLarge('credit_note.lines', left) : read
}

function positiveUpTo(left: Money, value: number | ExactNumber, param: string): Money | CreditRefusal {
  const amount = parseMoney(left.currency, value)
  if (!(amount instanceof Money)) {
    return { refused: 'amount_invalid', param, message: `${param} ${amount.message}.` }
  }
  if (!amount.isPositive()) {
    return { refused: 'amount_invalid', param, message: `${param} must be more than zero.` }
  }
  return amount.greaterThan(left) ? tooLarge(param, left) : amount
}

function tooLarge(param: string, left: Money): CreditRefusal {
  const most = left.isPositive() ? left.toString() : '0'
  const message = `${param} must be at most ${most}, the amount that is left to credit.`
  return { refused: 'amount_too_large', param, message }
}

function totalOf(currency: string, amounts: readonly LineAmount[]): Money {
  return sumMoney(
    currency,
    amounts.map(({ amount }) => amount),
  )
}

/** A note first lowers what is due, or what the void of the order gave up: the payer had owed it. */
function asksForMoney({ state }: Order): boolean {
  return state === 'open' || state === 'voided'
}

function decideLowered(order: Order, amount: Money): Money | Refused<'payment_in_progress'> {
  const none = Money.zero(order.currency)
  const due = asksForMoney(order) ? dueTotal(order) : none
  const lowered = due.lessThan(amount) ? due : amount
  if (!lowered.isPositive()) return none
  const isBusy = order.reservedTotal.isPositive() || order.voiding !== null
  return isBusy ? { refused: 'payment_in_progress' } : lowered
}
