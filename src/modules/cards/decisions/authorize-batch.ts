import { earliestOf, type Instant, realClock } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { Batches, type Outcome } from '#platform/batches/batches'
import type { Database, Tx } from '#platform/postgres/database'
import type { EventCause, PreparedEvents } from '#platform/events/events'
import { scheduleJob } from '#platform/jobs/jobs'
import { type Authorization, type DeclineReason, holdExpiryOf, usageAfter } from '../model/authorization.ts'
import { findAuthorizationsByReference, insertAuthorizations } from '../storage/authorization.repository.ts'
import { HOLD_EXPIRY, HOOK_TIMEOUT } from '../job-names.ts'
import { errors } from '../errors.ts'
import { claimKeysOfDecisions, keepDecisions, referenceKey } from './claim-keys.ts'
import { reasonToDecline } from './decide-authorization.ts'
import { type Decision, decisionOf, type DecisionRequest } from '../model/decision.ts'
import { findHook } from '../storage/hook.repository.ts'
import type { DecisionHook } from '../model/decision-hook.ts'
import { lockCards, type LockedCard } from '../cards/lock-card.ts'
import { lockFunds } from '../funding/move-funds.ts'
import type { CardsContext } from '../context.ts'
import { authorizationEvent } from '../card-events.ts'
import { type Usage, usageAt } from '../model/usage.ts'
import { updateUsages } from '../storage/usage.repository.ts'

export type DecisionDependencies = Pick<CardsContext, 'events' | 'funding' | 'present'>

/**
 * The job applies the fallback this long after the hook's timeout. By then the process that called the hook has recorded
 * the outcome, unless it died.
 */
const FALLBACK_DELAY_MS = 3_000

/** A card is in one running set at a time, because a second one would only wait for the card's lock. */
export function decisionsOf(
  ctx: DecisionDependencies & { readonly db: Database },
): Batches<DecisionRequest, Decision> {
  return new Batches(ctx.db, {
    run: (tx, requests) => authorizeBatch(ctx, tx, requests),
    subjectOf: ({ cardId }) => cardId,
  })
}

/**
 * Decides requests for cards of one business in their order, with one transaction and one commit for all. Each decision
 * sees the usage of those before it and the cards are locked, so the result equals that of deciding one by one.
 */
export async function authorizeBatch(
  ctx: DecisionDependencies,
  tx: Tx,
  requests: readonly DecisionRequest[],
): Promise<Outcome<Decision>[]> {
  const cardIds = requests.map((request) => request.cardId)
  const prepared = ctx.events.prepare(tx)
  const [cards, earlier, hook] = await Promise.all([
    lockCards(tx, cardIds),
    findAuthorizationsByReference(tx, requests),
    findHook(tx),
  ])
  const byReference = new Map(earlier.map((authorization) => [referenceKey(authorization), authorization]))
  const claims = await claimKeysOfDecisions(tx, requests, cards, byReference)
  await lockFunds(ctx, tx, cards.values())
  const usages = new Map<string, Usage>()
  const created: Created[] = []
  const outcomes: Outcome<Decision>[] = []
  for (const [index, request] of requests.entries()) {
    const locked = cards.get(request.cardId)
    const claim = claims[index]
    if (locked === undefined) {
      outcomes.push({ kind: 'refused', error: errors.card_not_found() })
      continue
    }
    if (claim !== undefined && claim.kind !== 'claimed') {
      outcomes.push(claim)
      continue
    }
    const existing = byReference.get(referenceKey(request))
    if (existing !== undefined) {
      outcomes.push({ kind: 'done', value: decisionOf(existing) })
      continue
    }
    const usage = usages.get(request.cardId) ?? usageAt(locked.usage, locked.card.timeZone, locked.at)
    const decided = await decide(ctx, tx, locked, usage, request, hook)
    const authorization = { ...decided, idempotencyId: claim?.id ?? null }
    usages.set(request.cardId, usageAfter(usage, locked.card.timeZone, undefined, authorization, locked.at))
    byReference.set(referenceKey(request), authorization)
    created.push({ authorization, cause: request.cause })
    const needsHook = authorization.pendingHook !== null && hook !== undefined
    outcomes.push({
      kind: 'done',
      value: needsHook ? { kind: 'hook_required', authorization, hook } : { kind: 'decided', authorization },
    })
  }
  await Promise.all([
    save(ctx, tx, created, [...usages.values()], prepared),
    keepDecisions(tx, requests, claims, outcomes),
  ])
  return outcomes
}

