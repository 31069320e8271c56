import sql from 'sql-template-tag'
import { type Instant, realClock, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { scheduleJob } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import { composed, table } from '#platform/postgres/table'
import { RETENTION } from '../job-names.ts'

export interface Retention {
  readonly customerDays: number | null
  readonly cursor: { readonly at: Instant; readonly uuid: string } | null
}

const RETENTION_SETTINGS = table<Retention>('s', {
  customerDays: 'integer',
  cursor: composed(
    ['cursor_at', 'cursor_uuid'],
    (at: Instant | null, uuid: string | null) => (at === null || uuid === null ? null : { at, uuid }),
    {
      cursor_at: ['timestamptz', (cursor) => rfc3339OrNull(cursor?.at)],
      cursor_uuid: ['text', (cursor) => cursor?.uuid ?? null],
    },
  ),
})
const CURSOR = RETENTION_SETTINGS.only('cursor')

export async function findRetention(tx: Tx): Promise<Retention> {
  const [row] = await tx.query(sql`
    select ${RETENTION_SETTINGS.columns} from retention_settings s where s.business_id = ${tx.businessId}`)
  return row === undefined ? { customerDays: null, cursor: null } : RETENTION_SETTINGS.read(row)
}

export async function lockDueRetention(tx: Tx, until: Instant): Promise<Retention | undefined> {
  const [row] = await tx.query(sql`
    select ${RETENTION_SETTINGS.columns} from retention_settings s
     where s.business_id = ${tx.businessId} and s.due_at <= ${toRfc3339(until)} for update skip locked`)
  return row && RETENTION_SETTINGS.read(row)
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
       set ${CURSOR.set({ cursor })}, due_at = ${toRfc3339(dueAt)}
     where business_id = ${tx.businessId}`)
  await scheduleJob(tx, RETENTION, dueAt, 'real')
}
