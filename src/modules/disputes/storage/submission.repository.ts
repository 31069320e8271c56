import sql from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { scheduleJob, scheduleNow } from '#platform/jobs/jobs'
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

const COLUMNS = sql`s.dispute_id, s.key, s.status, s.revision, s.inquiries, s.idempotency_id, s.request_id, s.due_at,
  s.leased_until, s.lease_id`

export async function findSubmission(tx: Tx, disputeId: string): Promise<Submission | undefined> {
  const [row] = await tx.query<SubmissionRow>(sql`
    select ${COLUMNS} from dispute_submissions s
     where s.business_id = ${tx.businessId} and s.dispute_id = ${disputeId} for update`)
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
  claim: { readonly until: Instant; readonly leasedUntil: Instant; readonly leaseId: string },
): Promise<Submission | undefined> {
  const [row] = await tx.query<SubmissionRow>(sql`
    with due as materialized (
      select dispute_id from dispute_submissions
       where business_id = ${tx.businessId} and due_at <= ${toRfc3339(claim.until)}
       and (leased_until is null or leased_until <= ${toRfc3339(claim.until)})
       order by due_at limit 1 for update skip locked)
    update dispute_submissions s
       set lease_id = ${claim.leaseId}, leased_until = ${toRfc3339(claim.leasedUntil)},
           due_at = ${toRfc3339(claim.leasedUntil)}
      from due
     where s.business_id = ${tx.businessId} and s.dispute_id = due.dispute_id
    returning ${COLUMNS}`)
  return row && toSubmission(row)
}

export const END_SUBMISSION_LEASES = scheduleNow(
  SUBMISSIONS,
  sql`update dispute_submissions set leased_until = null, due_at = now()
       where leased_until is not null returning business_id`,
)

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
