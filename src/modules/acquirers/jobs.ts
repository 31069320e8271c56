import { realClock } from '#kernel/clock'
import { nextInquiryAt } from '#kernel/inquiry-times'
import type { Job, JobRun } from '#platform/jobs/jobs'
import { earliestTime } from '#platform/postgres/earliest-time'
import type { Tx } from '#platform/postgres/database'
import sql from 'sql-template-tag'
import type { AcquirersDependencies } from './dependencies.ts'
import { NOTICE_PURGE, NOTICES } from './job-names.ts'
import {
  type DueNotice,
  dueNotices,
  IS_PURGED,
  lockDueNotice,
  markHandled,
  postponeNotice,
  purgeNotices,
  type StoredNotice,
} from './storage/notice.repository.ts'

/** Called in a transaction, so it must touch nothing but the database. It is called again after it has thrown. */
export type NoticeHandler = (tx: Tx, notice: StoredNotice) => Promise<void>

type JobDependencies = Pick<AcquirersDependencies, 'db' | 'log'>

const BATCH = 50
const PURGE_BATCH = 500
/** The time of reference/acquirers#notices. */
export const RETENTION_HOURS = 24 * 30

export function noticeJob(deps: JobDependencies, handlers: readonly NoticeHandler[]): Job {
  return {
    name: NOTICES,
    clock: 'real',
    nextRunAt: (tx) => earliestTime(tx, sql`acquirer_notices`, sql`due_at`),
    run: async (run) => {
      const due = await deps.db.transact(run.businessId, (tx) => dueNotices(tx, run.until, BATCH))
      for (const notice of due) {
        if (run.isStopping?.() === true) break
        await handle(deps, handlers, run, notice)
      }
      return due.length
    },
  }
}

/** The handlers and the mark share one transaction, so that a crash loses neither. */
async function handle(
  { db, log }: JobDependencies,
  handlers: readonly NoticeHandler[],
  { businessId, until }: JobRun,
  due: DueNotice,
): Promise<void> {
  let attempts = 0
  try {
    await db.transact(businessId, async (tx) => {
      const notice = await lockDueNotice(tx, due, until)
      if (notice === undefined) return
      attempts = notice.attempts
      for (const handler of handlers) await handler(tx, notice)
      await markHandled(tx, due)
    })
  } catch (error) {
    log.warn(
      { err: error, business_id: businessId, acquirer_account_id: due.accountId, notice_id: due.id },
      'cannot handle a notice from an acquirer; will try again',
    )
    const nextAt = nextInquiryAt(attempts, realClock.now())
    await db.transact(businessId, (tx) => postponeNotice(tx, due, nextAt))
  }
}

export function noticePurgeJob({ db }: JobDependencies): Job {
  return {
    name: NOTICE_PURGE,
    clock: 'real',
    nextRunAt: async (tx) => {
      const oldest = await earliestTime(tx, sql`acquirer_notices`, sql`received_at`, IS_PURGED)
      return oldest === null ? null : oldest.add({ hours: RETENTION_HOURS })
    },
    run: ({ businessId, until }) =>
      db.transact(businessId, (tx) =>
        purgeNotices(tx, until.subtract({ hours: RETENTION_HOURS }), PURGE_BATCH),
      ),
  }
}
