import { type Instant, isAfter } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import type { Refused } from '#kernel/refusal'
import type { IdempotencyId } from '#platform/idempotency/idempotency'
import { type AuthorizationState, OPERATIONS } from './authorization.states.ts'
import { LIMIT_REASONS } from './limit.ts'
import { CONTROL_REASONS } from './spending-controls.ts'
import { addToUsage, type Usage, usageAt } from './usage.ts'

/** Documents the order of the checks (reference/cards#decline-reasons); `reasonToDecline` and `authorizeBatch` perform them. */
export const DECLINE_REASONS = [
  'card_expired',
  'card_not_active',
  'currency_not_supported',
  ...CONTROL_REASONS,
  ...Object.values(LIMIT_REASONS),
  'insufficient_funds',
  'hook_declined',
  'hook_timeout',
  'hook_error',
] as const
export type DeclineReason = (typeof DECLINE_REASONS)[number]

export const HOOK_DECISIONS = ['approve', 'decline'] as const
export type HookDecision = (typeof HOOK_DECISIONS)[number]
type HookDeclineReason = Extract<DeclineReason, `hook_${string}`>

interface Merchant {
  readonly name: string
  readonly mcc: string
  readonly country: string
}

export interface Authorization {
  readonly uuid: string
  readonly cardId: string
  readonly referenceId: string
  readonly state: AuthorizationState
  readonly declineReason: DeclineReason | null
  readonly currency: Currency
  readonly amountMinor: bigint
  readonly heldMinor: bigint
  readonly capturedMinor: bigint
  readonly refundedMinor: bigint
  readonly forcedMinor: bigint
  readonly merchant: Merchant
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly pendingHook: PendingHook | null
  readonly idempotencyId: IdempotencyId
}

interface PendingHook {
  /** When the job applies `timeoutFallback`, by the real clock. */
  readonly dueAt: Instant
  readonly timeoutFallback: HookDecision
}

export interface AuthorizationRequest {
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly merchant: Merchant
}

/** Seven days of 24 hours, whatever daylight saving does (reference/cards#holds). */
const HOLD_HOURS = 7 * 24

export function holdExpiryOf(createdAt: Instant): Instant {
  return createdAt.add({ hours: HOLD_HOURS })
}

export type OperatedAuthorization = Authorization | Refused<OperationRefusal>

type OperationRefusal =
  | 'authorization_state_conflict'
  | 'authorization_undecided'
  | 'card_refund_too_large'
  | 'reversal_too_large'
  | (typeof NOTHING_LEFT)[keyof typeof NOTHING_LEFT]

const NOTHING_LEFT = {
  capture: 'nothing_to_capture',
  reverse: 'nothing_to_reverse',
  refund: 'nothing_to_refund',
} as const

/**
 * Captures `amountMinor`, or all that is held. The part that no hold covers is forced: limits do not block it.
 * @param final releases the rest of the hold
 */
export function capture(
  authorization: Authorization,
  amountMinor: bigint | undefined,
  final = amountMinor === undefined,
): OperatedAuthorization {
  const refused = refuseOperation(authorization, 'capture')
  if (refused !== null) return refused
  const amount = amountMinor ?? authorization.heldMinor
  if (amount === 0n) return { refused: 'nothing_to_capture' }
  const covered = amount < authorization.heldMinor ? amount : authorization.heldMinor
  const heldMinor = final ? 0n : authorization.heldMinor - covered
  return withState({
    ...authorization,
    heldMinor,
    capturedMinor: authorization.capturedMinor + amount,
    forcedMinor: authorization.forcedMinor + (amount - covered),
  })
}

export function reverse(
  authorization: Authorization,
  amountMinor: bigint | undefined,
): OperatedAuthorization {
  const refused = refuseOperation(authorization, 'reverse')
  if (refused !== null) return refused
  const amount = amountMinor ?? authorization.heldMinor
  if (amount > authorization.heldMinor) return { refused: 'reversal_too_large', param: 'amount' }
  const reversed = { ...authorization, heldMinor: authorization.heldMinor - amount }
  return withState(reversed, 'reversed')
}

export function refund(authorization: Authorization, amountMinor: bigint | undefined): OperatedAuthorization {
  const refused = refuseOperation(authorization, 'refund')
  if (refused !== null) return refused
  const refundable = authorization.capturedMinor - authorization.refundedMinor
  if (refundable === 0n) return { refused: 'nothing_to_refund' }
  const amount = amountMinor ?? refundable
  if (amount > refundable) return { refused: 'card_refund_too_large', param: 'amount' }
  return withState({ ...authorization, refundedMinor: authorization.refundedMinor + amount })
}

export function isHoldExpired({ heldMinor, pendingHook, expiresAt }: Authorization, at: Instant): boolean {
  return heldMinor > 0n && pendingHook === null && !isAfter(expiresAt, at)
}

export function expire(authorization: Authorization): Authorization {
  return withState({ ...authorization, heldMinor: 0n }, 'expired')
}

export function applyHookDecision(
  authorization: Authorization,
  decision: HookDecision,
  declineReason: HookDeclineReason,
): Authorization {
  if (decision === 'approve') return { ...authorization, pendingHook: null }
  return {
    ...authorization,
    pendingHook: null,
    heldMinor: 0n,
    state: 'declined',
    declineReason,
  }
}

/**
 * The card's usage after an authorization changed from `before` to `after`. Holds, their captures and refunds count in the
 * windows of the authorization, forced captures in the windows of the capture.
 * @param before undefined for a new authorization
 */
export function usageAfter(
  usage: Usage,
  zone: string,
  before: Authorization | undefined,
  after: Authorization,
  at: Instant,
): Usage {
  const hold = {
    at: after.createdAt,
    minor: usedByHold(after) - (before === undefined ? 0n : usedByHold(before)),
    count: approvalCount(after) - (before === undefined ? 0 : approvalCount(before)),
  }
  const forced = { at, minor: after.forcedMinor - (before?.forcedMinor ?? 0n), count: 0 }
  return addToUsage(addToUsage(usageAt(usage, zone, at), hold), forced)
}

/** A refund of a forced capture lowers the windows of the hold too, and may take them below 0. */
function usedByHold(authorization: Authorization): bigint {
  const { heldMinor, capturedMinor, forcedMinor, refundedMinor } = authorization
  return heldMinor + capturedMinor - forcedMinor - refundedMinor
}

function approvalCount(authorization: Authorization): number {
  return authorization.state === 'declined' || authorization.state === 'reversed' ? 0 : 1
}

function refuseOperation(
  authorization: Authorization,
  operation: keyof typeof NOTHING_LEFT,
): Refused<OperationRefusal> | null {
  if (authorization.pendingHook !== null) return { refused: 'authorization_undecided' }
  const possible: readonly string[] = OPERATIONS[authorization.state]
  if (possible.includes(operation)) return null
  if (possible.length > 0) return { refused: NOTHING_LEFT[operation] }
  const message = `The authorization is ${authorization.state}, so there is nothing to ${operation}.`
  return { refused: 'authorization_state_conflict', message }
}

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
