import { RequestError } from '#kernel/errors'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { StoredReply } from '#platform/idempotency/stored-reply'
import { claimIdempotencyKey, type IdempotencyId, keepReply } from '#platform/idempotency/idempotency'
import type { Authorization } from '../authorizations/authorization.ts'
import type { LockedCard } from '../cards/lock-card.ts'
import type { Decision, DecisionRequest } from './decision.ts'

export type KeyClaim =
  | { readonly kind: 'claimed'; readonly id: IdempotencyId }
  /** The decision depends on a hook call for another request, so the key is claimed after that call. */
  | { readonly kind: 'postponed' }
  | { readonly kind: 'rejected'; readonly error: RequestError | StoredReply }

const NO_KEY: KeyClaim = { kind: 'claimed', id: null }

export async function claimKeys(
  tx: Tx,
  requests: readonly DecisionRequest[],
  cards: ReadonlyMap<string, LockedCard>,
  earlier: ReadonlyMap<string, Authorization>,
): Promise<KeyClaim[]> {
  const seen = new Set<string>()
  return Promise.all(
    requests.map(async (request): Promise<KeyClaim> => {
      const reference = referenceKey(request)
      const isFirst = !seen.has(reference)
      seen.add(reference)
      if (request.caller.idempotency === undefined || !cards.has(request.cardId)) return NO_KEY
      const isUndecided = (earlier.get(reference)?.pendingHook ?? null) !== null
      if (!isFirst || isUndecided) return { kind: 'postponed' }
      try {
        return { kind: 'claimed', id: await claimIdempotencyKey(tx, request.caller) }
      } catch (error) {
        if (error instanceof RequestError || error instanceof StoredReply) return { kind: 'rejected', error }
        throw error
      }
    }),
  )
}

export async function keepDecision(
  tx: Tx,
  key: KeyClaim | undefined,
  caller: Caller | undefined,
  decision: Decision,
): Promise<void> {
  if (key?.kind !== 'claimed' || caller === undefined || decision.kind !== 'decided') return
  await keepReply(tx, key.id, caller, decision.authorization)
}

export function referenceKey(reference: { readonly cardId: string; readonly referenceId: string }): string {
  return `${reference.cardId}\0${reference.referenceId}`
}
