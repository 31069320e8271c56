import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import { table } from '#platform/postgres/table'
import type { Wake } from '../model/wake.ts'

const WAKES = table<Wake>('message_wakes', {
  kind: 'text',
  objectId: 'text',
  dueAt: 'timestamptz',
  step: 'integer',
})

/** Replaces those of the same kinds and objects. */
export async function saveWakes(tx: Tx, wakes: readonly Wake[]): Promise<void> {
  if (wakes.length === 0) return
  await tx.execute(sql`
    insert into message_wakes ${WAKES.values(tx.businessId, wakes)}
    on conflict (business_id, kind, object_id) do update set due_at = excluded.due_at, step = excluded.step`)
}

/** Locked until the transaction ends; others skip them. */
export async function lockDueWakes(tx: Tx, until: Instant, limit: number): Promise<Wake[]> {
  const rows = await tx.query(sql`
    select ${WAKES.columns} from message_wakes
     where business_id = ${tx.businessId} and due_at <= ${toRfc3339(until)}
     order by due_at limit ${limit}
       for update skip locked`)
  return rows.map(WAKES.read)
}

const keysOf = rowsAs<Pick<Wake, 'kind' | 'objectId'>>('k', {
  kind: ['text', ({ kind }) => kind],
  object_id: ['text', ({ objectId }) => objectId],
})

export async function deleteWakes(tx: Tx, wakes: readonly Pick<Wake, 'kind' | 'objectId'>[]): Promise<void> {
  if (wakes.length === 0) return
  await tx.execute(sql`
    delete from message_wakes w using ${keysOf(wakes)}
     where w.business_id = ${tx.businessId} and w.kind = k.kind and w.object_id = k.object_id`)
}

export async function nextWakeAt(tx: Tx): Promise<Instant | null> {
  const [row] = await tx.query<{ due_at: Instant }>(sql`
    select due_at from message_wakes where business_id = ${tx.businessId} order by due_at limit 1`)
  return row?.due_at ?? null
}

export async function findWakes(tx: Tx, objectIds: readonly string[]): Promise<Wake[]> {
  if (objectIds.length === 0) return []
  const rows = await tx.query(sql`
    select ${WAKES.columns} from message_wakes
     where business_id = ${tx.businessId} and ${isOneOf(sql`object_id`, objectIds)}`)
  return rows.map(WAKES.read)
}
