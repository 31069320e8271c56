import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import { givenIds, isOneOf, rowsAs } from '#platform/postgres/rows'
import type { BulkItem, Failure } from '../model/bulk-action.ts'

/** The bound of reference/bulk-actions#run. */
export const MAX_FAILURES = 1_000

export function insertItems(
  tx: Tx,
  actionId: string,
  ids: readonly string[],
  dueAt: Instant,
): Promise<number> {
  return tx.execute(sql`
    insert into bulk_action_items (business_id, action_id, item_id, due_at)
    select ${tx.businessId}::text, ${actionId}::text, given.id, ${toRfc3339(dueAt)}::timestamptz from ${givenIds(ids)}
    on conflict do nothing`)
}

export function dueItems(tx: Tx, actionId: string, until: Instant, limit: number): Promise<BulkItem[]> {
  return tx.query<BulkItem>(sql`
    select item_id as id, tries from bulk_action_items
     where business_id = ${tx.businessId} and action_id = ${actionId} and state = 'pending'
       and due_at <= ${toRfc3339(until)}
     order by due_at, item_id limit ${limit}`)
}

export function earliestItem(tx: Tx, actionId: string): Promise<Instant | null> {
  return earliestTime(
    tx,
    sql`bulk_action_items`,
    sql`due_at`,
    sql`action_id = ${actionId} and state = 'pending'`,
  )
}

export async function lockPending(tx: Tx, actionId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await tx.query<{ item_id: string }>(sql`
    select item_id from bulk_action_items
     where business_id = ${tx.businessId} and action_id = ${actionId} and ${isOneOf(sql`item_id`, ids)}
       and state = 'pending'
       for update`)
  return new Set(rows.map((row) => row.item_id))
}

export async function deleteItems(tx: Tx, actionId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.execute(sql`
    delete from bulk_action_items
     where business_id = ${tx.businessId} and action_id = ${actionId} and ${isOneOf(sql`item_id`, ids)}`)
}

const failedItems = rowsAs<Failure>('failure', {
  id: ['text', ({ id }) => id],
  reason: ['text', ({ reason }) => reason],
  message: ['text', ({ message }) => message],
})

export async function markFailed(tx: Tx, actionId: string, failures: readonly Failure[]): Promise<void> {
  if (failures.length === 0) return
  await tx.execute(sql`
    update bulk_action_items i set state = 'failed', reason = failure.reason, message = failure.message
      from ${failedItems(failures)}
     where i.business_id = ${tx.businessId} and i.action_id = ${actionId} and i.item_id = failure.id`)
}

const postponedItems = rowsAs<{ readonly id: string; readonly until: Instant }>('postponed', {
  id: ['text', ({ id }) => id],
  until: ['timestamptz', ({ until }) => toRfc3339(until)],
})

export async function postponeItems(
  tx: Tx,
  actionId: string,
  items: readonly { readonly id: string; readonly until: Instant }[],
): Promise<void> {
  if (items.length === 0) return
  await tx.execute(sql`
    update bulk_action_items i set tries = i.tries + 1, due_at = postponed.until
      from ${postponedItems(items)}
     where i.business_id = ${tx.businessId} and i.action_id = ${actionId} and i.item_id = postponed.id`)
}

export function failuresOf(tx: Tx, actionId: string): Promise<Failure[]> {
  return tx.query<Failure>(sql`
    select item_id as id, reason, message from bulk_action_items
     where business_id = ${tx.businessId} and action_id = ${actionId} and state = 'failed'
     order by item_id limit ${MAX_FAILURES}`)
}

export function deletePending(tx: Tx, actionId: string, limit: number): Promise<number> {
  return tx.execute(sql`
    delete from bulk_action_items
     where business_id = ${tx.businessId} and action_id = ${actionId} and item_id in (
           select item_id from bulk_action_items
            where business_id = ${tx.businessId} and action_id = ${actionId} and state = 'pending' limit ${limit})`)
}
