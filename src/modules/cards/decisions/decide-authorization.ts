import type { Instant } from '#kernel/clock'
import type { AuthorizationRequest, DeclineReason } from '../model/authorization.ts'
import { type Card, isExpired } from '../model/card.ts'
import { type CardLimit, exceededLimit } from '../model/limit.ts'
import { violatedControl } from '../model/spending-controls.ts'
import type { Usage } from '../model/usage.ts'

/**
 * Checks a request against the card, its controls and its limits. The funding wallet and the decision hook come later.
 * @param usage in the windows that contain `at`
 * @returns the first reason to decline; null to approve
 */
export function reasonToDecline(
  card: Card,
  limits: readonly CardLimit[],
  usage: Usage,
  request: AuthorizationRequest,
  at: Instant,
): DeclineReason | null {
  // A card that expired stays expired when it moves to a zone in which its month has not ended.
  if (isExpired(card, at) || card.status === 'Expired') return 'card_expired'
  if (card.status !== 'Active') return 'card_not_active'
  if (request.currency !== card.currency) return 'currency_not_supported'
  return (
    violatedControl(card.spendingControls, request.merchant, usage) ??
    exceededLimit(limits, usage, request.amountMinor)
  )
}
