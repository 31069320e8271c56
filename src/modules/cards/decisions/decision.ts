import type { RequestError } from '#kernel/errors'
import type { Caller } from '#platform/caller'
import type { ReplayedAnswer } from '#platform/http/routes/replayed-answer'
import type { Authorization, AuthorizationRequest } from '../authorizations/authorization.ts'
import type { DecisionHook } from '../storage/hook.repository.ts'

/** An authorization request that is valid by itself; the card has not been looked at. */
export interface DecisionRequest extends AuthorizationRequest {
  readonly cardId: string
  readonly referenceId: string
  /** If the caller sent an Idempotency-Key, it commits with the decision. */
  readonly caller: Caller
}

export type Decision =
  | { readonly kind: 'decided'; readonly authorization: Authorization }
  /** The amount is held. The decision hook decides next. */
  | { readonly kind: 'hook_required'; readonly authorization: Authorization; readonly hook: DecisionHook }
  /** An earlier request with the same reference waits for the decision hook. */
  | { readonly kind: 'undecided' }
  /** The request fails, or the caller's Idempotency-Key has a stored response. */
  | { readonly kind: 'rejected'; readonly error: RequestError | ReplayedAnswer }

export function decisionOf(authorization: Authorization): Decision {
  return authorization.pendingHook === null ? { kind: 'decided', authorization } : { kind: 'undecided' }
}
