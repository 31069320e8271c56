import { say } from '#kernel/say'
import { moneyInSentence } from '#platform/documents/money-text'
import type { Money } from '#kernel/money'
import { type CorrectedInvoice, type Invoice, REISSUE_REASON } from '../model/invoice.ts'
import { type InvoiceWords } from './invoice-words.ts'

/** Why a credit note was issued. What a person wrote stays as it is. */
export function reasonOf({ note }: Invoice, words: InvoiceWords): string | null {
  if (!note) return null
  const { cause, reason } = note
  const isWritten = cause === 'request' || (cause === 'reissue' && reason !== REISSUE_REASON)
  return isWritten ? reason : words.reasons[cause]
}

/** Where the amount of a credit note went. */
export function settlementOf(
  { note }: Invoice,
  words: InvoiceWords,
): readonly { readonly label: string; readonly amount: Money }[] {
  if (!note?.settlement) return []
  const { due, refunds, credit } = note.settlement
  const parts = [
    { label: words.takenOffDue, amount: due },
    ...refunds.map(({ amount, last4 }) => ({
      label: last4 === null ? words.refund : say(words.refundToCard, { last4 }),
      amount,
    })),
    { label: words.addedToCredit, amount: credit },
  ]
  return parts.filter(({ amount }) => amount.isPositive())
}

export function noteTexts(invoice: Invoice, words: InvoiceWords): string[] {
  const reason = reasonOf(invoice, words)
  return [
    ...(reason === null ? [] : [reason]),
    ...settlementOf(invoice, words).map(({ label, amount }) => `${label}: ${moneyInSentence(amount)}`),
  ]
}

export function correctedText({ number, issueDate }: CorrectedInvoice): string {
  return issueDate === null ? number : `${number} (${issueDate})`
}
