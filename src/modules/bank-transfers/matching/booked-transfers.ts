import { newId } from '#kernel/ids'
import type { Money } from '#kernel/money'
import type { EntryMatch } from '../model/bank-entry.ts'
import type { WriteOff } from '../model/write-off.ts'

/** How a matched entry is recorded on the order. */
export const TRANSFER = { paymentMethod: 'bank_transfer', recordedBy: 'bank' } as const

/** What was written off at matches, which come in the order in which they were booked. */
export function writeOffsOf(
  matches: readonly EntryMatch[],
  booked: readonly { readonly writtenOff: Money | undefined }[],
): WriteOff[] {
  return matches.flatMap(({ orderId, invoice, customerUuid, transactionId }, index): WriteOff[] => {
    const amount = booked[index]?.writtenOff
    if (amount === undefined) return []
    return [
      { id: newId('wof'), orderId, invoiceId: invoice.id, customerUuid, amount, reason: '', transactionId },
    ]
  })
}
