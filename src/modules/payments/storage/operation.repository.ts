import sql, { type Sql } from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { Lease } from '#modules/acquirers'
import type { Tx } from '#platform/postgres/database'
import { dueNow } from '#platform/jobs/jobs'
import { earliestTime } from '#platform/postgres/earliest-time'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import { writersOf } from '#platform/postgres/writers'
import { PAYMENT_OPERATIONS } from '../job-kinds.ts'
import type { Operation, OperationKind, OperationStatus } from '../model/operation.ts'

interface OperationRow {
  key: string
  kind: OperationKind
  order_id: string
  transaction_id: string
  status: OperationStatus
  payer_present: boolean
  inquiries: number
  idempotency_id: string | null
  request_id: string | null
  started_at: Instant
  due_at: Instant
  leased_until: Instant | null
}

const COLUMNS = sql`p.key, p.kind, p.order_id, p.transaction_id, p.status, p.payer_present, p.inquiries,
  p.idempotency_id, p.request_id, p.started_at, p.due_at, p.leased_until`

/** Operations by key. Whoever changes them holds the locks of their orders. */
export async function findOperations(tx: Tx, keys: readonly string[]): Promise<Map<string, Operation>> {
  const rows = await tx.query<OperationRow>(sql`
    select ${COLUMNS} from acquirer_operations p
     where p.business_id = ${tx.businessId} and ${isOneOf(sql`p.key`, keys)}`)
  return new Map(rows.map((row) => [row.key, toOperation(row)]))
}

/** Which database transaction wrote each of these operations last, by key. The locks of their orders are held. */
export function findOperationWriters(tx: Tx, keys: readonly string[]): Promise<Map<string, string>> {
  return writersOf(
    tx,
    sql`
    select p.key as id, p.xmin::text as writer from acquirer_operations p
     where p.business_id = ${tx.businessId} and ${isOneOf(sql`p.key`, keys)}`,
  )
}

const savedOperations = rowsAs<Operation>('n', {
  key: ['text', (p) => p.key],
  kind: ['text', (p) => p.kind],
  order_id: ['text', (p) => p.orderId],
  transaction_id: ['text', (p) => p.transactionId],
  status: ['text', (p) => p.status],
  payer_present: ['boolean', (p) => p.payerPresent],
  inquiries: ['integer', (p) => p.inquiries],
  idempotency_id: ['text', (p) => p.idempotencyId],
  request_id: ['text', (p) => p.requestId],
  started_at: ['timestamptz', (p) => toRfc3339(p.startedAt)],
  due_at: ['timestamptz', (p) => toRfc3339(p.dueAt)],
  leased_until: ['timestamptz', (p) => rfc3339OrNull(p.leasedUntil)],
})

/** Writes operations, new ones and changed ones alike. */
export async function saveOperations(tx: Tx, operations: readonly Operation[]): Promise<void> {
  await tx.execute(sql`
    insert into acquirer_operations (business_id, key, kind, order_id, transaction_id, status, payer_present, inquiries,
                                     idempotency_id, request_id, started_at, due_at, leased_until)
    select ${tx.businessId}, n.* from ${savedOperations(operations)}
    on conflict (business_id, key) do update
       set status = excluded.status, inquiries = excluded.inquiries, idempotency_id = excluded.idempotency_id,
           request_id = excluded.request_id, due_at = excluded.due_at, leased_until = excluded.leased_until`)
}

/** Ends operations: their outcomes are known. */
export async function deleteOperations(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx.execute(sql`
    delete from acquirer_operations where business_id = ${tx.businessId} and ${isOneOf(sql`key`, keys)}`)
}

/**
 * Leases operations that are due and that nobody is at, earliest first. Answered as they were: a `queued` one has not been
 * sent, and from here on counts as sent.
 */
export async function claimDueOperations(
  tx: Tx,
  claim: Lease & { readonly until: Instant; readonly limit: number },
): Promise<Operation[]> {
  return claimWhere(tx, claim, sql`p.due_at <= ${toRfc3339(claim.until)}`)
}

/** Leases these operations, whenever they are due; those that someone is at are left out. */
export async function claimOperations(tx: Tx, keys: readonly string[], lease: Lease): Promise<Operation[]> {
  return claimWhere(tx, { ...lease, limit: keys.length }, isOneOf(sql`p.key`, keys))
}

async function claimWhere(
  tx: Tx,
  claim: Lease & { readonly limit: number },
  condition: Sql,
): Promise<Operation[]> {
  const rows = await tx.query<OperationRow>(sql`
    with due as (
      select p.key, p.status from acquirer_operations p
       where p.business_id = ${tx.businessId} and ${condition}
         and (p.leased_until is null or p.leased_until <= ${toRfc3339(claim.realNow)})
       order by p.due_at, p.key
       limit ${claim.limit}
         for update skip locked
    ), leased as (
      update acquirer_operations p
         set leased_until = ${toRfc3339(claim.leasedUntil)},
             status = case when p.status = 'queued' then 'sent' else p.status end
        from due
       where p.business_id = ${tx.businessId} and p.key = due.key
      returning p.key, p.kind, p.order_id, p.transaction_id, due.status, p.payer_present, p.inquiries, p.idempotency_id,
                p.request_id, p.started_at, p.due_at, p.leased_until
    )
    select * from leased order by due_at, key`)
  return rows.map(toOperation)
}

/**
 * Of all tenants. They are asked about at once, not when their call would have had its time: a dead process's call may
 * still arrive, and whoever asks about it closes its key.
 */
export const END_OPERATION_LEASES = dueNow(
  PAYMENT_OPERATIONS,
  sql`update acquirer_operations set leased_until = null, due_at = least(due_at, started_at)
       where leased_until is not null returning business_id`,
)

/** Gives back leases of work that failed, so that the next run need not wait for their end. */
export async function releaseOperations(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update acquirer_operations set leased_until = null
     where business_id = ${tx.businessId} and ${isOneOf(sql`key`, keys)}`)
}

/**
 * Keeps operations ours that still wait for their call. The resolver takes up what is due and leased to nobody, so both
 * times move; what somebody has taken up since is left as it is.
 */
export async function extendLeases(
  tx: Tx,
  keys: readonly string[],
  until: { readonly dueAt: Instant; readonly leasedUntil: Instant },
): Promise<void> {
  await tx.execute(sql`
    update acquirer_operations
       set due_at = greatest(due_at, ${toRfc3339(until.dueAt)}), leased_until = ${toRfc3339(until.leasedUntil)}
     where business_id = ${tx.businessId} and ${isOneOf(sql`key`, keys)}
       and status = 'sent' and leased_until is not null`)
}

/** Whether something is due at `until` that someone is at. */
export async function hasLeasedDue(tx: Tx, until: Instant, realNow: Instant): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from acquirer_operations
     where business_id = ${tx.businessId} and due_at <= ${toRfc3339(until)} and leased_until > ${toRfc3339(realNow)}
     limit 1`)
  return rows.length > 0
}

export function earliestOperation(tx: Tx): Promise<Instant | null> {
  return earliestTime(tx, sql`acquirer_operations`, sql`due_at`)
}

function toOperation(row: OperationRow): Operation {
  return {
    key: row.key,
    kind: row.kind,
    orderId: row.order_id,
    transactionId: row.transaction_id,
    status: row.status,
    payerPresent: row.payer_present,
    inquiries: row.inquiries,
    idempotencyId: row.idempotency_id,
    requestId: row.request_id,
    startedAt: row.started_at,
    dueAt: row.due_at,
    leasedUntil: row.leased_until,
  }
}
