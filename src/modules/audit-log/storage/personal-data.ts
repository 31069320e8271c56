import sql, { type Sql } from 'sql-template-tag'
import { realClock, toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { holdsAText, namesCustomer, namesObject, searchedTexts } from '#platform/personal-data/names-customer'
import type { Batch, PersonalData, ShownBatch, Subject } from '#platform/personal-data/personal-data'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'

const SCANNED = 500

/** Who did what and when stays; what was sent and how the object looked goes (docs/decisions/personal-data-is-erased-in-place). */
export const AUDIT_LOG_PERSONAL_DATA: PersonalData = {
  sources: [{ table: 'audit_entries', read: readEntries, erase: eraseEntries }],
}

async function readEntries(tx: Tx, subject: Subject, after: string): Promise<ShownBatch> {
  const rows = await tx.query<{ sequence: bigint; document: string }>(sql`
    with named as materialized (${subject.objects}),
         own as materialized (
           select e.sequence, e.started_id from audit_entries e
            where e.business_id = ${tx.businessId} and ${isAbout(subject)})
    select e.sequence, e.document from audit_entries e
     where e.business_id = ${tx.businessId} and e.sequence > ${after === '' ? '0' : after}::bigint
       and e.sequence in (select sequence from own
                          union all
                          select s.sequence from own
                            join audit_entries s on s.business_id = ${tx.businessId} and s.id = own.started_id)
     order by e.sequence limit ${SCANNED}`)
  return { rows: rows.map(({ document }) => document), next: nextOf(rows) }
}

async function eraseEntries(tx: Tx, subject: Subject, after: string): Promise<Batch> {
  const scanned = await scan(tx, subject, after)
  const places = scanned.filter((entry) => entry.is_erased_now).map(({ sequence }) => sequence)
  if (places.length > 0) {
    const at = toRfc3339(realClock.now())
    const entry = {
      id: newId('aud'),
      created_at: at,
      actor: { type: 'service', id: 'erasures' },
      action: 'audit_entries.erase',
      object: { type: 'customers', id: subject.uuid },
      state: 'completed',
    }
    await tx.query(sql`
      select quittance_erase_audit_entries(${tx.businessId}, (select ${places.map(String)}::bigint[]), ${at}::timestamptz,
                                           ${JSON.stringify(entry)}::json)`)
  }
  return { count: places.length, next: nextOf(scanned) }
}

/** An entry about an object of somebody else loses its content only if it holds a text of the customer beside an id. */
function scan(
  tx: Tx,
  subject: Subject,
  after: string,
): Promise<{ sequence: bigint; is_erased_now: boolean }[]> {
  const document = sql`e.document::text`
  return tx.query(sql`
    with named as materialized (${subject.objects}),
         page as materialized (
           select sequence, id, document, object_type, object_id, erased_by from audit_entries
            where business_id = ${tx.businessId} and sequence > ${after === '' ? '0' : after}::bigint
            order by sequence limit ${SCANNED})
    select e.sequence,
           e.erased_by is null
           and coalesce(e.document -> 'request', e.document -> 'before', e.document -> 'after') is not null
           and (${isAbout(subject)}
                or exists (select from audit_entries n
                            where n.business_id = ${tx.businessId} and n.started_id = e.id
                              and n.object_id in (select id from named))
                or ${namesCustomer(document, subject)}
                or (${holdsAText(document, searchedTexts(subject))} and ${namesObject(document)})) as is_erased_now
      from page e order by e.sequence`)
}

function isAbout({ names }: Subject): Sql {
  return sql`(e.object_id in (select id from named) or (e.object_type = 'customers' and ${isOneOf(sql`e.object_id`, names)}))`
}

function nextOf(rows: readonly { readonly sequence: bigint }[]): string | null {
  return rows.length < SCANNED ? null : String(rows.at(-1)?.sequence)
}
