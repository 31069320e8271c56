import type { Instant } from '#kernel/clock'

export const FLOWS = ['payment_method', 'cancel', 'change'] as const

/**
 * A customer in the portal. All times are real.
 * - `linkExpiresAt`, `openedAt`: The link opens once. Then a cookie of its own is good for as long as the token is.
 * - `expiresAt`: Of the token.
 * - `isReadOnly`: For the business's own people, who see what the customer sees.
 * - `isCardsOnly`: Opened by a link in a message, which others may get a copy of.
 */
export interface PortalSession {
  readonly id: string
  readonly customerUuid: string
  readonly returnUrl: string | null
  readonly flow: (typeof FLOWS)[number] | null
  readonly planId: string | null
  readonly isReadOnly: boolean
  readonly isCardsOnly: boolean
  readonly linkExpiresAt: Instant
  readonly openedAt: Instant | null
  readonly expiresAt: Instant
  readonly endedAt: Instant | null
  readonly createdAt: Instant
}

/** The times of reference/portal#sessions. */
export const LINK_MINUTES = 15
export const SESSION_MINUTES = 60
/** People read a mail days later. */
export const MESSAGE_LINK_DAYS = 7

/** Where customers of a business sign in. The address never changes. */
export function signInPath(businessId: string): string {
  return `/portal/sign-in/${businessId}`
}
