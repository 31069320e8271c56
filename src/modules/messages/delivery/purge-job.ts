import type { Job } from '#platform/jobs/jobs'
import type { MessagesContext } from '../context.ts'
import { MESSAGE_PURGE } from '../job-names.ts'
import { deleteMessages, oldestMessageAt } from '../storage/message.repository.ts'
import { findSettings } from '../storage/settings.repository.ts'

const BATCH = 500

/** Deletes messages once they are older than `message_days`. Their times are on the business's clock. */
export function purgeJob(ctx: MessagesContext): Job {
  return {
    name: MESSAGE_PURGE,
    clock: 'business',
    domain: 'old messages',
    nextRunAt: async (tx) => {
      const oldest = await oldestMessageAt(tx)
      if (oldest === undefined) return null
      const { messageDays } = await findSettings(tx)
      return oldest.add({ hours: 24 * messageDays })
    },
    run: ({ businessId, until }) =>
      ctx.db.transact(businessId, async (tx) => {
        const { messageDays } = await findSettings(tx)
        return deleteMessages(tx, until.subtract({ hours: 24 * messageDays }), BATCH)
      }),
  }
}
