import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { FilterFields } from '#platform/filter/filter-sql'
import { minorPerUnit } from '#platform/filter/minor-units'
import type { Tx } from '#platform/postgres/database'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { isOneOf } from '#platform/postgres/rows'
import { amount, composed, table } from '#platform/postgres/table'
import { type Dispute, DISPUTE_STATES } from '../model/dispute.ts'

const DISPUTES = table<StoredDispute>('d', {
  id: 'text',
  accountId: 'text',
  reference: 'text',
  paymentReference: 'text',
  transaction: composed(
    ['order_id', 'transaction_id'],
    (orderNumber: string | null, id: string | null) =>
      id === null || orderNumber === null ? null : { id, orderNumber },
    {
      order_id: ['text', (transaction) => transaction?.orderNumber ?? null],
      transaction_id: ['text', (transaction) => transaction?.id ?? null],
    },
  ),
  amount: amount('amount_minor', 'currency'),
  reason: 'text',
  state: 'text',
  respondBy: 'timestamptz',
  submittedAt: 'timestamptz',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
  revision: 'integer',
})

/** A dispute as stored. A response of the acquirer counts only if the revision has not changed since the request. */
export interface StoredDispute extends Dispute {
  readonly revision: number
}

const NEW_DISPUTES = DISPUTES.without('revision')
const CHANGED = NEW_DISPUTES.without('id', 'accountId', 'reference', 'paymentReference', 'createdAt')

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
  const rows = await tx.query(sql`
    select ${DISPUTES.columns} from disputes d
     where d.business_id = ${tx.businessId} and ${condition}
     ${rowsOfPage(page, sql`d.created_at`, sql`d.id`)}`)
  return rows.map(DISPUTES.read)
}

export async function findDispute(tx: Tx, id: string): Promise<StoredDispute | undefined> {
  const [row] = await tx.query(sql`
    select ${DISPUTES.columns} from disputes d where d.business_id = ${tx.businessId} and d.id = ${id}`)
  return row && DISPUTES.read(row)
}

export async function lockDispute(tx: Tx, id: string): Promise<StoredDispute | undefined> {
  const [row] = await tx.query(sql`
    select ${DISPUTES.columns} from disputes d where d.business_id = ${tx.businessId} and d.id = ${id} for update`)
  return row && DISPUTES.read(row)
}

export async function lockByReference(
  tx: Tx,
  accountId: string,
  reference: string,
): Promise<StoredDispute | undefined> {
  const [row] = await tx.query(sql`
    select ${DISPUTES.columns} from disputes d
     where d.business_id = ${tx.businessId} and d.account_id = ${accountId} and d.reference = ${reference} for update`)
  return row && DISPUTES.read(row)
}

export async function findByReferences(
  tx: Tx,
  accountId: string,
  references: readonly string[],
): Promise<StoredDispute[]> {
  if (references.length === 0) return []
  const rows = await tx.query(sql`
    select ${DISPUTES.columns} from disputes d
     where d.business_id = ${tx.businessId} and d.account_id = ${accountId}
       and ${isOneOf(sql`d.reference`, references)}`)
  return rows.map(DISPUTES.read)
}

export async function findOfOrders(tx: Tx, orderIds: readonly string[]): Promise<StoredDispute[]> {
  if (orderIds.length === 0) return []
  const rows = await tx.query(sql`
    select ${DISPUTES.columns} from disputes d
     where d.business_id = ${tx.businessId} and ${isOneOf(sql`d.order_id`, orderIds)}
     order by d.id`)
  return rows.map(DISPUTES.read)
}

export async function findDueUntil(tx: Tx, until: Instant, limit: number): Promise<StoredDispute[]> {
  const rows = await tx.query(sql`
    select ${DISPUTES.columns} from disputes d
     where d.business_id = ${tx.businessId} and d.respond_by <= ${toRfc3339(until)}
       and d.submitted_at is null and d.state in ('needs_response', 'inquiry_needs_response')
     order by d.respond_by limit ${limit}`)
  return rows.map(DISPUTES.read)
}

export async function listLost(
  tx: Tx,
  accountId: string,
  page: { readonly createdAfter: Instant; readonly afterId: string; readonly limit: number },
): Promise<StoredDispute[]> {
  const rows = await tx.query(sql`
    select ${DISPUTES.columns} from disputes d
     where d.business_id = ${tx.businessId} and d.account_id = ${accountId} and d.state = 'lost'
       and d.created_at > ${toRfc3339(page.createdAfter)} and d.id > ${page.afterId}
     order by d.id limit ${page.limit}`)
  return rows.map(DISPUTES.read)
}

export async function insertDispute(tx: Tx, dispute: Dispute): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into disputes ${NEW_DISPUTES.values(tx.businessId, [dispute])}
    on conflict (business_id, account_id, reference) do nothing`)
  return inserted === 1
}

export async function updateDispute(tx: Tx, dispute: Dispute): Promise<void> {
  await tx.execute(sql`
    update disputes set ${CHANGED.set(dispute)}, revision = revision + 1
     where business_id = ${tx.businessId} and id = ${dispute.id}`)
}
