import type { AcquirerResponse } from '../model/transaction.ts'

/** The issuer refuses the card for good. Nothing charges it again by itself (reference/recurring#hard-declines). */
export function isHardDecline({ failure, hard }: AcquirerResponse): boolean {
  return failure === 'declined' && hard
}

/**
 * Only after an explicit refusal or a soft decline: after an unknown outcome the first account could still book the payment
 * (reference/acquirers#fallbacks).
 */
export function mayTryAnotherAccount(answer: AcquirerResponse): boolean {
  const { failure } = answer
  return failure === 'refused' || (failure === 'declined' && !isHardDecline(answer))
}
