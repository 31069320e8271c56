import { setTimeout as sleep } from 'node:timers/promises'
import { isCurrency } from '#kernel/currencies'
import { RequestError } from '#kernel/errors'
import { realNowMs } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { currentCause } from '#platform/events/events'
import type { Tx } from '#platform/postgres/database'
import { parsePositive } from '../requests/amounts.ts'
import { callDecisionHook } from '../hooks/call-hook.ts'
import type { Authorization } from '../model/authorization.ts'
import { findAuthorizationsByReference } from '../storage/authorization.repository.ts'
import { type Decision, decisionOf, type DecisionRequest } from '../model/decision.ts'
import { errors } from '../errors.ts'
import type { CardsContext, DecidingContext } from '../context.ts'
import type { AuthorizeRequest } from '../model/requests.ts'
import { recordHookDecision } from '../hooks/record-hook-decision.ts'

/** A repeated reference waits this long for the hook call of the first request: longer than a hook may take. */
export const UNDECIDED_WAIT_MS = 3_000
/** Each look is one read. */
const UNDECIDED_POLL_MS = 50

/**
 * Decides an authorization at once: approved and held, or declined with the first reason. A repeated reference gets the
 * first decision (reference/cards#authorizations).
 * @throws 404; 422 invalid amount or currency; 409 the decision hook is still being called for the same reference
 */
export async function authorize(
  ctx: DecidingContext,
  caller: Caller,
  cardId: string,
  request: AuthorizeRequest,
): Promise<Authorization> {
  const startedAt = performance.now()
  const checked = checkRequest(caller, cardId, request)
  const waitUntil = realNowMs() + UNDECIDED_WAIT_MS
  for (;;) {
    const decision =
      checked instanceof RequestError
        ? await ctx.db.transact(caller.businessId, (tx) => earlierDecision(tx, cardId, request, checked))
        : await ctx.decisions.submit(caller.businessId, checked)
    if (decision.kind !== 'undecided') {
      const authorization =
        decision.kind === 'hook_required'
          ? await decideByHook(ctx, caller.businessId, decision)
          : decision.authorization
      ctx.onDecision?.(authorization.state !== 'declined', performance.now() - startedAt)
      return authorization
    }
    if (realNowMs() >= waitUntil) throw errors.authorization_undecided()
    await sleep(UNDECIDED_POLL_MS)
  }
}

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

async function earlierDecision(
  tx: Tx,
  cardId: string,
  request: AuthorizeRequest,
  error: RequestError,
): Promise<Decision> {
  const [first] = await findAuthorizationsByReference(tx, [{ cardId, referenceId: request.reference_id }])
  if (first === undefined) throw error
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
    cause: currentCause(),
  }
}

/** The hold is committed before this call, so a crash leaves it for the job that applies the fallback. */
async function decideByHook(
  ctx: CardsContext,
  businessId: string,
  { authorization, hook }: Extract<Decision, { kind: 'hook_required' }>,
): Promise<Authorization> {
  const result = await callDecisionHook(ctx, businessId, hook, authorization)
  return ctx.db.transact(businessId, (tx) => recordHookDecision(ctx, tx, authorization.uuid, result))
}
