import { isAfter, toRfc3339 } from '#kernel/clock'
import { localDateOf } from '#kernel/time-zone'
import type { SavedPlan } from '#modules/plans'
import type { MessageCause } from '../model/message.ts'

/** What payers are sent of a plan that changed: failed attempts, the end of the plan and of its trial. */
export function causesOf(change: SavedPlan): MessageCause[] {
  return [...failures(change), ...endings(change), ...trialEndings(change)]
}

function failures({ after, at }: SavedPlan): MessageCause[] {
  const { plan, orders, failedAttempts = [] } = after
  return failedAttempts.flatMap(({ orderId, transactionId }): MessageCause[] => {
    const next = orders.find((order) => order.orderId === orderId)?.nextAttemptAt ?? null
    return [
      {
        kind: 'payment_failed',
        objectId: orderId,
        cause: transactionId,
        customerUuid: plan.customerUuid,
        facts: {
          planId: plan.id,
          transactionId,
          nextAttemptAt: next === null ? null : toRfc3339(next),
        },
        at,
      },
    ]
  })
}

function endings({ before, after, at }: SavedPlan): MessageCause[] {
  const { plan, events } = after
  const ending = { kind: 'plan_canceled', objectId: plan.id, customerUuid: plan.customerUuid, at } as const
  const facts = { planId: plan.id }
  if (events.some(({ type }) => type === 'plan.canceled')) {
    const date = localDateOf(at, plan.zone).toString()
    return [{ ...ending, cause: `ended ${toRfc3339(at)}`, facts: { ...facts, date } }]
  }
  const { cancelAt } = plan
  const isAskedFor =
    cancelAt !== null &&
    isAfter(cancelAt, at) &&
    before.plan.cancelAt?.epochMilliseconds !== cancelAt.epochMilliseconds
  if (!isAskedFor) return []
  const date = localDateOf(cancelAt, plan.zone).toString()
  return [
    // A cancellation that was removed and asked for again is confirmed again.
    { ...ending, cause: `scheduled ${toRfc3339(at)}`, facts: { ...facts, date, variant: 'scheduled' } },
  ]
}

function trialEndings({ after, at }: SavedPlan): MessageCause[] {
  const { plan, events } = after
  const { trial } = plan
  if (trial === null || !events.some(({ type }) => type === 'plan.trial_will_end')) return []
  return [
    {
      kind: 'trial_ending',
      objectId: plan.id,
      cause: toRfc3339(trial.end),
      customerUuid: plan.customerUuid,
      facts: { planId: plan.id, date: localDateOf(trial.end, plan.zone).toString() },
      at,
    },
  ]
}
