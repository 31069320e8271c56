import type { Money } from '#kernel/money'
import type { Payment } from './payment.ts'
import { Refusal } from '../server/refusal.ts'

export function checkFollowUp(
  operation: 'capture' | 'refund' | 'void',
  amount: Money,
  original: Payment | undefined,
): void {
  if (original?.amount == null)
    throw new Refusal(404, 'original_not_found', 'No payment has this original_key.')
  if (!ALLOWED_ORIGINALS[operation].includes(original.operation)) {
    throw conflict(
      'original_not_fitting',
      `The original is ${original.operation === 'authorization' ? 'an' : 'a'} ${original.operation}, which takes no ${operation}.`,
    )
  }
  if (original.end?.outcome !== 'approved')
    throw conflict('original_not_approved', 'The original was not approved.')
  if (original.voided) throw conflict('original_voided', 'The original is voided.')
  if (amount.currency !== original.amount.currency) {
    throw new Refusal(422, 'currency_differs', 'The currency differs from the original.', 'currency')
  }
  if (operation === 'void') checkVoid(amount, original.amount, original)
  else if (original.usedMinor + amount.minor > original.amount.minor) {
    throw new Refusal(422, 'amount_too_large', `The ${operation} exceeds the remaining amount.`, 'amount')
  }
}

const ALLOWED_ORIGINALS: Record<'capture' | 'refund' | 'void', readonly Payment['operation'][]> = {
  capture: ['authorization'],
  refund: ['sale', 'capture'],
  void: ['sale', 'authorization', 'capture'],
}

/** A void covers the full amount, so captures must be voided first and refunded payments cannot be voided. */
function checkVoid(amount: Money, whole: Money, original: Payment): void {
  if (!amount.equals(whole)) {
    throw new Refusal(422, 'void_not_whole', 'The amount of a void must equal the original amount.', 'amount')
  }
  if (original.usedMinor === 0n) return
  if (original.operation === 'authorization')
    throw conflict('original_captured', 'Void the captures of this authorization first.')
  throw conflict('original_refunded', 'The original was refunded.')
}

function conflict(code: string, message: string): Refusal {
  return new Refusal(409, code, message)
}
