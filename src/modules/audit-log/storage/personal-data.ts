import sql from 'sql-template-tag'
import { realClock, toRfc3339 } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { namesCustomer, searchedTexts } from '#platform/personal-data/names-customer'
import type { Batch, PersonalData, Subject } from '#platform/personal-data/personal-data'
import type { Tx } from '#platform/postgres/database'

const SCANNED = 500

interface Scanned {
  readonly sequence: bigint
  readonly document: string
  readonly is_named: boolean
  readonly has_content: boolean
}

/** Who did what and when stays; what was sent and how the object looked goes (docs/decisions/personal-data-is-erased-in-place). */
export const AUDIT_LOG_PERSONAL_DATA: PersonalData = {
  sources: [
    {
      table: 'audit_entries',
      read: async (tx, subject, after) => {
        const scanned = await scan(tx, subject, after)
        return {
          rows: scanned.filter((entry) => entry.is_named).map(({ document }) => document),
          next: nextOf(scanned),
        }
      },
      erase: eraseEntries,
    },
  ],
}

async function eraseEntries(tx: Tx, subject: Subject, after: string): Promise<Batch> {
  const scanned = await scan(tx, subject, after)
  const places = scanned
    .filter((entry) => entry.is_named && entry.has_content)
    .map(({ sequence }) => sequence)
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

function scan(tx: Tx, subject: Subject, after: string): Promise<Scanned[]> {
  return tx.query<Scanned>(sql`
    with named as materialized (${subject.objects}),
         page as materialized (
           select sequence, document, object_id, erased_by from audit_entries
            where business_id = ${tx.businessId} and sequence > ${after === '' ? '0' : after}::bigint
            order by sequence limit ${SCANNED})
    select p.sequence, p.document, p.erased_by is null and coalesce(p.document -> 'request', p.document -> 'before', p.document -> 'after') is not null as has_content,
           p.object_id in (select id from named)
           or ${namesCustomer(sql`p.document::text`, searchedTexts(subject))} as is_named
      from page p order by p.sequence`)
}

function nextOf(rows: readonly Scanned[]): string | null {
  return rows.length < SCANNED ? null : String(rows.at(-1)?.sequence)
}
