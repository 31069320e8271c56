import sql from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import { scheduleJob } from '#platform/jobs/jobs'
import type { Database, Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import { PAYMENT_OPERATIONS } from '../job-names.ts'

const KEYS_PER_QUERY = 5_000

export async function skipReceiptNumbers(db: Pick<Database, 'shared'>, count: number): Promise<void> {
  await db.shared.query(sql`update receipt_numbers set next_number = next_number + ${count}`)
}

export async function inquireAllNow(tx: Tx): Promise<number> {
  const rows = await tx.query(sql`
    update acquirer_operations
       set due_at = least(due_at, ${toRfc3339(tx.now)}), leased_until = null
     where business_id = ${tx.businessId} and status in ('sent', 'unknown', 'queued')
    returning 1`)
  if (rows.length > 0) await scheduleJob(tx, PAYMENT_OPERATIONS, tx.now)
  return rows.length
}

export async function unknownKeys(
  db: Database,
  businessId: string,
  keys: readonly string[],
  voided: readonly string[] = [],
): Promise<Set<string>> {
  const unknown = new Set(keys)
  const ids = [...keys, ...voided]
  for (let from = 0; from < ids.length; from += KEYS_PER_QUERY) {
    const some = ids.slice(from, from + KEYS_PER_QUERY)
    const rows = await db.transact(businessId, (tx) =>
      tx.query<{ id: string; void_key: string | null }>(sql`
        select id, void_key from transactions where business_id = ${businessId} and ${isOneOf(sql`id`, some)}`),
    )
    for (const { id, void_key } of rows) {
      unknown.delete(id)
      if (void_key !== null) unknown.delete(void_key)
    }
  }
  return unknown
}
