import { isAfter, toRfc3339 } from '#kernel/clock'
import { localDateOf } from '#kernel/time-zone'
import type { SavedPlan } from '#modules/plans'
import type { Tx } from '#platform/postgres/database'
import type { MessagesContext } from '../context.ts'
import type { MessageCause } from '../model/message.ts'
import { scheduleWakes } from '../dates/schedule-wakes.ts'
import { createMessages } from './create-messages.ts'
import { invoiceOf } from './order-messages.ts'

/** What payers of changed plans are sent: failed attempts, the end of a trial and of the plan, and what is due later. */
export async function handlePlans(
  ctx: MessagesContext,
  tx: Tx,
  changes: readonly SavedPlan[],
): Promise<void> {
  const settings = await ctx.settingsOf(tx.businessId)
  if (settings.enabled.length === 0) return
  await scheduleWakes(tx, changes, settings)
  const causes = changes.flatMap((change) => [
    ...failures(change),
    ...endings(change),
    ...trialEndings(change),
  ])
  if (causes.length === 0) return
  const failed = causes.filter(({ kind }) => kind === 'payment_failed')
  const unpaid = settings.enabled.includes('invoice') ? await invoicesOf(ctx, tx, failed) : []
  await createMessages(ctx, tx, [...causes, ...unpaid])
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

/** The card did not pay, so an invoice that waited for it goes out now. */
async function invoicesOf(
  ctx: MessagesContext,
  tx: Tx,
  failed: readonly MessageCause[],
): Promise<MessageCause[]> {
  if (failed.length === 0) return []
  const orders = await ctx.payments.findOrders(
    tx,
    failed.map(({ objectId }) => objectId),
  )
  return failed.flatMap(({ objectId, customerUuid, at }) => {
    const invoice = orders.get(objectId)?.order.invoice
    return invoice == null ? [] : [invoiceOf({ id: objectId, customerUuid }, invoice.id, { at })]
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
