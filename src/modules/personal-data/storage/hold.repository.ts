import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'

export interface LegalHold {
  readonly customerUuid: string
  readonly reason: string
  readonly placedBy: string
  readonly createdAt: Instant
}

const COLUMNS = sql`customer_uuid as "customerUuid", reason, placed_by as "placedBy", created_at as "createdAt"`

export async function putHold(tx: Tx, uuid: string, reason: string, placedBy: string): Promise<LegalHold> {
  const [hold] = await tx.query<LegalHold>(sql`
    insert into legal_holds (business_id, customer_uuid, reason, placed_by, created_at)
    values (${tx.businessId}, ${uuid}, ${reason}, ${placedBy}, ${toRfc3339(tx.now)})
    on conflict (business_id, customer_uuid) do update set reason = excluded.reason, placed_by = excluded.placed_by
    returning ${COLUMNS}`)
  if (hold === undefined) throw new Error('the database returned no hold')
  return hold
}

export async function findHold(tx: Tx, uuid: string): Promise<LegalHold | undefined> {
  const [hold] = await tx.query<LegalHold>(sql`
    select ${COLUMNS} from legal_holds where business_id = ${tx.businessId} and customer_uuid = ${uuid}`)
  return hold
}

export async function deleteHold(tx: Tx, uuid: string): Promise<LegalHold | undefined> {
  const [hold] = await tx.query<LegalHold>(sql`
    delete from legal_holds where business_id = ${tx.businessId} and customer_uuid = ${uuid} returning ${COLUMNS}`)
  return hold
}
