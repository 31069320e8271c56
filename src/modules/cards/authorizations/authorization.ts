import { type Instant, isAfter } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import type { IdempotencyId } from '#platform/idempotency/idempotency'
import { type AuthorizationState, OPERATIONS } from './authorization.states.ts'
import { type Card, isExpired } from '../cards/card.ts'
import { errors } from '../api/errors.ts'
import { type CardLimit, exceededLimit, LIMIT_REASONS } from '../limits/limit.ts'
import { CONTROL_REASONS, violatedControl } from '../limits/spending-controls.ts'
import { addToUsage, type Usage, usageAt } from '../limits/usage.ts'

/** Why an authorization is declined, in the order in which it is checked (decisions, section 11). */
export const DECLINE_REASONS = [
  'card_expired',
  'card_not_active',
  'currency_not_supported',
  ...CONTROL_REASONS,
  ...Object.values(LIMIT_REASONS),
  'insufficient_funds',
  'hook_declined',
] as const
export type DeclineReason = (typeof DECLINE_REASONS)[number]

/** What the silence of a decision hook means. */
export const TIMEOUT_FALLBACKS = ['approve', 'decline'] as const
export type TimeoutFallback = (typeof TIMEOUT_FALLBACKS)[number]

export interface Merchant {
  readonly name: string
  /** ISO 18245, four digits. */
  readonly mcc: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
}

export interface Authorization {
  readonly uuid: string
  readonly cardId: string
  readonly referenceId: string
  readonly state: AuthorizationState
  readonly declineReason: DeclineReason | null
  readonly currency: Currency
  /** What was authorized; it never changes. */
  readonly amountMinor: bigint
  readonly heldMinor: bigint
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  /** The part of what was captured that no hold covered. */
  readonly forcedMinor: bigint
  readonly merchant: Merchant
  readonly createdAt: Instant
  /** When what is still held is released. */
  readonly expiresAt: Instant
  /** While the decision hook is asked: until when, by the real clock, and what its silence means. */
  readonly pendingHook: PendingHook | null
  readonly idempotencyId: IdempotencyId
}

interface PendingHook {
  readonly dueAt: Instant
  readonly timeoutFallback: TimeoutFallback
}

export interface AuthorizationRequest {
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly merchant: Merchant
}

/** Holds expire after 7 days (decisions, section 6), which are 168 hours whatever daylight saving does. */
const HOLD_HOURS = 7 * 24

export function holdExpiryOf(createdAt: Instant): Instant {
  return createdAt.add({ hours: HOLD_HOURS })
}

/**
 * Decides a request by the card alone: the first reason to decline, null to approve. Funds and the business's own decision
 * come after it.
 * @param usage of the windows that `at` lies in
 */
export function reasonToDecline(
  card: Card,
  limits: readonly CardLimit[],
  usage: Usage,
  request: AuthorizationRequest,
  at: Instant,
): DeclineReason | null {
  // A card that is set back to an earlier zone after it expired stays expired.
  if (isExpired(card, at) || card.status === 'Expired') return 'card_expired'
  if (card.status !== 'Active') return 'card_not_active'
  if (request.currency !== card.currency) return 'currency_not_supported'
  return (
    violatedControl(card.spendingControls, request.merchant, usage) ??
    exceededLimit(limits, usage, request.amountMinor)
  )
}

/**
 * Captures `amountMinor`, or all that is held. Above the hold, or after its expiry, the rest is forced: it is not blocked.
 * @param final releases what stays held; by default when no amount is named
 * @throws 409 declined, reversed, undecided, or no amount named and nothing held
 */
export function capture(
  authorization: Authorization,
  amountMinor: bigint | undefined,
  final = amountMinor === undefined,
): Authorization {
  requireOperation(authorization, 'capture')
  const amount = amountMinor ?? authorization.heldMinor
  if (amount === 0n) throw errors.nothing_to_capture()
  const covered = amount < authorization.heldMinor ? amount : authorization.heldMinor
  const heldMinor = final ? 0n : authorization.heldMinor - covered
  return withState({
    ...authorization,
    heldMinor,
    capturedMinor: authorization.capturedMinor + amount,
    forcedMinor: authorization.forcedMinor + (amount - covered),
  })
}

/**
 * Releases `amountMinor` of the hold, or all of it.
 * @throws 422 more than is held; 409 nothing is held, undecided
 */
