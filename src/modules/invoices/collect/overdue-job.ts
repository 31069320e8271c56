import { isAfter, timeOfChange } from '#kernel/clock'
import type { Job } from '#platform/jobs/jobs'
import type { InvoicesContext } from '../context.ts'
import { INVOICE_OVERDUE } from '../job-names.ts'
import { eventOf } from '../notes/issue-notes.ts'
import {
  earliestOverdueAt,
  findOverdue,
  lockInvoices,
  updateInvoices,
} from '../storage/invoice.repository.ts'

const BATCH = 200

/** Marks sent invoices as overdue once their due date has passed; plans then begin the grace of their orders. */
export function overdueJob(ctx: InvoicesContext): Job {
  return {
    name: INVOICE_OVERDUE,
    clock: 'business',
    domain: 'plans',
    nextRunAt: earliestOverdueAt,
    run: ({ businessId, until, timeOf }) =>
      ctx.db.transact(businessId, async (tx) => {
        const found = await findOverdue(tx, until, BATCH)
        if (found.length === 0) return 0
        // Changes of the orders decide which invoices are due, so the orders are locked first.
        await ctx.payments.lockOrdersToCredit(
          tx,
          found.map(({ orderId }) => orderId),
        )
        const locked = await lockInvoices(
          tx,
          found.map(({ id }) => id),
        )
        const overdue = [...locked.values()].flatMap((invoice) => {
          const { overdueAt } = invoice
          if (overdueAt === null || isAfter(overdueAt, until)) return []
          return [{ ...invoice, overdueAt: null, updatedAt: timeOfChange(invoice, timeOf(overdueAt)) }]
        })
        if (overdue.length === 0) return found.length
        tx.defer(updateInvoices(tx, overdue))
        await ctx.events.append(
          tx,
          overdue.map((invoice) => eventOf(ctx, 'invoice.overdue', invoice)),
        )
        const orders = overdue.map(({ orderNumber, updatedAt }) => ({ orderId: orderNumber, at: updatedAt }))
        for (const { onOverdue } of ctx.planHandlers) await onOverdue(tx, orders)
        return found.length
      }),
  }
}
