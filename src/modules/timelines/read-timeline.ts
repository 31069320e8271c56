import { customerErrors } from '#modules/customers'
import { paymentErrors } from '#modules/payments'
import type { Caller } from '#platform/caller'
import { holdsScope } from '#platform/http/authorization'
import type { Scope } from '#platform/http/routes/route'
import type { TimelinesDependencies } from './dependencies.ts'
import { invoiceEntries } from './next/invoice-entries.ts'
import { messageEntries } from './next/message-entries.ts'
import { inOrder, type NextEntry } from './next/next-entry.ts'
import { disputeEntries, orderEntries } from './next/order-entries.ts'
import { planEntries } from './next/plan-entries.ts'
import { withActors } from './next/who-asked.ts'
import { type DeliveredEntry, withDeliveries } from './past/deliveries.ts'
import { type PastPage, readPage, type TimelineQuery } from './past/past-page.ts'
import { pastOfCustomer, pastOfOrder, pastOfPlan } from './past/read-past.ts'

/** Names by the ids of users and API keys. */
export type ActorNames = ReadonlyMap<string, string>

export interface Timeline {
  readonly past: PastPage<DeliveredEntry>
  readonly next: readonly NextEntry[]
  readonly names: ActorNames
}

export async function timelineOfOrder(
  deps: TimelinesDependencies,
  caller: Caller,
  number: string,
  query: TimelineQuery,
): Promise<Timeline> {
  const { db, businesses, payments, billing } = deps
  const page = readPage(`order ${number}`, query)
  const { timeZone } = await businesses.profile(caller.businessId)
  const timeline = await db.transact(
    caller.businessId,
    async (tx) => {
      const found = (await payments.findOrders(tx, [number])).get(number)
      if (found === undefined) throw paymentErrors.order_not_found()
      const { planId } = found.order
      const [disputes, documents] = await Promise.all([
        deps.disputes.ofOrders(tx, [number]),
        deps.invoices.documentsOfOrders(tx, [number]),
      ])
      const [past, steps, planSteps, awaited] = await Promise.all([
        pastOfOrder(deps, tx, { ...found, disputes, documents }, page),
        payments.stepsOfOrder(tx, found),
        planId === null ? [] : billing.readOrderSteps(tx, { planId, orderId: number }),
        found.order.state === 'open' ? deps.messages.awaitedMessages(tx, [number]) : [],
      ])
      const next = [
        ...orderEntries(steps, found.order, { offsetMs: tx.clockOffsetMs ?? 0, timeZone }),
        ...planEntries(planSteps, { timeZone }),
        ...disputeEntries(disputes),
        ...invoiceEntries(documents),
        ...messageEntries(awaited),
      ]
      return { past: await withDeliveries(deps, tx, past), next: inOrder(next) }
    },
    { isSnapshot: true },
  )
  return named(deps, caller, timeline)
}

export async function timelineOfPlan(
  deps: TimelinesDependencies,
  caller: Caller,
  planId: string,
  query: TimelineQuery,
): Promise<Timeline> {
  const { db, businesses, billing } = deps
  const page = readPage(`plan ${planId}`, query)
  const { timeZone } = await businesses.profile(caller.businessId)
  const timeline = await db.transact(
    caller.businessId,
    async (tx) => {
      const plan = await billing.readPlanSteps(tx, planId)
      const past = await pastOfPlan(deps, tx, { ...plan, id: planId }, page)
      const openOrders = plan.steps.flatMap((step) => ('orderId' in step ? [step.orderId] : []))
      const disputes = await deps.disputes.ofOrders(tx, [...new Set(openOrders)])
      const documents = await deps.invoices.documentsOfOrders(tx, plan.openOrderIds)
      const renewing = plan.steps.some(({ kind }) => kind === 'bill') ? [planId] : []
      const awaited = await deps.messages.awaitedMessages(tx, [...renewing, ...plan.openOrderIds])
      const next = [
        ...(await withActors(tx, planId, planEntries(plan.steps, { timeZone }))),
        ...disputeEntries(disputes),
        ...invoiceEntries(documents),
        ...messageEntries(awaited),
      ]
      return { past: await withDeliveries(deps, tx, past), next: inOrder(next) }
    },
    { isSnapshot: true },
  )
  return named(deps, caller, timeline)
}

/** How many plans of a customer say what they do next. */
const MAX_NEXT_PLANS = 10

/** What the caller may read of everything that belongs to a customer. */
export async function timelineOfCustomer(
  deps: TimelinesDependencies,
  caller: Caller,
  uuid: string,
  query: TimelineQuery,
): Promise<Timeline> {
  const { db, businesses, billing, customers } = deps
  const { scopes } = caller
  const may = (scope: Scope) => scopes === undefined || holdsScope(scopes, scope)
  const page = readPage(`customer ${uuid}`, query)
  const { timeZone } = await businesses.profile(caller.businessId)
  const timeline = await db.transact(
    caller.businessId,
    async (tx) => {
      if (!(await customers.findCustomers(tx, [uuid])).has(uuid)) throw customerErrors.customer_not_found()
      const past = await pastOfCustomer(deps, tx, { uuid, may }, page)
      const planIds = may('recurring:read') ? await billing.planIdsOfCustomer(tx, uuid, MAX_NEXT_PLANS) : []
      const plans = await Promise.all(planIds.map((id) => billing.readPlanSteps(tx, id)))
      const next = plans.flatMap(({ steps }) => planEntries(steps, { timeZone }))
      return { past: await withDeliveries(deps, tx, past), next: inOrder(next) }
    },
    { isSnapshot: true },
  )
  return named(deps, caller, timeline)
}

async function named(
  { users }: TimelinesDependencies,
  { businessId }: Caller,
  timeline: Omit<Timeline, 'names'>,
): Promise<Timeline> {
  const { past, next } = timeline
  const ids = new Set([...past.entries, ...next].flatMap(({ actorId }) => actorId ?? []))
  return { ...timeline, names: await users.actorNames(businessId, [...ids]) }
}
