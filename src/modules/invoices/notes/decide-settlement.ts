import { Money, sumMoney } from '#kernel/money'
import type { Refused } from '#kernel/refusal'
import type { Order, OrderWithTransactions, Transaction } from '#modules/payments'
import type { NewCreditNote } from '../model/invoice-requests.ts'
import type { IssuedInvoice, NoteReason } from '../model/issued-invoice.ts'
import { refundsOfNote } from './decide-order-change.ts'

/**
 * What becomes of the amount of a requested note.
 * - `lowered`: The part that lowers what is due of the order.
 * - `rest`: The part that was paid.
 */
export interface CreditParts {
  readonly lowered: Money
  readonly rest: Money
  readonly refund: NonNullable<NewCreditNote['refund']>
  readonly reason: string
}

/**
 * Refuses a note whose paid part is more than can still be given back of its order.
 * @param left what the payments of the order have left to give back
 */
export function refuseReturn(
  { lines }: Pick<NewCreditNote, 'lines'>,
  { lowered, rest }: CreditParts,
  invoice: IssuedInvoice,
  order: Order,
  left: Money,
): Refused<'amount_too_large'> | null {
  const returnable = leftToReturn(left, invoice, order, lowered)
  if (!rest.greaterThan(returnable)) return null
  const param = lines === undefined ? 'credit_note.amount' : 'credit_note.lines'
  return {
    refused: 'amount_too_large',
    param,
    message: `${param} must be at most ${lowered.plus(returnable).toString()}. The rest was written off, or has already been returned as money or as credit.`,
  }
}

/** At most what was paid of the invoice: a write-off paid nothing, even if more than the rest was paid. */
function leftToReturn(left: Money, invoice: IssuedInvoice, { writtenOff }: Order, lowered: Money): Money {
  const paid = invoice.total.minus(invoice.creditedTotal).minus(writtenOff).minus(lowered)
  const least = left.lessThan(paid) ? left : paid
  return least.isPositive() ? least : Money.zero(left.currency)
}

type SettledReason = NoteReason & { readonly settlement: NonNullable<NoteReason['settlement']> }

/** Decides what the note says, from its order before and after the credit. What was paid and is no longer owed is over-paid. */
export function decideSettlement(
  { lowered, rest, refund, reason }: CreditParts,
  before: OrderWithTransactions,
  after: OrderWithTransactions,
): SettledReason | Refused<'refund_not_possible'> {
  const refunds = newRefunds(before, after)
  const refunded = sumMoney(
    rest.currency,
    refunds.map(({ amount }) => amount.abs()),
  )
  if (refund === 'payment' && refunded.lessThan(rest)) {
    return {
      refused: 'refund_not_possible',
      param: 'credit_note.refund',
      message: `Only ${refunded.toString()} of the ${rest.toString()} that is no longer due can be refunded to the payments.`,
    }
  }
  const credited = refund === 'credit' ? rest : Money.zero(rest.currency)
  const overpaid = after.order.creditedTotal.minus(before.order.creditedTotal).minus(lowered)
  return {
    cause: 'request',
    reason,
    settlement: { due: lowered, refunds: refundsOfNote(refunds, refunded), credit: credited },
    unsettled: rest.minus(refunded).minus(credited).minus(overpaid),
    refundIds: refunds.map(({ id }) => id),
  }
}

function newRefunds(before: OrderWithTransactions, after: OrderWithTransactions): Transaction[] {
  const known = new Set(before.transactions.map(({ id }) => id))
  return after.transactions.filter(({ id, type }) => type === 'Refund' && !known.has(id))
}
