import type { RequestError } from '#kernel/errors'
import type { Caller } from '#platform/caller'
import type { StoredReply } from '#platform/idempotency/stored-reply'
import type { Authorization, AuthorizationRequest } from '../authorizations/authorization.ts'
import type { DecisionHook } from '../storage/hook.repository.ts'

export interface DecisionRequest extends AuthorizationRequest {
  readonly cardId: string
  readonly referenceId: string
  readonly caller: Caller
}

export type Decision =
  | { readonly kind: 'decided'; readonly authorization: Authorization }
  | { readonly kind: 'hook_required'; readonly authorization: Authorization; readonly hook: DecisionHook }
  | { readonly kind: 'undecided' }
  | { readonly kind: 'rejected'; readonly error: RequestError | StoredReply }

export function decisionOf(authorization: Authorization): Decision {
  return authorization.pendingHook === null ? { kind: 'decided', authorization } : { kind: 'undecided' }
}
