import sql from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import { scheduleJob } from '#platform/jobs/jobs'
import { claimRows, dueBy, endLeases, type Lease, leasedTable } from '#platform/jobs/leases'
import { type Renewal, renewalOfRows } from '#platform/jobs/renewals'
import type { IdempotencyId } from '#platform/idempotency/idempotency'
import type { Database, Tx } from '#platform/postgres/database'
import { table } from '#platform/postgres/table'
import { SUBMISSIONS } from '../job-names.ts'

export interface Submission {
  readonly disputeId: string
  readonly key: string
  readonly status: 'sent' | 'unknown'
  readonly revision: number
  readonly inquiries: number
  readonly idempotencyId: IdempotencyId
  readonly requestId: string | null
  readonly dueAt: Instant
  readonly leasedUntil: Instant | null
  readonly leaseId: string | null
}

const STORED = table<Submission>('r', {
  disputeId: 'text',
  key: 'text',
  status: 'text',
  revision: 'integer',
  inquiries: 'integer',
  idempotencyId: 'text',
  requestId: 'text',
  dueAt: 'timestamptz',
  leasedUntil: 'timestamptz',
  leaseId: 'text',
})

const TABLE = leasedTable('dispute_submissions', { key: ['dispute_id'], movesDueTime: true })

export async function findSubmission(tx: Tx, disputeId: string): Promise<Submission | undefined> {
  const [row] = await tx.query(sql`
    select ${STORED.columns} from dispute_submissions r
     where r.business_id = ${tx.businessId} and r.dispute_id = ${disputeId} for update`)
  return row && STORED.read(row)
}

export async function saveSubmission(tx: Tx, submission: Submission): Promise<void> {
  await tx.execute(sql`
    insert into dispute_submissions ${STORED.values(tx.businessId, [submission])}
    on conflict (business_id, dispute_id) do update
       set status = excluded.status, revision = excluded.revision, inquiries = excluded.inquiries,
           due_at = excluded.due_at, leased_until = excluded.leased_until, lease_id = excluded.lease_id`)
  await scheduleJob(tx, SUBMISSIONS, submission.dueAt, 'real')
}

export async function deleteSubmission(tx: Tx, disputeId: string): Promise<void> {
  await tx.execute(sql`
    delete from dispute_submissions where business_id = ${tx.businessId} and dispute_id = ${disputeId}`)
}

export async function claimDueSubmission(
  tx: Tx,
  until: Instant,
  lease: Lease,
): Promise<Submission | undefined> {
  const [row] = await claimRows(tx, TABLE, {
    where: dueBy(until),
    limit: 1,
    lease,
    returning: STORED.columns,
  })
  return row && STORED.read(row)
}

export function renewalOfSubmission(
  db: Database,
  businessId: string,
  { disputeId, leaseId }: Submission,
  leaseMs: number,
): Renewal {
  return renewalOfRows(db, businessId, TABLE, [{ key: disputeId, leaseId }], leaseMs)
}

export const END_SUBMISSION_LEASES = endLeases(SUBMISSIONS, TABLE, sql`now()`)
