import sql, { type Sql } from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { scheduleJob } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import { json, table } from '#platform/postgres/table'
import type { Erasure } from '../model/erasure.ts'
import { ERASURES } from '../job-names.ts'

/** Removed when the erasure is done. */
const TEXTS = {
  ...json<readonly string[]>(),
  read: (stored: string | null) => (stored === null ? [] : (JSON.parse(stored) as string[])),
}

const STORED = table<Erasure>('e', {
  id: 'text',
  customerUuid: 'text',
  cause: 'text',
  state: 'text',
  referenceNumber: 'text',
  texts: TEXTS,
  pass: 'integer',
  step: 'integer',
  cursor: 'text',
  counts: json(),
  dueAt: 'timestamptz',
  createdAt: 'timestamptz',
  completedAt: 'timestamptz',
})

export async function insertErasure(tx: Tx, erasure: Erasure, dueAt: Instant): Promise<void> {
  await tx.execute(sql`
    insert into erasures ${STORED.values(tx.businessId, [{ ...erasure, dueAt }])}`)
  await scheduleJob(tx, ERASURES, dueAt, 'real')
}

export async function listErasures(tx: Tx, page: PageRequest): Promise<Erasure[]> {
  const rows = await tx.query(sql`
    select ${STORED.columns} from erasures e
     where e.business_id = ${tx.businessId} ${rowsOfPage(page, sql`e.created_at`, sql`e.id`)}`)
  return rows.map(STORED.read)
}

export function findErasure(tx: Tx, id: string): Promise<Erasure | undefined> {
  return findOne(tx, sql`e.id = ${id}`)
}

/** The row stays locked until the batch commits, so no other process is at work on it. */
export function lockDueErasure(tx: Tx, until: Instant): Promise<Erasure | undefined> {
  return findOne(tx, sql`e.due_at <= ${toRfc3339(until)} order by e.due_at limit 1 for update skip locked`)
}

async function findOne(tx: Tx, condition: Sql): Promise<Erasure | undefined> {
  const [row] = await tx.query(sql`
    select ${STORED.columns} from erasures e where e.business_id = ${tx.businessId} and ${condition}`)
  return row && STORED.read(row)
}

export async function saveErasure(tx: Tx, erasure: Erasure): Promise<void> {
  const isDone = erasure.state === 'completed'
  await tx.execute(sql`
    update erasures
       set state = ${erasure.state}, pass = ${erasure.pass}, step = ${erasure.step}, cursor = ${erasure.cursor},
           counts = ${JSON.stringify(erasure.counts)}, due_at = ${rfc3339OrNull(erasure.dueAt)},
           completed_at = ${rfc3339OrNull(erasure.completedAt)},
           texts = case when ${isDone}::boolean then null else texts end,
           reference_number = case when ${isDone}::boolean then null else reference_number end
     where business_id = ${tx.businessId} and id = ${erasure.id}`)
  if (erasure.dueAt !== null) await scheduleJob(tx, ERASURES, erasure.dueAt, 'real')
}