interface Created {
  readonly authorization: Authorization
  readonly cause: EventCause
}

async function decide(
  ctx: DecisionDependencies,
  tx: Tx,
  locked: LockedCard,
  usage: Usage,
  request: DecisionRequest,
  hook: DecisionHook | undefined,
): Promise<Authorization> {
  const { card, limits, at } = locked
  const uuid = newId('auth')
  const declineReason =
    reasonToDecline(card, limits, usage, request, at) ?? (await holdFunds(ctx, tx, locked, uuid, request))
  const approved = declineReason === null
  return {
    uuid,
    cardId: card.id,
    referenceId: request.referenceId,
    state: approved ? 'pending' : 'declined',
    declineReason,
    currency: request.currency,
    amountMinor: request.amountMinor,
    heldMinor: approved ? request.amountMinor : 0n,
    capturedMinor: 0n,
    refundedMinor: 0n,
    forcedMinor: 0n,
    merchant: request.merchant,
    createdAt: at,
    expiresAt: holdExpiryOf(at),
    pendingHook:
      approved && hook !== undefined
        ? { dueAt: fallbackDueAt(hook), timeoutFallback: hook.timeoutFallback }
        : null,
    idempotencyId: null,
  }
}

async function holdFunds(
  ctx: DecisionDependencies,
  tx: Tx,
  { card }: LockedCard,
  uuid: string,
  { amountMinor }: DecisionRequest,
): Promise<DeclineReason | null> {
  if (card.fundingWalletId === null) return null
  const held = await ctx.funding?.hold(tx, {
    walletId: card.fundingWalletId,
    authorizationUuid: uuid,
    currency: card.currency,
    amountMinor,
  })
  return held === true ? null : 'insufficient_funds'
}

async function save(
  ctx: DecisionDependencies,
  tx: Tx,
  created: readonly Created[],
  usages: readonly Usage[],
  prepared: PreparedEvents,
): Promise<void> {
  if (created.length === 0) return
  const authorizations = created.map(({ authorization }) => authorization)
  const hookDueTimes = authorizations.map(({ pendingHook }) => pendingHook?.dueAt ?? null)
  const decided = created.filter(({ authorization }) => authorization.pendingHook === null)
  const holdExpiries = decided.flatMap(({ authorization: { heldMinor, expiresAt } }) =>
    heldMinor > 0n ? [expiresAt] : [],
  )
  const [firstHoldExpiry, firstHookDueAt] = [earliestOf(holdExpiries), earliestOf(hookDueTimes)]
  tx.defer(insertAuthorizations(tx, authorizations))
  tx.defer(updateUsages(tx, usages))
  if (firstHoldExpiry !== null) tx.defer(scheduleJob(tx, HOLD_EXPIRY, firstHoldExpiry))
  if (firstHookDueAt !== null) tx.defer(scheduleJob(tx, HOOK_TIMEOUT, firstHookDueAt, 'real'))
  await ctx.events.append(
    tx,
    decided.map(({ authorization, cause }) => ({
      ...authorizationEvent(ctx, authorization, authorization.createdAt),
      cause,
    })),
    prepared,
  )
}

function fallbackDueAt(hook: DecisionHook): Instant {
  return realClock.now().add({ milliseconds: hook.timeoutMs + FALLBACK_DELAY_MS })
}
