import sql, { type Sql } from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { scheduleJob } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import type { Erasure } from '../model/erasure.ts'
import { ERASURES } from '../job-names.ts'

interface ErasureRow {
  id: string
  customer_uuid: string
  cause: Erasure['cause']
  state: Erasure['state']
  reference_number: string | null
  texts: string | null
  pass: number
  step: number
  cursor: string
  counts: string
  due_at: Instant | null
  created_at: Instant
  completed_at: Instant | null
}

const COLUMNS = sql`e.id, e.customer_uuid, e.cause, e.state, e.reference_number, e.texts, e.pass, e.step, e.cursor, e.counts,
  e.due_at, e.created_at, e.completed_at`

export async function insertErasure(tx: Tx, erasure: Erasure, dueAt: Instant): Promise<void> {
  await tx.execute(sql`
    insert into erasures (business_id, id, customer_uuid, cause, state, reference_number, texts, due_at, created_at)
    values (${tx.businessId}, ${erasure.id}, ${erasure.customerUuid}, ${erasure.cause}, ${erasure.state},
            ${erasure.referenceNumber}, ${JSON.stringify(erasure.texts)}, ${toRfc3339(dueAt)}, ${toRfc3339(erasure.createdAt)})`)
  await scheduleJob(tx, ERASURES, dueAt, 'real')
}

export async function listErasures(tx: Tx, page: PageRequest): Promise<Erasure[]> {
  const rows = await tx.query<ErasureRow>(sql`
    select ${COLUMNS} from erasures e
     where e.business_id = ${tx.businessId} ${rowsOfPage(page, sql`e.created_at`, sql`e.id`)}`)
  return rows.map(toErasure)
}

export function findErasure(tx: Tx, id: string): Promise<Erasure | undefined> {
  return findOne(tx, sql`e.id = ${id}`)
}

/** The row stays locked until the batch commits, so no other process is at work on it. */
export function lockDueErasure(tx: Tx, until: Instant): Promise<Erasure | undefined> {
  return findOne(tx, sql`e.due_at <= ${toRfc3339(until)} order by e.due_at limit 1 for update skip locked`)
}

async function findOne(tx: Tx, condition: Sql): Promise<Erasure | undefined> {
  const [row] = await tx.query<ErasureRow>(sql`
    select ${COLUMNS} from erasures e where e.business_id = ${tx.businessId} and ${condition}`)
  return row && toErasure(row)
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

function toErasure(row: ErasureRow): Erasure {
  return {
    id: row.id,
    customerUuid: row.customer_uuid,
    cause: row.cause,
    state: row.state,
    referenceNumber: row.reference_number,
    texts: row.texts === null ? [] : (JSON.parse(row.texts) as string[]),
    pass: row.pass,
    step: row.step,
    cursor: row.cursor,
    counts: JSON.parse(row.counts) as Record<string, number>,
    dueAt: row.due_at,
    createdAt: row.created_at,
    completedAt: row.completed_at,
  }
}
