import { RequestError } from '#kernel/errors'
import { earliestOf, type Instant, realClock } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import type { PreparedEvents } from '#platform/events/events'
import { successEnvelope } from '#platform/http/routes/envelope'
import { ReplayedAnswer } from '#platform/http/routes/replayed-answer'
import { claimIdempotencyKey, type IdempotencyId, keepAnswer } from '#platform/idempotency/idempotency'
import {
  type Authorization,
  type AuthorizationRequest,
  type DeclineReason,
  holdExpiryOf,
  reasonToDecline,
  usageAfter,
} from './authorization.ts'
import { findByReferences, insertAuthorizations } from '../storage/authorization.repository.ts'
import { HOLD_EXPIRY, HOOK_SILENCE } from '../job-kinds.ts'
import { errors } from '../api/errors.ts'
import { type DecisionHook, findHook } from '../storage/hook.repository.ts'
import { lockCards, type LockedCard } from '../storage/locked-card.ts'
import { lockFunds } from '../storage/move-funds.ts'
import type { CardsDependencies } from '../dependencies.ts'
import { renderAuthorization } from '../api/render.ts'
import { decisionEvent } from '../tell.ts'
import { type Usage, usageAt } from '../limits/usage.ts'
import { updateUsages } from '../storage/usage.repository.ts'

/** One request to decide, checked as far as it can be without its card. */
export interface DecisionRequest extends AuthorizationRequest {
  readonly cardId: string
  readonly referenceId: string
  /** Whose Idempotency-Key commits with the decision, when one was sent. */
  readonly caller: Caller
}

export type Verdict =
  /** Now, or when the reference was first sent. */
  | { readonly kind: 'decided'; readonly authorization: Authorization }
  /** The hold is made; the decision hook has the last word. */
  | { readonly kind: 'ask'; readonly authorization: Authorization; readonly hook: DecisionHook }
  /** The same reference, sent before: its hook is still being asked. */
  | { readonly kind: 'undecided' }
  /** The error to answer, or the answer kept for the caller's key. */
  | { readonly kind: 'refused'; readonly error: RequestError | ReplayedAnswer }

/** What deciding takes; the rest of the module's needs is for others. */
export type DecisionDependencies = Pick<CardsDependencies, 'events' | 'funding'>

/** How long after a hook's timeout its silence is taken for granted: the one who asked writes it down much earlier. */
const SILENCE_MARGIN_MS = 3_000

/**
 * Decides requests in their order, of any cards of one business, in one transaction: a few statements for all of them
 * and one commit. Each decision sees what those before it have used, and the cards' locks keep all others out, so
 * the result is that of one after the other.
 */
export async function decideTogether(
  deps: DecisionDependencies,
  tx: Tx,
  requests: readonly DecisionRequest[],
): Promise<Verdict[]> {
  const cardIds = requests.map((request) => request.cardId)
  const prepared = deps.events.prepare(tx)
  const [cards, earlier, hook] = await Promise.all([
    lockCards(tx, cardIds),
    findByReferences(tx, requests),
    findHook(tx),
  ])
  const known = new Map(earlier.map((authorization) => [referenceKey(authorization), authorization]))
  const keys = await claimKeys(tx, requests, cards, known)
  await lockFunds(deps, tx, cards.values())
  const usages = new Map<string, Usage>()
  const made: Authorization[] = []
  const verdicts: Verdict[] = []
  for (const [index, request] of requests.entries()) {
    const locked = cards.get(request.cardId)
    const key = keys[index]
    if (locked === undefined) {
      verdicts.push({ kind: 'refused', error: errors.card_not_found() })
      continue
    }
    const before = withoutDecision(key, known.get(referenceKey(request)))
    if (before !== undefined) {
      verdicts.push(before)
      continue
    }
    const usage = usages.get(request.cardId) ?? usageAt(locked.usage, locked.card.timeZone, locked.at)
    const decided = await decide(deps, tx, locked, usage, request, hook)
    const authorization = { ...decided, idempotencyId: typeof key === 'string' ? key : null }
    usages.set(request.cardId, usageAfter(usage, locked.card.timeZone, undefined, authorization, locked.at))
    known.set(referenceKey(request), authorization)
    made.push(authorization)
    const asks = authorization.asked !== null && hook !== null
    verdicts.push(asks ? { kind: 'ask', authorization, hook } : { kind: 'decided', authorization })
  }
  await Promise.all([
    save(deps, tx, made, [...usages.values()], prepared),
    ...verdicts.map((verdict, index) => keepVerdict(tx, keys[index], verdict)),
  ])
  return verdicts
}

/** What became of a request's Idempotency-Key: its id, null when none was sent, what to answer instead, or `later`. */
type ClaimedKey = IdempotencyId | RequestError | ReplayedAnswer | Later
interface Later {
  readonly later: true
}

