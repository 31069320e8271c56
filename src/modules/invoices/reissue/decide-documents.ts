import { type Instant, timeOfChange } from '#kernel/clock'
import { Money } from '#kernel/money'
import { localDateOf, type TimeZone } from '#kernel/time-zone'
import type { Order } from '#modules/payments'
import type { Numbered } from '../issue/decide-document.ts'
import { paymentReferenceOf } from '../issue/payment-reference.ts'
import { overdueAt } from '../model/due-date.ts'
import type { TaxExchange } from '../model/exchange.ts'
import { REISSUE_REASON } from '../model/invoice.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { creditableLines, decideNote } from '../notes/decide-note.ts'
import { withOrder } from '../notes/decide-order-change.ts'
import type { Reissue } from './decide-reissue.ts'

/** - `exchange`: Of the new invoice. */
export interface DecidedReissue extends Reissue {
  readonly exchange: TaxExchange | undefined
}

/** The note that credits the old invoice in full. */
export function noteOf(
  old: IssuedInvoice,
  { toCredit }: Reissue,
  reason: string | undefined,
  place: Numbered,
  timeZone: TimeZone,
): IssuedInvoice {
  const whole = old.lines.map(({ id, total }) => ({ lineId: id, amount: total }))
  const settlement = { due: old.amountDue, refunds: [], credit: toCredit }
  const unsettled = Money.zero(old.currency)
  const note = {
    cause: 'reissue' as const,
    reason: reason ?? REISSUE_REASON,
    settlement,
    unsettled,
    refundIds: [],
  }
  return decideNote(old, creditableLines(old, []), whole, place, { note }, timeZone)
}

export function newInvoice(
  old: IssuedInvoice,
  { content, exchange }: DecidedReissue,
  order: Order,
  { id, number, at, ...place }: Numbered,
  timeZone: TimeZone,
): IssuedInvoice {
  const dueDate = dueDateOf(old, at, timeZone)
  const invoice: IssuedInvoice = {
    ...old,
    ...place,
    ...content,
    exchange,
    id,
    number,
    issueDate: localDateOf(at, timeZone).toString(),
    dueDate: dueDate.toString(),
    overdueAt: order.dueDate === null ? null : overdueAt(dueDate, timeZone),
    creditedTotal: Money.zero(old.currency),
    paymentReference: paymentReferenceOf(id),
    replaces: old.id,
    replacedBy: null,
    referenceId: null,
    createdAt: at,
    updatedAt: at,
  }
  return { ...invoice, ...withOrder(invoice, invoice.creditedTotal, { order, voidedBy: null }) }
}

/** The new invoice is due as many days after its issue as the old one. */
export function dueDateOf(old: IssuedInvoice, at: Instant, timeZone: TimeZone): Temporal.PlainDate {
  const days = Temporal.PlainDate.from(old.issueDate).until(old.dueDate, { largestUnit: 'days' }).days
  return localDateOf(at, timeZone).add({ days })
}

/** The old invoice, once the note has credited it. */
export function creditedInFull(old: IssuedInvoice, note: IssuedInvoice, replacedBy: string): IssuedInvoice {
  return {
    ...old,
    state: 'credited',
    amountDue: Money.zero(old.currency),
    creditedTotal: note.total,
    overdueAt: null,
    replacedBy,
    updatedAt: timeOfChange(old, note.createdAt),
  }
}
