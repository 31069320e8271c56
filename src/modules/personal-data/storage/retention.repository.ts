import sql from 'sql-template-tag'
import { type Instant, realClock, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { scheduleJob } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import { RETENTION } from '../job-names.ts'

export interface Retention {
  readonly customerDays: number | null
  readonly cursor: { readonly at: Instant; readonly uuid: string } | null
}

export async function findRetention(tx: Tx): Promise<Retention> {
  const [row] = await tx.query<RetentionRow>(sql`
    select customer_days, cursor_at, cursor_uuid from retention_settings where business_id = ${tx.businessId}`)
  return toRetention(row)
}

export async function lockDueRetention(tx: Tx, until: Instant): Promise<Retention | undefined> {
  const [row] = await tx.query<RetentionRow>(sql`
    select customer_days, cursor_at, cursor_uuid from retention_settings
     where business_id = ${tx.businessId} and due_at <= ${toRfc3339(until)} for update skip locked`)
  return row && toRetention(row)
}

export async function putRetention(tx: Tx, customerDays: number | null): Promise<void> {
  const dueAt = customerDays === null ? null : realClock.now()
  await tx.execute(sql`
    insert into retention_settings (business_id, customer_days, due_at, updated_at)
    values (${tx.businessId}, ${customerDays}, ${rfc3339OrNull(dueAt)}, ${toRfc3339(tx.now)})
    on conflict (business_id) do update
       set customer_days = excluded.customer_days, due_at = excluded.due_at, updated_at = excluded.updated_at,
           cursor_at = null, cursor_uuid = null`)
  if (dueAt !== null) await scheduleJob(tx, RETENTION, dueAt, 'real')
}

export async function saveRetention(tx: Tx, cursor: Retention['cursor'], dueAt: Instant): Promise<void> {
  await tx.execute(sql`
    update retention_settings
       set cursor_at = ${rfc3339OrNull(cursor?.at ?? null)}, cursor_uuid = ${cursor?.uuid ?? null}, due_at = ${toRfc3339(dueAt)}
     where business_id = ${tx.businessId}`)
  await scheduleJob(tx, RETENTION, dueAt, 'real')
}

interface RetentionRow {
  customer_days: number | null
  cursor_at: Instant | null
  cursor_uuid: string | null
}

function toRetention(row: RetentionRow | undefined): Retention {
  const { customer_days: customerDays = null, cursor_at: at = null, cursor_uuid: uuid = null } = row ?? {}
  return { customerDays, cursor: at === null || uuid === null ? null : { at, uuid } }
}
