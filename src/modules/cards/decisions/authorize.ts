import { setTimeout as sleep } from 'node:timers/promises'
import { isCurrency } from '#kernel/currencies'
import { RequestError } from '#kernel/errors'
import { realNowMs } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { parsePositive } from '../api/amounts.ts'
import { callDecisionHook } from '../hooks/call-hook.ts'
import type { Authorization, Merchant } from '../authorizations/authorization.ts'
import { findAuthorizationsByReference } from '../storage/authorization.repository.ts'
import { type DecisionRequest, type Decision, decisionOf } from './decide-batch.ts'
import type { DecisionQueues } from './decision-queue.ts'
import { errors } from '../api/errors.ts'
import type { CardsDependencies } from '../dependencies.ts'
import { renderAuthorization } from '../api/render.ts'
import { recordHookDecision } from '../hooks/record-hook-decision.ts'

export interface AuthorizeRequest {
  readonly amount: string
  readonly currency: string
  readonly merchant: Merchant
  readonly reference_id: string
}

/** How long the same reference waits for the hook that its first sending asks: longer than a hook may take. */
const UNDECIDED_WAIT_MS = 3_000
const UNDECIDED_POLL_MS = 50

/**
 * Decides an authorization at once: approved and held in the card's limits, or declined with the first reason. The same
 * reference again answers the first decision.
 * @throws 404; 422 an amount of 0 or less, too many decimals, no ISO 4217 currency; 409 the hook of the same reference is
 * still being asked
 */
export async function authorize(
  deps: CardsDependencies,
  batches: DecisionQueues,
  caller: Caller,
  cardId: string,
  request: AuthorizeRequest,
): Promise<{ authorization: object }> {
  const checked = checkRequest(caller, cardId, request)
  const patience = realNowMs() + UNDECIDED_WAIT_MS
  for (;;) {
    const verdict =
      checked instanceof RequestError
        ? await deps.db.transact(caller.businessId, (tx) => findEarlierDecision(tx, cardId, request, checked))
        : await batches.submit(caller.businessId, checked)
    if (verdict.kind === 'refused') throw verdict.error
    if (verdict.kind !== 'undecided') {
      const { businessId } = caller
      const decided = verdict.kind === 'ask' ? await finishWithHook(deps, businessId, verdict) : verdict.authorization
      return { authorization: renderAuthorization(decided) }
    }
    if (realNowMs() >= patience) throw errors.authorization_undecided()
    await sleep(UNDECIDED_POLL_MS)
  }
}

/** What can be decided, or what is wrong with it. */
function checkRequest(
  caller: Caller,
  cardId: string,
  request: AuthorizeRequest,
): DecisionRequest | RequestError {
  try {
    return parseRequest(caller, cardId, request)
  } catch (error) {
    if (error instanceof RequestError) return error
    throw error
  }
}

/** The verdict on what cannot be decided: the first decision when its reference was there before, else what is wrong. */
async function findEarlierDecision(
  tx: Tx,
  cardId: string,
  request: AuthorizeRequest,
  error: RequestError,
): Promise<Decision> {
  const [first] = await findAuthorizationsByReference(tx, [{ cardId, referenceId: request.reference_id }])
  if (first === undefined) return { kind: 'refused', error }
  return decisionOf(first)
}

function parseRequest(caller: Caller, cardId: string, request: AuthorizeRequest): DecisionRequest {
  const { currency } = request
  if (!isCurrency(currency)) throw errors.card_currency_unknown({ param: 'authorization.currency' })
  return {
    cardId,
    referenceId: request.reference_id,
    amountMinor: parsePositive(currency, request.amount, 'authorization.amount'),
    currency,
    merchant: request.merchant,
    caller,
  }
}

/** The hold is committed; now the hook is asked, and its answer recorded. */
async function finishWithHook(
  deps: CardsDependencies,
  businessId: string,
  { authorization, hook }: Extract<Decision, { kind: 'ask' }>,
): Promise<Authorization> {
  const approved = await callDecisionHook(deps, businessId, hook, authorization)
  return deps.db.transact(businessId, (tx) => recordHookDecision(deps, tx, authorization.uuid, approved))
}
