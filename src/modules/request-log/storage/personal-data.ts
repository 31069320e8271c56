import sql from 'sql-template-tag'
import {
  hasReference,
  holdsAText,
  namesCustomer,
  namesObject,
  searchedTexts,
} from '#platform/personal-data/names-customer'
import type { Batch, PersonalData, ShownBatch, Subject } from '#platform/personal-data/personal-data'
import { ERASED } from '#platform/personal-data/rewrite'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'

const SCANNED = 1_000
const SHOWN = 200
const ERASED_BODY = JSON.stringify({ erased: true })

export const REQUEST_LOG_PERSONAL_DATA: PersonalData = {
  sources: [{ table: 'request_log', read: readEntries, erase: eraseEntries }],
}

interface Place {
  readonly id: string
  readonly created_at: string
}

async function readEntries(tx: Tx, { objects }: Subject, after: string): Promise<ShownBatch> {
  const rows = await tx.query<Place & { shown: string }>(sql`
    select r.id, r.created_at::text as created_at,
           (to_jsonb(r) - '{business_id,object_ids,request_body,response_body}'::text[]
            || jsonb_build_object('request_body', convert_from(r.request_body, 'UTF8'),
                                  'response_body', convert_from(r.response_body, 'UTF8')))::text as shown
      from request_log r
     where r.business_id = ${tx.businessId} and ${isBehind(after)}
       and (r.created_at, r.id) in (
           select k.created_at, k.id from request_log_keys k
            where k.business_id = ${tx.businessId} and k.key in (select 'o:' || o.id from (${objects}) o))
     order by r.created_at, r.id limit ${SHOWN}`)
  return { rows: rows.map(({ shown }) => shown), next: nextOf(rows, SHOWN) }
}

/** Lists name many objects, and the index of an entry names only the first, so all entries are read. */
async function eraseEntries(tx: Tx, subject: Subject, after: string): Promise<Batch> {
  const said = sql`concat_ws(' ', p.path, p.query, convert_from(p.request_body, 'UTF8'),
                             convert_from(p.response_body, 'UTF8'))`
  const references = subject.names.flatMap((name) => [name, encodeURI(name), encodeURIComponent(name)])
  const scanned = await tx.query<Place & { is_named: boolean }>(sql`
    with named as materialized (${subject.objects}),
         page as materialized (
           select * from request_log r
            where r.business_id = ${tx.businessId} and ${isBehind(after)}
            order by r.created_at, r.id limit ${SCANNED})
    select p.id, p.created_at::text as created_at, ${namesCustomer(said, subject)} or ${namesObject(said)}
           or (p.route like '%/customers' and ${hasReference(said, subject, '"reference_number')})
           or ${isOneOf(sql`split_part(p.path, '/customers/ref/', 2)`, references)} as is_named
      from page p order by p.created_at, p.id`)
  const named = scanned.filter((entry) => entry.is_named)
  if (named.length > 0) await eraseNamed(tx, subject, named)
  return { count: named.length, next: nextOf(scanned, SCANNED) }
}

async function eraseNamed(tx: Tx, subject: Subject, named: readonly Place[]): Promise<void> {
  const texts = searchedTexts(subject)
  const body = Buffer.from(ERASED_BODY)
  const places = sql`
    select unnest((select ${named.map(({ created_at }) => created_at)}::timestamptz[])) as created_at,
           unnest((select ${named.map(({ id }) => id)}::text[])) as id`
  await tx.execute(sql`
    delete from request_log_keys k
     where k.business_id = ${tx.businessId} and k.key like 'i:%' and ${holdsAText(sql`k.key`, texts)}
       and (k.created_at, k.id) in (${places})`)
  await tx.execute(sql`
    update request_log r
       set path = case when ${holdsAText(sql`r.path`, subject.texts)} or ${holdsAText(sql`r.path`, texts.slice(1))} then r.route else r.path end,
           query = case when r.query = '' then '' else ${ERASED} end,
           idempotency_key = case when ${holdsAText(sql`r.idempotency_key`, texts)} then null else r.idempotency_key end,
           request_body = case when r.request_body is not null then ${body}::bytea end,
           response_body = case when r.response_body is not null then ${body}::bytea end
     where r.business_id = ${tx.businessId} and (r.created_at, r.id) in (${places})`)
}

function isBehind(after: string) {
  const [createdAt = '', id = ''] = after.split('|')
  return after === '' ? sql`true` : sql`(r.created_at, r.id) > (${createdAt}::timestamptz, ${id})`
}

function nextOf(rows: readonly Place[], limit: number): string | null {
  const last = rows.at(-1)
  return last === undefined || rows.length < limit ? null : `${last.created_at}|${last.id}`
}
