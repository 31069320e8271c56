import { scheduleJob } from '#platform/jobs/jobs'
import { earliestOf, isBefore } from '#kernel/clock'
import { findScheduledChanges, type SavedPlan } from '#modules/plans'
import type { Tx } from '#platform/postgres/database'
import { MESSAGE_WAKES } from '../job-names.ts'
import type { MessageSettings } from '../model/settings.ts'
import type { Wake } from '../model/wake.ts'
import { saveWakes } from '../storage/wake.repository.ts'
import { reminderAt, renewalWake } from './decide-wakes.ts'

/** Schedules the announcements of renewals and the reminders that changed plans make necessary. */
export async function scheduleWakes(
  tx: Tx,
  changes: readonly SavedPlan[],
  settings: MessageSettings,
): Promise<void> {
  const wakes = changes.flatMap((change) => [
    ...(settings.enabled.includes('payment_reminder') ? newReminders(change) : []),
  ])
  const renewals = settings.enabled.includes('renewal_ahead')
    ? await changedRenewals(tx, changes, settings)
    : []
  await putWakes(tx, [...renewals, ...wakes])
}

export async function putWakes(tx: Tx, wakes: readonly Wake[]): Promise<void> {
  const earliest = earliestOf(wakes.map(({ dueAt }) => dueAt))
  if (earliest === null) return
  tx.defer(saveWakes(tx, wakes))
  tx.defer(scheduleJob(tx, MESSAGE_WAKES, earliest))
}

async function changedRenewals(
  tx: Tx,
  changes: readonly SavedPlan[],
  { renewalDays }: MessageSettings,
): Promise<Wake[]> {
  const plansOf = (side: 'before' | 'after') =>
    new Map(changes.map((change) => [change.after.plan.id, change[side]] as const))
  const before = await findScheduledChanges(tx, plansOf('before'))
  const after = await findScheduledChanges(tx, plansOf('after'))
  return changes.flatMap((change) => {
    const wake = renewalWake(change.after, after, renewalDays)
    if (wake === null) return []
    const earlier = renewalWake(change.before, before, renewalDays)
    return earlier?.dueAt.epochMilliseconds === wake.dueAt.epochMilliseconds ? [] : [wake]
  })
}

/** Schedules the first reminder whose day has not passed: a plan may get its policy after its orders. */
function newReminders({ before, after, at }: SavedPlan): Wake[] {
  const { policy } = after
  if (policy === null || policy.reminders.length === 0) return []
  const known = new Set(before.policy?.id === policy.id ? before.orders.map(({ orderId }) => orderId) : [])
  return after.orders
    .filter(({ orderId, state }) => state === 'open' && !known.has(orderId))
    .flatMap(({ orderId, createdAt }) => {
      const wakes = policy.reminders.flatMap((_, step): Wake[] => {
        const dueAt = reminderAt(after, createdAt, step)
        const isPast = dueAt === null || isBefore(dueAt, at)
        return isPast ? [] : [{ kind: 'payment_reminder', objectId: orderId, dueAt, step }]
      })
      return wakes.slice(0, 1)
    })
}
