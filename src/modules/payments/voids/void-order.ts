import { setTimeout as sleep } from 'node:timers/promises'
import type { Instant } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { errors } from '../errors.ts'
import { orderNotFound, orderSelector } from '../requests/identifiers.ts'
import type { PaymentsContext } from '../context.ts'
import type { AcquirerResult } from '../outcomes/acquirer-result.ts'
import { performFollowUp } from '../operations/perform.ts'
import { retryRecordingOf } from '../operations/record-for-caller.ts'
import { cancelAtAcquirer, determineResult } from '../operations/determine-result.ts'
import { byIds, type OrderSelector } from '../storage/order-selector.ts'
import type { OrderVoidResult } from '../model/order-void-result.ts'
import {
  type OrderVoidRequest,
  stepOrderVoid,
  type VoidAction,
  type VoidActionResult,
} from './void-order-step.ts'
import type { OrderIdentifiers } from '../model/order-requests.ts'

/** Each step calls the acquirer at least once, and no order needs more than a few. */
const MAX_STEPS = 30
/** Somebody else, such as the resolver, leases an operation for a moment. */
const BUSY_POLL_MS = 50
/** Three seconds in all. */
const MAX_BUSY_POLLS = 60

export async function voidOrder(
  ctx: PaymentsContext,
  caller: Caller,
  order: OrderIdentifiers,
): Promise<OrderVoidResult> {
  return runOrderVoid(ctx, caller.businessId, orderSelector(order), {
    caller,
    timeOf: (tx) => tx.now,
    notFound: () => orderNotFound(order),
  })
}

export function resumeOrderVoid(
  ctx: PaymentsContext,
  businessId: string,
  orderId: string,
  at: Instant,
  quietUntil?: Instant,
): Promise<OrderVoidResult> {
  return runOrderVoid(ctx, businessId, byIds([orderId]), {
    caller: null,
    timeOf: () => at,
    quietUntil,
    notFound: () => errors.order_not_found(),
  })
}

async function runOrderVoid(
  ctx: PaymentsContext,
  businessId: string,
  selector: OrderSelector,
  request: OrderVoidRequest,
): Promise<OrderVoidResult> {
  const { timeZone: zone } = await ctx.businesses.profile(businessId)
  let results: readonly VoidActionResult[] = []
  let selected = selector
  let isFirst = true
  let busyPolls = 0
  for (let step = 1; step <= MAX_STEPS;) {
    const options = { ...request, zone, isFirst, mayPoll: busyPolls < MAX_BUSY_POLLS }
    const take = () => ctx.db.transact(businessId, (tx) => stepOrderVoid(ctx, tx, selected, options, results))
    const taken = await (isFirst || request.caller === null
      ? take()
      : retryRecordingOf(ctx, businessId, results, take))
    isFirst = false
    results = []
    if (taken.kind === 'busy') {
      busyPolls++
      await sleep(BUSY_POLL_MS)
      continue
    }
    if (taken.kind !== 'act') return taken
    selected = byIds([taken.orderId])
    results = await Promise.all(taken.actions.map((action) => perform(ctx, businessId, action)))
    step++
  }
  throw new Error(`the void of an order did not end within ${MAX_STEPS} steps`)
}

async function perform(
  ctx: PaymentsContext,
  businessId: string,
  action: VoidAction,
): Promise<VoidActionResult> {
  const { kind, operation, at } = action
  return { kind, operation, acquirerResult: await callAcquirer(ctx, businessId, action), at }
}

function callAcquirer(ctx: PaymentsContext, businessId: string, action: VoidAction): Promise<AcquirerResult> {
  switch (action.kind) {
    case 'cancel':
      return cancelAtAcquirer(ctx, businessId, action)
    case 'determine':
      return determineResult(ctx, businessId, action)
    case 'send':
      return performFollowUp(ctx, businessId, action)
  }
}
