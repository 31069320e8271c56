import type { ClosedState } from '../model/checkout-state.ts'
import type { Words } from './words.ts'

export function closedOrderWords(kind: ClosedState, words: Words): { title: string; text: string } {
  switch (kind) {
    case 'paid':
      return { title: words.paidTitle, text: words.paidText }
    case 'refunded':
      return { title: words.refundedTitle, text: words.refundedText }
    case 'voided':
      return { title: words.voidedTitle, text: words.voidedText }
    case 'expired':
    case 'closed':
      return { title: words.expiredTitle, text: words.expiredText }
  }
}
