import sql from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import type { Job } from '#platform/jobs/jobs'
import type { PaymentsContext } from '../context.ts'
import { ORDER_VOIDS } from '../job-names.ts'
import { earliestOrderTime } from '../storage/order.repository.ts'
import { findOrders } from '../storage/order-read.repository.ts'
import { resumeOrderVoid } from './void-order.ts'

/** A run makes at most 16 calls at a time (`ACQUIRER_CONCURRENCY`). */
const BATCH = 16

export function orderVoids(ctx: PaymentsContext): Job {
  return {
    name: ORDER_VOIDS,
    clock: 'business',
    callsAcquirer: true,
    waitsForOutcomes: true,
    nextRunAt: (tx) => earliestOrderTime(tx, 'void_due_at'),
    run: async ({ businessId, until, timeOf, quietUntil }) => {
      const due = await ctx.db.transact(businessId, (tx) =>
        findOrders(
          tx,
          sql`o.id in (select id from orders
                        where business_id = ${businessId} and void_due_at <= ${toRfc3339(until)}
                        order by void_due_at limit ${BATCH})`,
        ),
      )
      await Promise.all(
        due.map(async ({ order }) => {
          const { voiding } = order
          if (voiding === null) return
          await resumeOrderVoid(ctx, businessId, order.id, timeOf(voiding.dueAt), quietUntil)
        }),
      )
      return due.length
    },
  }
}
