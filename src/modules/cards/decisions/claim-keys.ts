import type { Outcome } from '#platform/batches/batches'
import { claimKeys, type IdempotencyId, keepReplies } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { Authorization } from '../model/authorization.ts'
import type { LockedCard } from '../cards/lock-card.ts'
import { type Decision, type DecisionRequest, decisionOf } from '../model/decision.ts'

type Claim = { readonly kind: 'claimed'; readonly id: IdempotencyId } | Outcome<Decision>

/**
 * Claims the keys of requests, or says what becomes of a request without its key. While another request's hook is called,
 * the key waits for that call.
 */
export async function claimKeysOfDecisions(
  tx: Tx,
  requests: readonly DecisionRequest[],
  cards: ReadonlyMap<string, LockedCard>,
  earlier: ReadonlyMap<string, Authorization>,
): Promise<Claim[]> {
  const seen = new Set<string>()
  const postponed = new Map<DecisionRequest, Outcome<Decision>>()
  const claiming: DecisionRequest[] = []
  for (const request of requests) {
    const reference = referenceKey(request)
    const isFirst = !seen.has(reference)
    seen.add(reference)
    if (request.caller.idempotency === undefined || !cards.has(request.cardId)) continue
    const first = earlier.get(reference)
    if (!isFirst) postponed.set(request, { kind: 'alone' })
    else if (first !== undefined && first.pendingHook !== null)
      postponed.set(request, { kind: 'done', value: decisionOf(first) })
    else claiming.push(request)
  }
  const callers = claiming.map(({ caller }) => caller)
  const claims = claiming.length === 0 ? [] : await claimKeys(tx, callers)
  const byRequest = new Map(claiming.map((request, index) => [request, claims[index]]))
  return requests.map(
    (request) => postponed.get(request) ?? byRequest.get(request) ?? { kind: 'claimed', id: null },
  )
}

export function keepDecisions(
  tx: Tx,
  requests: readonly DecisionRequest[],
  claims: readonly Claim[],
  outcomes: readonly Outcome<Decision>[],
): Promise<void> {
  const kept = requests.flatMap(({ caller }, index) => {
    const [claim, outcome] = [claims[index], outcomes[index]]
    if (claim?.kind !== 'claimed' || outcome?.kind !== 'done' || outcome.value.kind !== 'decided') return []
    return [{ id: claim.id, caller, value: outcome.value.authorization }]
  })
  return keepReplies(tx, kept)
}

export function referenceKey(reference: { readonly cardId: string; readonly referenceId: string }): string {
  return `${reference.cardId}\0${reference.referenceId}`
}
