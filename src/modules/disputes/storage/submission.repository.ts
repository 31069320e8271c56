import sql from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { scheduleJob } from '#platform/jobs/jobs'
import { claimRows, dueBy, endLeases, type Lease, type LeasedTable } from '#platform/jobs/leases'
import type { IdempotencyId } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
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

interface SubmissionRow {
  dispute_id: string
  key: string
  status: Submission['status']
  revision: number
  inquiries: number
  idempotency_id: string | null
  request_id: string | null
  due_at: Instant
  leased_until: Instant | null
  lease_id: string | null
}

const TABLE: LeasedTable = { name: sql`dispute_submissions`, key: sql`dispute_id` }

const COLUMNS = sql`r.dispute_id, r.key, r.status, r.revision, r.inquiries, r.idempotency_id, r.request_id, r.due_at,
  r.leased_until, r.lease_id`

export async function findSubmission(tx: Tx, disputeId: string): Promise<Submission | undefined> {
  const [row] = await tx.query<SubmissionRow>(sql`
    select ${COLUMNS} from dispute_submissions r
     where r.business_id = ${tx.businessId} and r.dispute_id = ${disputeId} for update`)
  return row && toSubmission(row)
}

export async function saveSubmission(tx: Tx, submission: Submission): Promise<void> {
  await tx.execute(sql`
    insert into dispute_submissions (business_id, dispute_id, key, status, revision, inquiries, idempotency_id, request_id,
                                     due_at, leased_until, lease_id)
    values (${tx.businessId}, ${submission.disputeId}, ${submission.key}, ${submission.status}, ${submission.revision},
            ${submission.inquiries}, ${submission.idempotencyId}, ${submission.requestId}, ${toRfc3339(submission.dueAt)},
            ${rfc3339OrNull(submission.leasedUntil)}, ${submission.leaseId})
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
  const [row] = await claimRows<SubmissionRow>(tx, TABLE, {
    where: dueBy(until),
    limit: 1,
    lease,
    set: [sql`lease_id = ${lease.id}`, sql`due_at = ${toRfc3339(lease.until)}`],
    returning: COLUMNS,
  })
  return row && toSubmission(row)
}

export const END_SUBMISSION_LEASES = endLeases(SUBMISSIONS, TABLE, sql`now()`)

function toSubmission(row: SubmissionRow): Submission {
  return {
    disputeId: row.dispute_id,
    key: row.key,
    status: row.status,
    revision: row.revision,
    inquiries: row.inquiries,
    idempotencyId: row.idempotency_id,
    requestId: row.request_id,
    dueAt: row.due_at,
    leasedUntil: row.leased_until,
    leaseId: row.lease_id,
  }
}
