import sql from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import { type DisputeRecord, SIMULATOR_ACCOUNT } from '#modules/acquirers'
import type { Job } from '#platform/jobs/jobs'
import { newLease } from '#platform/jobs/leases'
import { whileRenewing } from '#platform/jobs/renewals'
import type { Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import { type DisputesContext, leaseMsOf } from '../context.ts'
import { SCANS } from '../job-names.ts'
import { findByReferences, type StoredDispute } from '../storage/dispute.repository.ts'
import { scheduleOldOpenDisputes, scheduleRefreshes } from '../storage/refresh.repository.ts'
import { claimScan, endScans, renewalOfScan, saveScan, type Scan } from '../storage/scan.repository.ts'

/** Cards are disputed within 120 days of the payment. */
const LISTED_DAYS = 120
const RETRY_MINUTES = 10

export function scanJob(ctx: DisputesContext): Job {
  return {
    name: SCANS,
    clock: 'real',
    callsAcquirer: true,
    nextRunAt: (tx) => earliestTime(tx, sql`dispute_scans`, sql`due_at`),
    run: async ({ businessId, until }) => {
      const leaseMs = leaseMsOf(ctx)
      const scan = await ctx.db.transact(businessId, (tx) => claimScan(tx, until, newLease(leaseMs)))
      if (scan === undefined) return 0
      const renewal = renewalOfScan(ctx.db, businessId, scan, leaseMs)
      await whileRenewing(renewal, () => scanPage(ctx, businessId, scan, until))
      return 1
    },
  }
}

async function scanPage(ctx: DisputesContext, businessId: string, scan: Scan, now: Instant): Promise<void> {
  if (!(await isActive(ctx, businessId, scan.accountId))) {
    await ctx.db.transact(businessId, (tx) => endScans(tx, scan))
    return
  }
  const disputes = await ctx.acquirers.disputesOf(businessId, scan.accountId)
  const openedAfter = scan.openedAfter ?? now.subtract({ hours: 24 * LISTED_DAYS })
  const reply = await disputes.list({ openedAfter, cursor: scan.cursor })
  await ctx.db.transact(businessId, async (tx) => {
    if (reply.kind === 'unavailable') {
      await saveScan(tx, { ...scan, openedAfter }, now.add({ minutes: RETRY_MINUTES }))
      return
    }
    const page = reply.kind === 'ok' ? reply.value : { items: [], nextCursor: null }
    const { nextCursor: cursor } = page
    const isSaved = await (cursor === null
      ? saveScan(tx, { ...scan, openedAfter: null, cursor }, now.add({ hours: 24 }))
      : saveScan(tx, { ...scan, openedAfter, cursor }, now))
    if (isSaved) {
      await scheduleChanged(tx, scan.accountId, page.items)
      if (cursor === null) await scheduleOldOpenDisputes(tx, scan.accountId, openedAfter)
    }
  })
}

async function isActive(ctx: DisputesContext, businessId: string, accountId: string): Promise<boolean> {
  if (accountId === SIMULATOR_ACCOUNT) return true
  const accounts = await ctx.acquirers.accounts(businessId)
  return accounts.some(({ id, state }) => id === accountId && state === 'active')
}

async function scheduleChanged(tx: Tx, accountId: string, records: readonly DisputeRecord[]): Promise<void> {
  const known = await findByReferences(
    tx,
    accountId,
    records.map(({ reference }) => reference),
  )
  const byReference = new Map(known.map((dispute) => [dispute.reference, dispute]))
  const changed = records.filter((record) => isNews(record, byReference.get(record.reference)))
  await scheduleRefreshes(
    tx,
    accountId,
    changed.map(({ reference }) => reference),
  )
}

function isNews(record: DisputeRecord, known: StoredDispute | undefined): boolean {
  return (
    known === undefined ||
    known.state !== record.state ||
    (known.submittedAt !== null) !== record.isSubmitted ||
    known.amount.minor !== record.amount.minor
  )
}