export function reverse(authorization: Authorization, amountMinor: bigint | undefined): Authorization {
  requireOperation(authorization, 'reverse')
  const amount = amountMinor ?? authorization.heldMinor
  if (amount > authorization.heldMinor) throw errors.reversal_too_large({ param: 'amount' })
  const reversed = { ...authorization, heldMinor: authorization.heldMinor - amount }
  return withState(reversed, 'reversed')
}

/**
 * Gives back `amountMinor` of what was captured, or all of it.
 * @throws 422 more than is left; 409 nothing is left, undecided
 */
export function refund(authorization: Authorization, amountMinor: bigint | undefined): Authorization {
  requireOperation(authorization, 'refund')
  const left = authorization.capturedMinor - authorization.refundedMinor
  if (left === 0n) throw errors.nothing_to_refund()
  const amount = amountMinor ?? left
  if (amount > left) throw errors.card_refund_too_large({ param: 'amount' })
  return withState({ ...authorization, refundedMinor: authorization.refundedMinor + amount })
}

/** Whether what is held has to be released by `at`. A hold that the decision hook is asked about waits for its answer. */
export function isHoldExpired({ heldMinor, pendingHook: asked, expiresAt }: Authorization, at: Instant): boolean {
  return heldMinor > 0n && pendingHook === null && !isAfter(expiresAt, at)
}

/** Releases what is held, seven days after the authorization. */
export function expire(authorization: Authorization): Authorization {
  return withState({ ...authorization, heldMinor: 0n }, 'expired')
}

/** The business's own decision, or what its silence means. The hold stands or is released. */
export function applyHookDecision(authorization: Authorization, approved: boolean): Authorization {
  if (approved) return { ...authorization, pendingHook: null }
  return { ...authorization, pendingHook: null, heldMinor: 0n, state: 'declined', declineReason: 'hook_declined' }
}

/**
 * The card's usage after an authorization changed from `before` (undefined: it is new) to `after`. Holds, their captures
 * and refunds count in the windows of the authorization, what is captured by force in those of the capture.
 */
export function usageAfter(
  usage: Usage,
  zone: string,
  before: Authorization | undefined,
  after: Authorization,
  at: Instant,
): Usage {
  const ofHold = {
    at: after.createdAt,
    minor: usedByHold(after) - (before === undefined ? 0n : usedByHold(before)),
    count: approvalCount(after) - (before === undefined ? 0 : approvalCount(before)),
  }
  const forced = { at, minor: after.forcedMinor - (before?.forcedMinor ?? 0n), count: 0 }
  return addToUsage(addToUsage(usageAt(usage, zone, at), ofHold), forced)
}

/** What counts in the windows of the hold. A refund of what was forced lowers these windows too, and may take them below 0. */
function usedByHold(authorization: Authorization): bigint {
  const { heldMinor, capturedMinor, forcedMinor, refundedMinor } = authorization
  return heldMinor + capturedMinor - forcedMinor - refundedMinor
}

/** A count is of approvals, fully reversed ones left out. */
function approvalCount(authorization: Authorization): number {
  return authorization.state === 'declined' || authorization.state === 'reversed' ? 0 : 1
}

const NOTHING_LEFT_ERRORS = {
  capture: errors.nothing_to_capture,
  reverse: errors.nothing_to_reverse,
  refund: errors.nothing_to_refund,
} as const

function requireOperation(authorization: Authorization, operation: keyof typeof NOTHING_LEFT_ERRORS): void {
  if (authorization.pendingHook !== null) throw errors.authorization_undecided()
  const possible: readonly string[] = OPERATIONS[authorization.state]
  if (possible.includes(operation)) return
  if (possible.length > 0) throw NOTHING_LEFT_ERRORS[operation]()
  throw errors.authorization_state_conflict({
    message: `The authorization is ${authorization.state}: there is nothing to ${operation}.`,
  })
}

/** `emptied` is what it is when nothing is held any more and nothing was captured. */
function withState(
  authorization: Authorization,
  emptied: AuthorizationState = authorization.state,
): Authorization {
  return { ...authorization, state: stateOf(authorization, emptied) }
}

function stateOf(authorization: Authorization, emptied: AuthorizationState): AuthorizationState {
  if (authorization.heldMinor > 0n) return 'pending'
  if (authorization.capturedMinor === 0n) return emptied
  return authorization.refundedMinor === authorization.capturedMinor ? 'refunded' : 'captured'
}
