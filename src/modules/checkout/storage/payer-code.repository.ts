import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'

export interface PayerCode {
  readonly id: string
  readonly orderId: string
  readonly customerUuid: string
  readonly codeHash: string | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

/** How many old rows a new one deletes, so that the table needs no job. */
const SWEPT_ROWS = 20

export async function insertPayerCode(
  tx: Tx,
  code: PayerCode,
  limit: { readonly max: number; readonly since: Instant },
): Promise<boolean> {
  const { businessId } = tx
  const since = toRfc3339(limit.since)
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`${businessId} ${code.customerUuid} payer codes`}, 0))`,
  )
  await tx.execute(sql`
    delete from payer_codes where business_id = ${businessId} and id in (
      select id from payer_codes where business_id = ${businessId} and created_at < ${since}
       order by created_at limit ${SWEPT_ROWS})`)
  const rows = await tx.query(sql`
    insert into payer_codes (business_id, id, order_id, customer_uuid, code_hash, created_at, expires_at)
    select ${businessId}, ${code.id}::text, ${code.orderId}::text, ${code.customerUuid}::text, ${code.codeHash}::text,
           ${toRfc3339(code.createdAt)}::timestamptz, ${toRfc3339(code.expiresAt)}::timestamptz
     where (select count(*) from payer_codes
             where business_id = ${businessId} and customer_uuid = ${code.customerUuid} and created_at >= ${since}) < ${limit.max}
    returning id`)
  return rows.length === 1
}

/** Counts a try. Undefined when the code is unknown, expired, of another order or has no try left. */
export async function takeTry(
  tx: Tx,
  code: { readonly id: string; readonly orderId: string; readonly at: Instant; readonly maxTries: number },
): Promise<string | null | undefined> {
  const [row] = await tx.query<{ codeHash: string | null }>(sql`
    update payer_codes set tries = tries + 1
     where business_id = ${tx.businessId} and id = ${code.id} and order_id = ${code.orderId}
       and tries < ${code.maxTries} and expires_at > ${toRfc3339(code.at)}
    returning code_hash as "codeHash"`)
  return row?.codeHash
}

export async function spendCode(tx: Tx, id: string): Promise<void> {
  await tx.execute(sql`
    update payer_codes set code_hash = null where business_id = ${tx.businessId} and id = ${id}`)
}
