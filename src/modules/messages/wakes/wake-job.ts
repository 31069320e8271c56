import type { Instant } from '#kernel/clock'
import { localDateOf } from '#kernel/time-zone'
import { findScheduledChanges, loadPlans, type PlanAggregate } from '#modules/plans'
import type { Job, JobRun } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import type { MessagesContext } from '../context.ts'
import { MESSAGE_WAKES } from '../job-names.ts'
import { createMessages } from '../make/create-messages.ts'
import type { MessageCause } from '../model/message.ts'
import type { Wake } from '../model/wake.ts'
import { findSettings } from '../storage/settings.repository.ts'
import { deleteWakes, lockDueWakes, nextWakeAt } from '../storage/wake.repository.ts'
import { reminderAt, renewalOf, renewalWake } from '../dates/decide-wakes.ts'
import { putWakes } from '../dates/schedule-wakes.ts'

const BATCH = 100
const SCANNED_PLANS = 200

/** Makes the messages that a date causes. Plans and orders are read anew, because they may have changed since the wake was scheduled. */
export function wakeJob(ctx: MessagesContext): Job {
  return {
    name: MESSAGE_WAKES,
    clock: 'business',
    domain: 'messages',
    nextRunAt: nextWakeAt,
    run: (run) =>
      ctx.db.transact(run.businessId, async (tx) => {
        const due = await lockDueWakes(tx, run.until, BATCH)
        if (due.length === 0) return 0
        const next = [
          ...(await remind(ctx, tx, ofKind(due, 'payment_reminder'), run)),
          ...(await announceRenewals(ctx, tx, ofKind(due, 'renewal_ahead'), run)),
          ...(await scan(ctx, tx, ofKind(due, 'renewal_scan'), run)),
        ]
        await deleteWakes(tx, due)
        await putWakes(tx, next)
        return due.length
      }),
  }
}

function ofKind(wakes: readonly Wake[], kind: Wake['kind']): Wake[] {
  return wakes.filter((wake) => wake.kind === kind)
}

async function remind(
  ctx: MessagesContext,
  tx: Tx,
  wakes: readonly Wake[],
  { timeOf }: JobRun,
): Promise<Wake[]> {
  if (wakes.length === 0) return []
  const orders = await ctx.payments.findOrders(
    tx,
    wakes.map(({ objectId }) => objectId),
  )
  const planIds = [...orders.values()].flatMap(({ order }) => order.planId ?? [])
  const plans = await loadPlans(tx, { planIds, bills: false })
  const causes: MessageCause[] = []
  const next: Wake[] = []
  for (const wake of wakes) {
    const order = orders.get(wake.objectId)?.order
    const aggregate = plans.get(order?.planId ?? '')
    if (order?.state !== 'open' || aggregate === undefined) continue
    const { plan } = aggregate
    causes.push({
      kind: 'payment_reminder',
      objectId: order.id,
      cause: `${wake.step + 1}`,
      customerUuid: plan.customerUuid,
      facts: { planId: plan.id, date: dueDateOf(order, aggregate) },
      ...(order.invoice !== null && { documentIds: [order.invoice.id] }),
      at: timeOf(wake.dueAt),
    })
    const dueAt = reminderAt(aggregate, order.createdAt, wake.step + 1)
    if (dueAt !== null) next.push({ ...wake, dueAt, step: wake.step + 1 })
  }
  await createMessages(ctx, tx, causes)
  return next
}

function dueDateOf(
  order: { readonly dueDate: string | null; readonly createdAt: Instant },
  { plan }: PlanAggregate,
): string {
  return order.dueDate ?? localDateOf(order.createdAt, plan.zone).toString()
}

async function announceRenewals(
  ctx: MessagesContext,
  tx: Tx,
  wakes: readonly Wake[],
  { timeOf }: JobRun,
): Promise<Wake[]> {
  if (wakes.length === 0) return []
  const { enabled, renewalDays } = await ctx.settingsOf(tx.businessId)
  if (!enabled.includes('renewal_ahead')) return []
  const plans = await loadPlans(tx, { planIds: wakes.map(({ objectId }) => objectId), bills: false })
  const scheduled = await findScheduledChanges(tx, plans)
  const causes: MessageCause[] = []
  const next: Wake[] = []
  for (const { objectId, dueAt } of wakes) {
    const aggregate = plans.get(objectId)
    const wake = aggregate && renewalWake(aggregate, scheduled, renewalDays)
    const renewal = aggregate && renewalOf(aggregate, scheduled)
    if (aggregate === undefined || wake == null || renewal == null) continue
    if (wake.dueAt.epochMilliseconds > timeOf(dueAt).epochMilliseconds) next.push(wake)
    else {
      const { plan } = aggregate
      const date = renewal.date.toString()
      causes.push({
        kind: 'renewal_ahead',
        objectId: plan.id,
        cause: date,
        customerUuid: plan.customerUuid,
        facts: { planId: plan.id, date },
        at: timeOf(dueAt),
      })
    }
  }
  await createMessages(ctx, tx, causes)
  return next
}

/**
 * Schedules the renewals of plans that began before renewals were announced. It reads the settings themselves: the edit that
 * scheduled this scan may have returned nothing yet, and the cached ones may still be the old ones.
 */
async function scan(
  ctx: MessagesContext,
  tx: Tx,
  [wake]: readonly Wake[],
  { timeOf }: JobRun,
): Promise<Wake[]> {
  if (wake === undefined) return []
  const { enabled, renewalDays } = await findSettings(tx)
  if (!enabled.includes('renewal_ahead')) return []
  const planIds = await ctx.billing.activePlanIds(tx, wake.objectId, SCANNED_PLANS)
  const plans = await loadPlans(tx, { planIds, bills: false })
  const scheduled = await findScheduledChanges(tx, plans)
  const found = [...plans.values()].flatMap((aggregate) => {
    const renewal = renewalWake(aggregate, scheduled, renewalDays)
    // A renewal that is nearer than the days is announced at once.
    return renewal === null ? [] : [renewal]
  })
  const last = planIds.at(-1)
  const goesOn = last !== undefined && planIds.length === SCANNED_PLANS
  return [...found, ...(goesOn ? [{ ...wake, objectId: last, dueAt: timeOf(wake.dueAt) }] : [])]
}
