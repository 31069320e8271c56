import type { Money } from '#kernel/money'
import type { Payment } from './payment.ts'
import { Refusal } from '../server/refusal.ts'

/**
 * Whether a capture, refund or void of `amount` fits its original. Throws a `Refusal`, as a real acquirer would: these
 * are rules of the books, not opinions of an issuer, so they are refusals and not declines.
 */
export function checkFollowUp(
  operation: 'capture' | 'refund' | 'void',
  amount: Money,
  original: Payment | undefined,
): void {
  if (original?.amount == null) throw new Refusal(404, 'original_not_found', 'There is no such payment.')
  if (!FOLLOWS[operation].includes(original.operation)) {
    throw conflict('original_not_fitting', `A ${original.operation} cannot be followed by a ${operation}.`)
  }
  if (original.end?.outcome !== 'approved') throw conflict('original_not_approved', 'It is not approved.')
  if (original.voided) throw conflict('original_voided', 'It was voided.')
  if (amount.currency !== original.amount.currency) {
    throw new Refusal(422, 'currency_differs', 'The currency is not that of the original.', 'currency')
  }
  if (operation === 'void') checkVoid(amount, original.amount, original)
  else if (original.usedMinor + amount.minor > original.amount.minor) {
    throw new Refusal(422, 'amount_too_large', `The ${operation} is more than is left.`, 'amount')
  }
}

const FOLLOWS: Record<'capture' | 'refund' | 'void', readonly Payment['operation'][]> = {
  capture: ['authorization'],
  refund: ['sale', 'capture'],
  void: ['sale', 'authorization', 'capture'],
}

/** Only what is whole can be voided: an authorization whose captures are all voided, a sale or capture not refunded. */
function checkVoid(amount: Money, whole: Money, original: Payment): void {
  if (!amount.equals(whole)) {
    throw new Refusal(422, 'void_not_whole', 'A void is of the whole amount.', 'amount')
  }
  if (original.usedMinor === 0n) return
  if (original.operation === 'authorization') throw conflict('original_captured', 'Void its captures first.')
  throw conflict('original_refunded', 'It was refunded.')
}

function conflict(code: string, message: string): Refusal {
  return new Refusal(409, code, message)
}
