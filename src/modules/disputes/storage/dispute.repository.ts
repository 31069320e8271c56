import sql, { type Sql } from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { DisputeState } from '#modules/acquirers'
import type { FilterFields } from '#platform/filter/filter-sql'
import { minorPerUnit } from '#platform/filter/minor-units'
import type { Tx } from '#platform/postgres/database'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { isOneOf } from '#platform/postgres/rows'
import { type Dispute, DISPUTE_STATES } from '../model/dispute.ts'

interface DisputeRow {
  id: string
  account_id: string
  reference: string
  payment_reference: string
  order_id: string | null
  transaction_id: string | null
  amount_minor: bigint
  currency: string
  reason: string
  state: DisputeState
  respond_by: Instant | null
  submitted_at: Instant | null
  created_at: Instant
  updated_at: Instant
  revision: number
}

/** A dispute as stored. A response of the acquirer counts only if the revision has not changed since the request. */
export interface StoredDispute extends Dispute {
  readonly revision: number
}

const COLUMNS = sql`d.id, d.account_id, d.reference, d.payment_reference, d.order_id, d.transaction_id, d.amount_minor,
  d.currency, d.reason, d.state, d.respond_by, d.submitted_at, d.created_at, d.updated_at, d.revision`

export const DISPUTE_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`d.id` },
  account_id: { type: 'text', column: sql`d.account_id` },
  reference: { type: 'text', column: sql`d.reference`, prefix: true },
  order_number: { type: 'text', column: sql`d.order_id` },
  state: { type: 'enum', column: sql`d.state`, values: DISPUTE_STATES },
  reason: { type: 'text', column: sql`d.reason` },
  currency: { type: 'text', column: sql`d.currency` },
  amount: { type: 'decimal', column: sql`(d.amount_minor / ${minorPerUnit(sql`d.currency`)})` },
  respond_by: { type: 'time', column: sql`d.respond_by` },
  created_at: { type: 'time', column: sql`d.created_at` },
}

export async function listDisputes(tx: Tx, condition: Sql, page: PageRequest): Promise<StoredDispute[]> {
  const rows = await tx.query<DisputeRow>(sql`
    select ${COLUMNS} from disputes d
     where d.business_id = ${tx.businessId} and ${condition}
     ${rowsOfPage(page, sql`d.created_at`, sql`d.id`)}`)
  return rows.map(toDispute)
}

export async function findDispute(tx: Tx, id: string): Promise<StoredDispute | undefined> {
  const [row] = await tx.query<DisputeRow>(sql`
    select ${COLUMNS} from disputes d where d.business_id = ${tx.businessId} and d.id = ${id}`)
  return row && toDispute(row)
}

export async function lockDispute(tx: Tx, id: string): Promise<StoredDispute | undefined> {
  const [row] = await tx.query<DisputeRow>(sql`
    select ${COLUMNS} from disputes d where d.business_id = ${tx.businessId} and d.id = ${id} for update`)
  return row && toDispute(row)
}

export async function lockByReference(
  tx: Tx,
  accountId: string,
  reference: string,
): Promise<StoredDispute | undefined> {
  const [row] = await tx.query<DisputeRow>(sql`
    select ${COLUMNS} from disputes d
     where d.business_id = ${tx.businessId} and d.account_id = ${accountId} and d.reference = ${reference} for update`)
  return row && toDispute(row)
}

export async function findByReferences(
  tx: Tx,
  accountId: string,
  references: readonly string[],
): Promise<StoredDispute[]> {
  if (references.length === 0) return []
  const rows = await tx.query<DisputeRow>(sql`
    select ${COLUMNS} from disputes d
     where d.business_id = ${tx.businessId} and d.account_id = ${accountId}
       and ${isOneOf(sql`d.reference`, references)}`)
  return rows.map(toDispute)
}

export async function findOfOrders(tx: Tx, orderIds: readonly string[]): Promise<StoredDispute[]> {
  if (orderIds.length === 0) return []
  const rows = await tx.query<DisputeRow>(sql`
    select ${COLUMNS} from disputes d
     where d.business_id = ${tx.businessId} and ${isOneOf(sql`d.order_id`, orderIds)}
     order by d.id`)
  return rows.map(toDispute)
}

export async function findDueUntil(tx: Tx, until: Instant, limit: number): Promise<StoredDispute[]> {
  const rows = await tx.query<DisputeRow>(sql`
    select ${COLUMNS} from disputes d
     where d.business_id = ${tx.businessId} and d.respond_by <= ${toRfc3339(until)}
       and d.submitted_at is null and d.state in ('needs_response', 'inquiry_needs_response')
     order by d.respond_by limit ${limit}`)
  return rows.map(toDispute)
}

export async function listLost(
  tx: Tx,
  accountId: string,
  page: { readonly createdAfter: Instant; readonly afterId: string; readonly limit: number },
): Promise<StoredDispute[]> {
  const rows = await tx.query<DisputeRow>(sql`
    select ${COLUMNS} from disputes d
     where d.business_id = ${tx.businessId} and d.account_id = ${accountId} and d.state = 'lost'
       and d.created_at > ${toRfc3339(page.createdAfter)} and d.id > ${page.afterId}
     order by d.id limit ${page.limit}`)
  return rows.map(toDispute)
}

export async function insertDispute(tx: Tx, dispute: Dispute): Promise<boolean> {
  const { amount, transaction } = dispute
  const inserted = await tx.execute(sql`
    insert into disputes (business_id, id, account_id, reference, payment_reference, order_id, transaction_id, amount_minor,
                          currency, reason, state, respond_by, submitted_at, created_at, updated_at)
    values (${tx.businessId}, ${dispute.id}, ${dispute.accountId}, ${dispute.reference}, ${dispute.paymentReference},
            ${transaction?.orderNumber ?? null}, ${transaction?.id ?? null}, ${amount.minor.toString()}, ${amount.currency},
            ${dispute.reason}, ${dispute.state}, ${rfc3339OrNull(dispute.respondBy)},
            ${rfc3339OrNull(dispute.submittedAt)}, ${toRfc3339(dispute.createdAt)}, ${toRfc3339(dispute.updatedAt)})
    on conflict (business_id, account_id, reference) do nothing`)
  return inserted === 1
}

export async function updateDispute(tx: Tx, dispute: Dispute): Promise<void> {
  const { amount, transaction } = dispute
  await tx.execute(sql`
    update disputes
       set order_id = ${transaction?.orderNumber ?? null}, transaction_id = ${transaction?.id ?? null},
           amount_minor = ${amount.minor.toString()}, currency = ${amount.currency}, reason = ${dispute.reason},
           state = ${dispute.state}, respond_by = ${rfc3339OrNull(dispute.respondBy)},
           submitted_at = ${rfc3339OrNull(dispute.submittedAt)}, updated_at = ${toRfc3339(dispute.updatedAt)},
           revision = revision + 1
     where business_id = ${tx.businessId} and id = ${dispute.id}`)
}

function toDispute(row: DisputeRow): StoredDispute {
  return {
    id: row.id,
    accountId: row.account_id,
    reference: row.reference,
    paymentReference: row.payment_reference,
    transaction:
      row.transaction_id === null || row.order_id === null
        ? null
        : { id: row.transaction_id, orderNumber: row.order_id },
    amount: Money.ofMinor(row.currency, row.amount_minor),
    reason: row.reason,
    state: row.state,
    respondBy: row.respond_by,
    submittedAt: row.submitted_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    revision: row.revision,
  }
}
