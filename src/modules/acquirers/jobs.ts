import { realClock } from '#kernel/clock'
import { nextInquiryAt } from '#kernel/inquiry-times'
import type { Job, JobRun } from '#platform/jobs/jobs'
import { earliestTime } from '#platform/postgres/earliest-time'
import type { Tx } from '#platform/postgres/database'
import sql from 'sql-template-tag'
import type { AcquirersDependencies } from './dependencies.ts'
import { NOTICE_PURGE, NOTICES } from './job-names.ts'
import type { Reply } from './port/disputes.ts'
import type { ConfirmedFailure } from './port/notices.ts'
import {
  type DueNotice,
  dueNotices,
  IS_PURGED,
  keepConfirmed,
  lockDueNotice,
  markHandled,
  postponeNotice,
  purgeNotices,
  type StoredNotice,
} from './storage/notice.repository.ts'

const ASKED_ABOUT: ReadonlySet<StoredNotice['subject']['kind']> = new Set(['failure', 'release'])

/** Called in a transaction, so it must touch nothing but the database. It is called again after it has thrown. */
export type NoticeHandler = (tx: Tx, notice: StoredNotice) => Promise<void>

type JobDependencies = Pick<AcquirersDependencies, 'db' | 'log'>

/** Asks the account's acquirer about a failure. Undefined where its notices alone decide. */
export type ConfirmFailure = (
  businessId: string,
  notice: StoredNotice,
) => Promise<Reply<ConfirmedFailure | null> | undefined>

const BATCH = 50
const PURGE_BATCH = 500
/** The time of reference/acquirers#notices. */
export const RETENTION_HOURS = 24 * 30

export function noticeJob(
  deps: JobDependencies & { readonly confirmFailure: ConfirmFailure },
  handlers: readonly NoticeHandler[],
): Job {
  return {
    name: NOTICES,
    clock: 'real',
    nextRunAt: (tx) => earliestTime(tx, sql`acquirer_notices`, sql`due_at`),
    run: async (run) => {
      const due = await deps.db.transact(run.businessId, (tx) => dueNotices(tx, run.until, BATCH))
      for (const notice of due) {
        if (run.isStopping?.() === true) break
        const confirmed = await confirm(deps, run, notice)
        if (confirmed !== 'postponed')
          await handle(deps, confirmed === 'ignored' ? [] : handlers, run, notice)
      }
      return due.length
    },
  }
}

/**
 * A failure or release that the acquirer can be asked about counts once the acquirer says so. It is asked outside of any transaction, and
 * its answer is kept with the notice.
 */
async function confirm(
  { db, log, confirmFailure }: JobDependencies & { readonly confirmFailure: ConfirmFailure },
  { businessId, until }: JobRun,
  due: DueNotice,
): Promise<'confirmed' | 'ignored' | 'postponed'> {
  const notice = await db.transact(businessId, (tx) => lockDueNotice(tx, due, until))
  if (notice === undefined || !ASKED_ABOUT.has(notice.subject.kind)) return 'confirmed'
  const reply = await confirmFailure(businessId, notice)
  if (reply === undefined) return 'confirmed'
  if (reply.kind === 'unavailable') {
    log.warn({ business_id: businessId, notice_id: due.id }, 'cannot ask about a failure; will try again')
    const nextAt = nextInquiryAt(notice.attempts, realClock.now())
    await db.transact(businessId, (tx) => postponeNotice(tx, due, nextAt))
    return 'postponed'
  }
  const failure = reply.kind === 'ok' ? reply.value : null
  if (failure === null) return 'ignored'
  await db.transact(businessId, (tx) => keepConfirmed(tx, due, failure))
  return 'confirmed'
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
