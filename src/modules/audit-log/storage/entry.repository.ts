import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { FilterFields } from '#platform/filter/filter-sql'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import type { Database, Tx } from '#platform/postgres/database'

/** Commits by itself. The lock on the end of the chain is held until then, so entries of one chain follow each other. */
export async function appendEntry(db: Database, chain: string, at: Instant, document: string): Promise<void> {
  await db.autocommit(
    chain,
    sql`select quittance_append_audit_entry(${chain}, ${toRfc3339(at)}::timestamptz, ${document}::json)`,
  )
}

export interface AuditEntry {
  readonly id: string
  readonly sequence: bigint
  readonly hash: string
  readonly createdAt: Instant
  readonly document: string
  readonly started: string | null
}

export const ACTION_STATES = ['started', 'completed', 'refused', 'failed'] as const
export type ActionState = (typeof ACTION_STATES)[number]

export const AUDIT_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`e.id` },
  state: { type: 'enum', column: sql`e.state`, values: ACTION_STATES },
  actor_type: { type: 'text', column: sql`e.actor_type` },
  actor_id: { type: 'text', column: sql`e.actor_id` },
  action: { type: 'text', column: sql`e.action` },
  object_type: { type: 'text', column: sql`e.object_type` },
  object_id: { type: 'text', column: sql`e.object_id` },
  created_at: { type: 'time', column: sql`e.created_at` },
}

export function listActions(tx: Tx, condition: Sql, page: PageRequest): Promise<AuditEntry[]> {
  return tx.query<AuditEntry>(sql`
    select e.id, e.sequence, e.hash, e.created_at as "createdAt", e.document, s.document as started
      from audit_entries e
      left join audit_entries s on s.business_id = ${tx.businessId} and s.id = e.started_id
     where e.business_id = ${tx.businessId} and ${condition}
       and (e.state <> 'started'
            or not exists (select from audit_entries n where n.business_id = ${tx.businessId} and n.started_id = e.id))
     ${rowsOfPage(page, sql`e.created_at`, sql`e.id`)}`)
}

export interface ChainLink {
  readonly sequence: bigint
  readonly previousHash: string
  readonly hash: string
  readonly document: string
}

export function linksAfter(tx: Tx, afterSequence: bigint, limit: number): Promise<ChainLink[]> {
  return tx.query<ChainLink>(sql`
    select e.sequence, e.hash, e.document, coalesce(p.hash, '') as "previousHash"
      from audit_entries e
      left join audit_entries p on p.business_id = ${tx.businessId} and p.sequence = e.sequence - 1
     where e.business_id = ${tx.businessId} and e.sequence > ${afterSequence}
     order by e.sequence limit ${limit}`)
}

export async function unfinishedActions(tx: Tx, startedBefore: Instant): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from audit_entries e
     where e.business_id = ${tx.businessId} and e.state = 'started' and e.created_at < ${toRfc3339(startedBefore)}
       and not exists (select from audit_entries n where n.business_id = ${tx.businessId} and n.started_id = e.id)`)
  return row?.count ?? 0
}