/** The verdict on a request that needs no decision of its own; undefined when it needs one. */
function withoutDecision(
  key: ClaimedKey | undefined,
  repeated: Authorization | undefined,
): Verdict | undefined {
  if (key instanceof RequestError || key instanceof ReplayedAnswer) return { kind: 'refused', error: key }
  if (typeof key === 'object' && key !== null) return { kind: 'undecided' }
  return repeated && verdictOf(repeated)
}

/** The verdict on a request whose reference was there before. */
export function verdictOf(repeated: Authorization): Verdict {
  return repeated.asked === null ? { kind: 'decided', authorization: repeated } : { kind: 'undecided' }
}

/**
 * Claims the requests' keys, after the cards' locks and before anything is written. One whose answer cannot be known in
 * this transaction, since its hook is or will be asked for another request, is claimed later, when it can.
 */
async function claimKeys(
  tx: Tx,
  requests: readonly DecisionRequest[],
  cards: ReadonlyMap<string, LockedCard>,
  known: ReadonlyMap<string, Authorization>,
): Promise<ClaimedKey[]> {
  const seen = new Set<string>()
  return Promise.all(
    requests.map(async (request): Promise<ClaimedKey> => {
      const reference = referenceKey(request)
      const isFirst = !seen.has(reference)
      seen.add(reference)
      if (request.caller.idempotency === undefined || !cards.has(request.cardId)) return null
      if (!isFirst || isUndecided(known.get(reference))) return { later: true }
      try {
        return await claimIdempotencyKey(tx, request.caller)
      } catch (error) {
        if (error instanceof RequestError || error instanceof ReplayedAnswer) return error
        throw error
      }
    }),
  )
}

async function keepVerdict(tx: Tx, key: ClaimedKey | undefined, verdict: Verdict): Promise<void> {
  if (typeof key !== 'string' || verdict.kind !== 'decided') return
  const data = { authorization: renderAuthorization(verdict.authorization) }
  await keepAnswer(tx, key, 200, successEnvelope(data))
}

function isUndecided(authorization: Authorization | undefined): boolean {
  return authorization !== undefined && authorization.asked !== null
}

async function decide(
  deps: DecisionDependencies,
  tx: Tx,
  locked: LockedCard,
  usage: Usage,
  request: DecisionRequest,
  hook: DecisionHook | null,
): Promise<Authorization> {
  const { card, limits, at } = locked
  const uuid = newId('auth')
  const declineReason =
    reasonToDecline(card, limits, usage, request, at) ?? (await hold(deps, tx, locked, uuid, request))
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
    asked: approved && hook !== null ? { dueAt: silenceOf(hook), onSilence: hook.onSilence } : null,
    idempotencyId: null,
  }
}

/** Sets the amount aside in the wallet that funds the card, if there is one. */
async function hold(
  deps: DecisionDependencies,
  tx: Tx,
  { card }: LockedCard,
  uuid: string,
  { amountMinor }: DecisionRequest,
): Promise<DeclineReason | null> {
  if (card.fundingWalletId === null) return null
  const held = await deps.funding?.hold(tx, {
    walletId: card.fundingWalletId,
    authorizationUuid: uuid,
    currency: card.currency,
    amountMinor,
  })
  return held === true ? null : 'insufficient_funds'
}

async function save(
  deps: DecisionDependencies,
  tx: Tx,
  made: readonly Authorization[],
  usages: readonly Usage[],
  prepared: PreparedEvents,
): Promise<void> {
  if (made.length === 0) return
  const asked = made.flatMap(({ asked: ask }) => (ask === null ? [] : [ask.dueAt]))
  const decided = made.filter((authorization) => authorization.asked === null)
  const holds = decided.flatMap(({ heldMinor, expiresAt }) => (heldMinor > 0n ? [expiresAt] : []))
  const [firstHold, firstAsked] = [earliestOf(holds), earliestOf(asked)]
  tx.defer(insertAuthorizations(tx, made))
  tx.defer(updateUsages(tx, usages))
  if (firstHold !== null) tx.defer(scheduleJob(tx, HOLD_EXPIRY, firstHold))
  if (firstAsked !== null) tx.defer(scheduleJob(tx, HOOK_SILENCE, firstAsked, 'real'))
  await deps.events.append(
    tx,
    decided.map((authorization) => decisionEvent(authorization, authorization.createdAt)),
    prepared,
  )
}

function silenceOf(hook: DecisionHook): Instant {
  return realClock.now().add({ milliseconds: hook.timeoutMs + SILENCE_MARGIN_MS })
}

/** Neither part can hold a NUL. */
function referenceKey(of: { readonly cardId: string; readonly referenceId: string }): string {
  return `${of.cardId}\0${of.referenceId}`
}
