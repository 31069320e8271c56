import { paymentErrors } from '#modules/payments'
import type { Caller } from '#platform/caller'
import type { TimelinesDependencies } from './dependencies.ts'
import { disputeEntries, orderEntries } from './next/order-entries.ts'
import { inOrder } from './next/next-entry.ts'
import { planEntries } from './next/plan-entries.ts'
import { type PastPage, readPage, type TimelineQuery } from './past/past-page.ts'
import { withDeliveries } from './past/deliveries.ts'
import { pastOfOrder, pastOfPlan } from './past/read-past.ts'

export class Timelines {
  readonly #deps: TimelinesDependencies

  constructor(deps: TimelinesDependencies) {
    this.#deps = deps
  }

  async ofOrder(caller: Caller, number: string, query: TimelineQuery): Promise<object> {
    const { db, businesses, disputes: allDisputes, payments, recurring } = this.#deps
    const page = readPage(`order ${number}`, query)
    const { timeZone } = await businesses.profile(caller.businessId)
    return db.transact(
      caller.businessId,
      async (tx) => {
        const found = (await payments.findOrders(tx, [number])).get(number)
        if (found === undefined) throw paymentErrors.order_not_found()
        const { planId } = found.order
        const disputes = await allDisputes.ofOrders(tx, [number])
        const [past, steps, planSteps] = await Promise.all([
          pastOfOrder(this.#deps, tx, { ...found, disputes }, page),
          payments.stepsOfOrder(tx, found),
          planId === null ? [] : recurring.readOrderSteps(tx, { planId, orderId: number }),
        ])
        const next = [
          ...orderEntries(steps, found.order, { offsetMs: tx.clockOffsetMs ?? 0, timeZone }),
          ...planEntries(planSteps, { timeZone }),
          ...disputeEntries(disputes),
        ]
        return this.#timeline(await withDeliveries(this.#deps, tx, past), inOrder(next))
      },
      { isSnapshot: true },
    )
  }

  async ofPlan(caller: Caller, planId: string, query: TimelineQuery): Promise<object> {
    const { db, businesses, disputes: allDisputes, recurring } = this.#deps
    const page = readPage(`plan ${planId}`, query)
    const { timeZone } = await businesses.profile(caller.businessId)
    return db.transact(
      caller.businessId,
      async (tx) => {
        const plan = await recurring.readPlanSteps(tx, planId)
        const past = await pastOfPlan(this.#deps, tx, { ...plan, id: planId }, page)
        const openOrders = plan.steps.flatMap((step) => ('orderId' in step ? [step.orderId] : []))
        const disputes = await allDisputes.ofOrders(tx, [...new Set(openOrders)])
        const next = [...planEntries(plan.steps, { timeZone }), ...disputeEntries(disputes)]
        return this.#timeline(await withDeliveries(this.#deps, tx, past), inOrder(next))
      },
      { isSnapshot: true },
    )
  }

  #timeline({ entries, nextCursor }: PastPage<object>, next: readonly object[]): object {
    return { timeline: { past: entries, next, next_cursor: nextCursor } }
  }
}
