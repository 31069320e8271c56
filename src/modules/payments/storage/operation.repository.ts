import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { scheduleJob } from '#platform/jobs/jobs'
import {
  claimRows,
  dueBy,
  endLeases,
  extendLeases,
  type Lease,
  leasedTable,
  releaseRows,
} from '#platform/jobs/leases'
import type { Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import { composed, computed, json, type Members, table } from '#platform/postgres/table'
import { PAYMENT_OPERATIONS } from '../job-names.ts'
import type { Operation, OperationKind } from '../model/operation.ts'
import type { Transaction } from '../model/transaction.ts'
import { isUnresolved } from '../model/transaction.states.ts'

const MEMBERS: Members<Operation> = {
  key: 'text',
  kind: 'text',
  orderId: 'text',
  transactionId: 'text',
  status: 'text',
  payerPresent: 'boolean',
  reference: 'text',
  originalReference: 'text',
  fallbackAccounts: json(),
  sentAt: composed(['sent_at', 'started_at'], (sent: Instant | null, started: Instant) => sent ?? started, {
    sent_at: ['timestamptz', toRfc3339],
  }),
  inquiries: 'integer',
  sealedReturned: 'text',
  keepAs: 'text',
  idempotencyId: 'text',
  requestId: 'text',
  startedAt: 'timestamptz',
  dueAt: 'timestamptz',
  leasedUntil: 'timestamptz',
  leaseId: 'text',
}
const STORED = table<Operation>('p', MEMBERS)
const SAVED = STORED.without('sealedReturned')
/** With the status before the claim. */
const CLAIMED = table<Operation>('r', { ...MEMBERS, status: computed('status', 'found.status') })
export const OPERATIONS = leasedTable('acquirer_operations', { key: ['key'] })

/**
 * Locks the operations whose outcome is to be recorded and returns, by key, those that are still open and still leased as
 * in `held`. Their orders are locked. The row lock keeps out a claim, which takes no lock of the order.
 */
export async function lockHeldOperations(
  tx: Tx,
  held: readonly Operation[],
): Promise<Map<string, Operation>> {
  const leaseIds = new Map(held.map(({ key, leaseId }) => [key, leaseId]))
  const rows = await tx.query(sql`
    select ${STORED.columns} from acquirer_operations p
     where p.business_id = ${tx.businessId} and ${isOneOf(sql`p.key`, [...leaseIds.keys()])}
     order by p.key for update`)
  const stillHeld = rows.map(STORED.read).filter(({ key, leaseId }) => leaseId === leaseIds.get(key))
  return new Map(stillHeld.map((operation) => [operation.key, operation]))
}

export async function saveOperations(tx: Tx, operations: readonly Operation[]): Promise<void> {
  await tx.execute(sql`
    insert into acquirer_operations ${SAVED.values(tx.businessId, operations)}
    on conflict (business_id, key) do update
       set status = excluded.status, inquiries = excluded.inquiries, idempotency_id = excluded.idempotency_id,
           request_id = excluded.request_id, due_at = excluded.due_at, leased_until = excluded.leased_until,
           lease_id = excluded.lease_id`)
}

const returnedRows = rowsAs<{ readonly key: string; readonly sealed: string }>('given', {
  key: ['text', ({ key }) => key],
  sealed: ['text', ({ sealed }) => sealed],
})

export async function deleteOperations(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx.execute(sql`
    delete from acquirer_operations where business_id = ${tx.businessId} and ${isOneOf(sql`key`, keys)}`)
}

/** Leases due operations that nobody leases, earliest first. A `queued` operation is returned as such, to be sent now. */
export async function claimDueOperations(
  tx: Tx,
  claim: { readonly until: Instant; readonly limit: number; readonly lease: Lease },
): Promise<Operation[]> {
  const claimed = await claimWhere(tx, dueBy(claim.until), claim.limit, claim.lease)
  return claimed.toSorted((a, b) => Temporal.Instant.compare(a.dueAt, b.dueAt))
}

export function claimOperations(tx: Tx, keys: readonly string[], lease: Lease): Promise<Operation[]> {
  return claimWhere(tx, isOneOf(sql`key`, keys), keys.length, lease)
}

async function claimWhere(tx: Tx, where: Sql, limit: number, lease: Lease): Promise<Operation[]> {
  const rows = await claimRows(tx, OPERATIONS, {
    where,
    limit,
    lease,
    found: sql`key, status`,
    set: [
      sql`lease_id = ${lease.id}`,
      sql`status = case when r.status = 'queued' then 'sent' else r.status end`,
    ],
    returning: CLAIMED.columns,
  })
  return rows.map(CLAIMED.read)
}

/** The resolver inquires at once: a call of the dead process may still arrive, and the inquiry closes its key. */
export const END_OPERATION_LEASES = endLeases(PAYMENT_OPERATIONS, OPERATIONS, sql`least(due_at, started_at)`)

export interface NewReference {
  readonly operation: Operation
  readonly reference: string
}

const referenceRows = rowsAs<NewReference>('given', {
  key: ['text', ({ operation }) => operation.key],
  lease_id: ['text', ({ operation }) => operation.leaseId],
  reference: ['text', ({ reference }) => reference],
})

/** @returns the keys of the operations that are still leased as given and have no other reference */
export async function storeReferences(
  tx: Tx,
  references: readonly NewReference[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ key: string }>(sql`
    update acquirer_operations p set reference = given.reference
      from ${referenceRows(references)}
     where p.business_id = ${tx.businessId} and p.key = given.key and p.lease_id = given.lease_id
       and coalesce(p.reference, given.reference) = given.reference
    returning p.key`)
  return new Set(rows.map(({ key }) => key))
}

export async function replaceReference(tx: Tx, operation: Operation, reference: string): Promise<boolean> {
  const rows = await tx.query(sql`
    update acquirer_operations set reference = ${reference}
     where business_id = ${tx.businessId} and key = ${operation.key} and lease_id = ${operation.leaseId}
       and coalesce(reference, ${reference}) in (${operation.reference}, ${reference})
    returning 1`)
  return rows.length > 0
}

export async function keepReturned(
  tx: Tx,
  returned: readonly { readonly key: string; readonly sealed: string }[],
): Promise<void> {
  await tx.execute(sql`
    update acquirer_operations p set sealed_returned = given.sealed
      from ${returnedRows(returned)}
     where p.business_id = ${tx.businessId} and p.key = given.key`)
}

export async function hastenInquiries(
  tx: Tx,
  subject: { readonly reference: string; readonly key: string | null },
  at: Instant,
): Promise<void> {
  const rows = await tx.query(sql`
    update acquirer_operations set due_at = ${toRfc3339(at)}
     where business_id = ${tx.businessId} and (reference = ${subject.reference} or key = ${subject.key})
       and due_at > ${toRfc3339(at)} and status in ('unknown', 'pending')
    returning 1`)
  if (rows.length > 0) await scheduleJob(tx, PAYMENT_OPERATIONS, at)
}

export function releaseOperations(tx: Tx, operations: readonly Operation[]): Promise<void> {
  return releaseRows(tx, OPERATIONS, operations)
}

/** For operations that still wait for their call. The resolver takes operations that are due and not leased, so both times move. */
export function extendOperationLeases(
  tx: Tx,
  operations: readonly Operation[],
  until: { readonly dueAt: Instant; readonly leasedUntil: Instant },
): Promise<number> {
  const dueAt = sql`due_at = greatest(r.due_at, ${toRfc3339(until.dueAt)})`
  return extendLeases(tx, OPERATIONS, operations, until.leasedUntil, [dueAt])
}

export async function findOpenOperations(tx: Tx, transactions: readonly Transaction[]): Promise<Operation[]> {
  const keys = transactions.flatMap(({ id, state, voidKey, voidPending }) => [
    ...(isUnresolved(state) ? [id] : []),
    ...(voidPending && voidKey !== null ? [voidKey] : []),
  ])
  if (keys.length === 0) return []
  const rows = await tx.query(sql`
    select ${STORED.columns} from acquirer_operations p
     where p.business_id = ${tx.businessId} and ${isOneOf(sql`p.key`, keys)} order by p.due_at, p.key`)
  return rows.map(STORED.read)
}

export interface UnknownOutcome {
  readonly transactionId: string
  readonly orderId: string
  readonly kind: OperationKind
  readonly startedAt: Instant
}

export function findUnknownOutcomes(
  tx: Tx,
  startedBefore: Instant,
  limit: number,
): Promise<UnknownOutcome[]> {
  return tx.query<UnknownOutcome>(sql`
    select transaction_id as "transactionId", order_id as "orderId", kind, started_at as "startedAt"
      from acquirer_operations
     where business_id = ${tx.businessId} and status = 'unknown' and started_at < ${toRfc3339(startedBefore)}
     order by started_at limit ${limit}`)
}

export function earliestOperation(tx: Tx): Promise<Instant | null> {
  return earliestTime(tx, sql`acquirer_operations`, sql`due_at`)
}
