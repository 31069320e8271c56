import type { Caller } from '#platform/caller'
import type { EventCause } from '#platform/events/events'
import type { Authorization, AuthorizationRequest } from './authorization.ts'
import type { DecisionHook } from './decision-hook.ts'

export interface DecisionRequest extends AuthorizationRequest {
  readonly cardId: string
  readonly referenceId: string
  readonly caller: Caller
  readonly cause: EventCause
}

export type Decision =
  | { readonly kind: 'decided'; readonly authorization: Authorization }
  | { readonly kind: 'hook_required'; readonly authorization: Authorization; readonly hook: DecisionHook }
  | { readonly kind: 'undecided' }

export function decisionOf(authorization: Authorization): Decision {
  return authorization.pendingHook === null ? { kind: 'decided', authorization } : { kind: 'undecided' }
}

export type ObserveDecision = (isApproved: boolean, durationMs: number) => void
