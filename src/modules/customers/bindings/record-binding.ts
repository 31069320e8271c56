import type { Instant } from '#kernel/clock'
import { nextState } from '#kernel/state-table'
import type { Inquiry, Outcome } from '#modules/acquirers'
import type { Tx } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import { successEnvelope } from '#platform/http/routes/envelope'
import { keepAnswer } from '#platform/idempotency/idempotency'
import { type BindingDecision, decideBinding } from './binding.ts'
import { lockCustomer, setDefaultToken } from '../storage/customer.repository.ts'
import { BINDING_INQUIRIES } from '../job-kinds.ts'
import { errors } from '../api/errors.ts'
import type { CustomerEvent } from '../events.ts'
import type { CustomersDependencies } from '../dependencies.ts'
import type { PaymentToken } from '../tokens/payment-token.ts'
import {
  findTokens,
  hasOtherActiveToken,
  lockToken,
  settleToken,
  waitOn,
} from '../storage/payment-token.repository.ts'
import { PAYMENT_TOKEN_STATES } from '../tokens/payment-token.states.ts'
import { renderPaymentToken } from '../api/render.ts'

/**
 * Records what the acquirer said of a binding, as of `at`: state, default, event, and the answer that is owed to an
 * Idempotency-Key. A token that is no longer pending stays as it is, so recording twice is harmless.
 * @returns the token as it is now
 */
export async function recordBinding(
  deps: CustomersDependencies,
  tx: Tx,
  known: { readonly token: string; readonly customerUuid: string },
  answer: Outcome | Inquiry,
  at: Instant,
): Promise<PaymentToken> {
  await lockCustomer(tx, known.customerUuid)
  const before = await lockToken(tx, known.token)
  if (before === null) throw errors.payment_token_not_found()
  if (nextState(PAYMENT_TOKEN_STATES, before.state, 'approve') === undefined) return before
  const decision = decideBinding(before, answer, at)
  await saveDecision(tx, before, decision, at)
  if (decision.state === 'active' && (await becomesDefault(tx, before, at))) {
    await setDefaultToken(tx, before.customerUuid, before.token, at)
  }
  const after = (await findTokens(tx, [before.token])).get(before.token) ?? before
  const data = { payment_token: renderPaymentToken(deps.links, after, at) }
  // Answered once: a key that is replayed later gets what its request was answered with.
  await keepAnswer(tx, before.idempotencyId, 200, successEnvelope(data))
  if (decision.state !== 'pending') {
    const type: CustomerEvent = `payment_token.${decision.state}`
    await deps.events.append(tx, [{ type, objectId: after.token, timestamp: at, data }])
  }
  return after
}

async function saveDecision(
  tx: Tx,
  token: PaymentToken,
  decision: BindingDecision,
  at: Instant,
): Promise<void> {
  switch (decision.state) {
    case 'active':
      return settleToken(tx, token.token, { state: 'active', errorCode: null, errorMessage: null, at })
    case 'failed':
      return settleToken(tx, token.token, { ...decision, at })
    case 'pending':
      await waitOn(tx, token.token, { ...decision, at })
      await scheduleJob(tx, BINDING_INQUIRIES, decision.dueAt)
  }
}

/** The first active token becomes the default unless the caller said no; a later one only if the caller said yes. */
async function becomesDefault(tx: Tx, token: PaymentToken, at: Instant): Promise<boolean> {
  if (token.wantsDefault !== null) return token.wantsDefault
  return !(await hasOtherActiveToken(tx, token, at))
}
