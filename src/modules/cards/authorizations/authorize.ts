import { setTimeout as sleep } from 'node:timers/promises'
import { isCurrency } from '#kernel/currencies'
import { RequestError } from '#kernel/errors'
import { realNowMs } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { parsePositive } from '../api/amounts.ts'
import { askHook } from '../hooks/ask-hook.ts'
import type { Authorization, Merchant } from './authorization.ts'
import { findByReferences } from '../storage/authorization.repository.ts'
import { type DecisionRequest, type Verdict, verdictOf } from './decide-together.ts'
import type { DecisionBatches } from './decision-batches.ts'
import { errors } from '../api/errors.ts'
import type { CardsDependencies } from '../dependencies.ts'
import { renderAuthorization } from '../api/render.ts'
import { recordHookAnswer } from '../hooks/settle-asked.ts'

export interface AuthorizeRequest {
  readonly amount: string
  readonly currency: string
  readonly merchant: Merchant
  readonly reference_id: string
}

/** How long the same reference waits for the hook that its first sending asks: longer than a hook may take. */
const UNDECIDED_PATIENCE_MS = 3_000
const UNDECIDED_POLL_MS = 50

/**
 * Decides an authorization at once: approved and held in the card's limits, or declined with the first reason. The same
 * reference again answers the first decision.
 * @throws 404; 422 an amount of 0 or less, too many decimals, no ISO 4217 currency; 409 the hook of the same reference is
 * still being asked
 */
export async function authorize(
  deps: CardsDependencies,
  batches: DecisionBatches,
  caller: Caller,
  cardId: string,
  request: AuthorizeRequest,
): Promise<{ authorization: object }> {
  const checked = checkedOf(caller, cardId, request)
  const patience = realNowMs() + UNDECIDED_PATIENCE_MS
  for (;;) {
    const verdict =
      checked instanceof RequestError
        ? await deps.db.transact(caller.businessId, (tx) => repeated(tx, cardId, request, checked))
        : await batches.submit(caller.businessId, checked)
    if (verdict.kind === 'refused') throw verdict.error
    if (verdict.kind !== 'undecided') {
      const { businessId } = caller
      const decided = verdict.kind === 'ask' ? await finish(deps, businessId, verdict) : verdict.authorization
      return { authorization: renderAuthorization(decided) }
    }
    if (realNowMs() >= patience) throw errors.authorization_undecided()
    await sleep(UNDECIDED_POLL_MS)
  }
}

/** What can be decided, or what is wrong with it. */
function checkedOf(
  caller: Caller,
  cardId: string,
  request: AuthorizeRequest,
): DecisionRequest | RequestError {
  try {
    return check(caller, cardId, request)
  } catch (error) {
    if (error instanceof RequestError) return error
    throw error
  }
}

/** The verdict on what cannot be decided: the first decision when its reference was there before, else what is wrong. */
async function repeated(
  tx: Tx,
  cardId: string,
  request: AuthorizeRequest,
  error: RequestError,
): Promise<Verdict> {
  const [first] = await findByReferences(tx, [{ cardId, referenceId: request.reference_id }])
  if (first === undefined) return { kind: 'refused', error }
  return verdictOf(first)
}

function check(caller: Caller, cardId: string, request: AuthorizeRequest): DecisionRequest {
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
async function finish(
  deps: CardsDependencies,
  businessId: string,
  { authorization, hook }: Extract<Verdict, { kind: 'ask' }>,
): Promise<Authorization> {
  const approved = await askHook(deps, businessId, hook, authorization)
  return deps.db.transact(businessId, (tx) => recordHookAnswer(deps, tx, authorization.uuid, approved))
}
