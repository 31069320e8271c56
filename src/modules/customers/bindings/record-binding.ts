import type { Instant } from '#kernel/clock'
import { nextState } from '#kernel/state-table'
import type { Inquiry, VerifyOutcome } from '#modules/acquirers'
import type { Tx } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import { successEnvelope } from '#platform/envelope'
import { storeReply } from '#platform/idempotency/idempotency'
import { type BindingDecision, decideBinding } from './binding.ts'
import { lockCustomer, setDefaultToken } from '../storage/customer.repository.ts'
import { BINDING_INQUIRIES, FAILED_TOKEN_PURGE } from '../job-names.ts'
import { errors } from '../errors.ts'
import type { CustomerEvent } from '../customer-event.ts'
import type { CustomersContext } from '../context.ts'
import { type PaymentToken, purgeDueAt } from '../model/payment-token.ts'
import {
  findTokens,
  hasOtherActiveToken,
  lockToken,
  completeBinding,
  rescheduleInquiry,
} from '../storage/payment-token.repository.ts'
import { scheduleExpiryNotice } from '../expiry/expiry-notices.ts'
import { handleDefaultToken } from '../profiles/default-token.ts'
import { saveVerified } from '../tokens/refresh-instrument.ts'
import { PAYMENT_TOKEN_STATES } from '../model/payment-token.states.ts'

/**
 * Records the acquirer's answer at `at`: state, default token, event, and the response of the Idempotency-Key. A token that
 * is no longer pending stays as it is, so recording twice is harmless.
 */
export async function recordBinding(
  ctx: CustomersContext,
  tx: Tx,
  ids: { readonly token: string; readonly customerUuid: string },
  answer: VerifyOutcome | Inquiry,
  at: Instant,
  quietUntil?: Instant,
): Promise<PaymentToken> {
  const customer = await lockCustomer(tx, ids.customerUuid)
  const before = await lockToken(tx, ids.token)
  if (before === null) throw errors.payment_token_not_found()
  if (nextState(PAYMENT_TOKEN_STATES, before.state, 'approve') === undefined) return before
  if ('instrument' in answer && answer.instrument !== undefined) {
    await saveVerified(ctx, tx, before.token, answer.instrument)
  }
  const decision = decideBinding(before, answer, at, quietUntil)
  await saveDecision(tx, before, decision, at)
  if (decision.state === 'active' && (await becomesDefault(tx, before, at))) {
    await setDefaultToken(tx, before.customerUuid, before.token, at)
    await handleDefaultToken(ctx, tx, customer, before.token)
  }
  const after = (await findTokens(tx, [before.token])).get(before.token) ?? before
  if (decision.state === 'active') await scheduleExpiryNotice(ctx, tx, after, at)
  const view = { token: after, at }
  await storeReply(tx, before.idempotencyId, 200, successEnvelope(ctx.present.token(view)))
  if (decision.state !== 'pending') {
    const type: CustomerEvent = `payment_token.${decision.state}`
    const data = ctx.present.tokenEvent(view)
    await ctx.events.append(tx, [{ type, objectId: after.token, timestamp: at, data }])
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
      return completeBinding(tx, token.token, { state: 'active', errorCode: null, errorMessage: null, at })
    case 'failed':
      await completeBinding(tx, token.token, { ...decision, at })
      return scheduleJob(tx, FAILED_TOKEN_PURGE, purgeDueAt(at))
    case 'pending':
      await rescheduleInquiry(tx, token.token, { ...decision, at })
      await scheduleJob(tx, BINDING_INQUIRIES, decision.dueAt)
  }
}

async function becomesDefault(tx: Tx, token: PaymentToken, at: Instant): Promise<boolean> {
  if (token.defaultRequested !== null) return token.defaultRequested
  return !(await hasOtherActiveToken(tx, token, at))
}
