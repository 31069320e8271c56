import type { SavedPlan } from '#modules/plans'
import type { Tx } from '#platform/postgres/database'
import type { MessagesContext } from '../context.ts'
import type { MessageCause } from '../model/message.ts'
import { scheduleWakes } from '../dates/schedule-wakes.ts'
import { createMessages } from './create-messages.ts'
import { invoiceOf } from './decide-order-causes.ts'
import { causesOf } from './decide-plan-causes.ts'

/** What payers of changed plans are sent: failed attempts, the end of a trial and of the plan, and what is due later. */
export async function handlePlans(
  ctx: MessagesContext,
  tx: Tx,
  changes: readonly SavedPlan[],
): Promise<void> {
  const settings = await ctx.settingsOf(tx.businessId)
  if (settings.enabled.length === 0) return
  await scheduleWakes(tx, changes, settings)
  const causes = changes.flatMap(causesOf)
  if (causes.length === 0) return
  const failed = causes.filter(({ kind }) => kind === 'payment_failed')
  const unpaid = settings.enabled.includes('invoice') ? await invoicesOf(ctx, tx, failed) : []
  await createMessages(ctx, tx, [...causes, ...unpaid])
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
