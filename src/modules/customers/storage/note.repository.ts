import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import type { Tx } from '#platform/postgres/database'
import { table } from '#platform/postgres/table'
import type { CustomerNote } from '../model/customer-note.ts'

/** The prefix of ids. */
export const NOTE_ID = 'nte'

const NOTES = table<CustomerNote>('customer_notes', {
  id: 'text',
  customerUuid: 'text',
  text: 'text',
  actorId: 'text',
  createdAt: 'timestamptz',
})

export async function insertNote(tx: Tx, note: CustomerNote): Promise<void> {
  await tx.execute(sql`insert into customer_notes ${NOTES.values(tx.businessId, [note])}`)
}

/**
 * The notes on a customer before a moment, newest first.
 * @param before `place` orders what is of one moment, as ids without their prefix do
 */
export async function findNotesBefore(
  tx: Tx,
  customerUuid: string,
  before: { readonly at: Instant; readonly place: string } | undefined,
  limit: number,
): Promise<CustomerNote[]> {
  const at = before === undefined ? 'infinity' : toRfc3339(before.at)
  const rows = await tx.query(sql`
    select ${NOTES.columns} from customer_notes
     where business_id = ${tx.businessId} and customer_uuid = ${customerUuid}
       and (created_at, id) < (${at}::timestamptz, ${`${NOTE_ID}_${before?.place ?? ''}`})
     order by created_at desc, id desc limit ${limit}`)
  return rows.map(NOTES.read)
}

export async function listNotes(tx: Tx, customerUuid: string, page: PageRequest): Promise<CustomerNote[]> {
  const rows = await tx.query(sql`
    select ${NOTES.columns} from customer_notes
     where business_id = ${tx.businessId} and customer_uuid = ${customerUuid}
     ${rowsOfPage(page, sql`created_at`, sql`id`)}`)
  return rows.map(NOTES.read)
}

export async function deleteNote(
  tx: Tx,
  customerUuid: string,
  id: string,
): Promise<CustomerNote | undefined> {
  const [row] = await tx.query(sql`
    delete from customer_notes
     where business_id = ${tx.businessId} and customer_uuid = ${customerUuid} and id = ${id}
    returning ${NOTES.columns}`)
  return row === undefined ? undefined : NOTES.read(row)
}
