import { setTimeout as sleep } from 'node:timers/promises'
import type { Instant } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { answerOrThrow } from '../api/answer.ts'
import type { AcquirerResult } from '../charges/apply-answer.ts'
import type { PaymentsContext } from '../context.ts'
import { errors } from '../api/errors.ts'
import { orderParam, orderSelector } from '../api/identifiers.ts'
import { cancelPending, investigate } from '../resolver/investigate.ts'
import { sendFollowUp } from '../charges/perform.ts'
import type { KnownAnswer } from '../charges/record-answers.ts'
import { recordForCaller } from '../charges/record-for-caller.ts'
import type { OrderIdentifiersRequest } from '../api/schemas.ts'
import {
  type OrderVoidEnd,
  type OrderVoidRequest,
  stepOrderVoid,
  type VoidAction,
} from './void-order-step.ts'
import { byIds, type OrderSelector } from '../storage/order-selector.ts'

/** Steps of one void; each does at least one thing at the acquirer, and no order needs more than a few. */
const MAX_STEPS = 30
/** Somebody else is at what we need, such as the resolver asking about it: a moment. */
const BUSY_POLL_MS = 50
const MAX_BUSY_POLLS = 60

/** POST orders/void (endpoint 2). Void again answers the same. An order that no acquirer knows of needs none. */
export async function voidOrder(
  ctx: PaymentsContext,
  caller: Caller,
  order: OrderIdentifiersRequest,
): Promise<object> {
  const { businessId } = caller
  const selector = orderSelector(order)
  const end = await runOrderVoid(ctx, businessId, selector, {
    caller,
    timeOf: (tx) => tx.now,
    notFound: () => errors.order_not_found({ param: orderParam(order) }),
  })
  return answerOrThrow(end.kind === 'voided' ? end.data : end.answer)
}

/** Takes an order's void as far as it goes: cancels, then voids what was captured, then authorizations, then the order. */
async function runOrderVoid(
  ctx: PaymentsContext,
  businessId: string,
  selector: OrderSelector,
  request: OrderVoidRequest,
): Promise<OrderVoidEnd> {
  const { timeZone: zone } = await ctx.businesses.profile(businessId)
  let known: readonly KnownAnswer[] = []
  let orders = selector
  let first = true
  let busy = 0
  for (let step = 1; step <= MAX_STEPS;) {
    const options = { ...request, zone, first, patient: busy < MAX_BUSY_POLLS }
    const take = () => ctx.db.transact(businessId, (tx) => stepOrderVoid(ctx, tx, orders, options, known))
    const taken = await (first || request.caller === null ? take() : recordForCaller(take))
    first = false
    known = []
    if (taken.kind === 'busy') {
      busy++
      await sleep(BUSY_POLL_MS)
      continue
    }
    if (taken.kind !== 'act') return taken
    orders = byIds([taken.orderId])
    known = await Promise.all(taken.actions.map((action) => perform(ctx, businessId, action)))
    step++
  }
  throw new Error('the void of an order does not come to an end')
}

async function perform(ctx: PaymentsContext, businessId: string, action: VoidAction): Promise<KnownAnswer> {
  const { operation, at } = action
  return { operation, answer: await ask(ctx, businessId, action), at }
}

function ask(ctx: PaymentsContext, businessId: string, action: VoidAction): Promise<AcquirerResult> {
  switch (action.kind) {
    case 'cancel':
      return cancelPending(ctx, businessId, action)
    case 'investigate':
      return investigate(ctx, businessId, action)
    case 'send':
      return sendFollowUp(ctx, businessId, action)
  }
}

/** Goes on with a void that was begun, at a time of the business's clock. */
export function resumeOrderVoid(
  ctx: PaymentsContext,
  businessId: string,
  orderId: string,
  at: Instant,
): Promise<OrderVoidEnd> {
  return runOrderVoid(ctx, businessId, byIds([orderId]), {
    caller: null,
    timeOf: () => at,
    notFound: () => errors.order_not_found(),
  })
}
