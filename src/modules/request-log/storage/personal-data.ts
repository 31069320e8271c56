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
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import {
  bodiesAt,
  type Bodies,
  type BodiesPlace,
  type Bundle,
  compressed,
  PLACE_COLUMNS,
  readBundles,
  selectBundles,
} from './bodies.ts'

const SCANNED = 200
const SHOWN = 200
const ERASED_BODY = JSON.stringify({ erased: true })

export const REQUEST_LOG_PERSONAL_DATA: PersonalData = {
  sources: [{ table: 'request_log', read: readEntries, erase: eraseEntries }],
}

interface Place extends BodiesPlace {
  readonly id: string
  readonly created_at: string
}

async function readEntries(tx: Tx, { objects }: Subject, after: string): Promise<ShownBatch> {
  const rows = await tx.query<Place & { shown: string }>(sql`
    select r.id, r.created_at::text as created_at, ${PLACE_COLUMNS},
           (to_jsonb(r) - '{business_id,object_ids,request_body,response_body,bodies,bodies_at,bodies_id,bodies_place}'::text[]
            || jsonb_build_object('request_body', convert_from(r.request_body, 'UTF8'),
                                  'response_body', convert_from(r.response_body, 'UTF8')))::text as shown
      from request_log r
     where r.business_id = ${tx.businessId} and ${isBehind(after)}
       and (r.created_at, r.id) in (
           select k.created_at, k.id from request_log_keys k
            where k.business_id = ${tx.businessId} and k.key in (select 'o:' || o.id from (${objects}) o))
     order by r.created_at, r.id limit ${SHOWN}`)
  const bundles = await readBundles((statement) => tx.query(statement), selectBundles(tx.businessId, rows))
  return { rows: rows.map((row) => shownWith(row.shown, bodiesAt(bundles, row))), next: nextOf(rows, SHOWN) }
}

function shownWith(shown: string, bodies: Bodies | undefined): string {
  if (bodies === undefined) return shown
  const [request, response] = bodies
  return JSON.stringify({ ...(JSON.parse(shown) as object), request_body: request, response_body: response })
}

const bodiesOfEntries = rowsAs<readonly [id: string, bodies: Bodies]>('b', {
  id: ['text', ([id]) => id],
  request_body: ['text', ([, [request]]) => request],
  response_body: ['text', ([, [, response]]) => response],
})

/** Lists name many objects, and the index of an entry names only the first, so all entries are read. */
async function eraseEntries(tx: Tx, subject: Subject, after: string): Promise<Batch> {
  const page = await tx.query<Place>(sql`
    select r.id, r.created_at::text as created_at, ${PLACE_COLUMNS} from request_log r
     where r.business_id = ${tx.businessId} and ${isBehind(after)}
     order by r.created_at, r.id limit ${SCANNED}`)
  const statement = sql`${selectBundles(tx.businessId, page)} for update`
  const bundles = await readBundles((locking) => tx.query(locking), statement)
  const bodies = page.map((entry) => [entry.id, bodiesAt(bundles, entry) ?? [null, null]] as const)
  const said = sql`concat_ws(' ', p.path, p.query, convert_from(p.request_body, 'UTF8'),
                             convert_from(p.response_body, 'UTF8'), b.request_body, b.response_body)`
  const references = subject.names.flatMap((name) => [name, encodeURI(name), encodeURIComponent(name)])
  const found = await tx.query<{ id: string }>(sql`
    with named as materialized (${subject.objects})
    select p.id from request_log p join ${bodiesOfEntries(bodies)} on b.id = p.id
     where p.business_id = ${tx.businessId} and (p.created_at, p.id) in (${placesOf(page)})
       and (${namesCustomer(said, subject)} or ${namesObject(said)}
            or (p.route like '%/customers' and ${hasReference(said, subject, '"reference_number')})
            or ${isOneOf(sql`split_part(p.path, '/customers/ref/', 2)`, references)})`)
  const ids = new Set(found.map(({ id }) => id))
  const named = page.filter(({ id }) => ids.has(id))
  if (named.length > 0) {
    await eraseNamed(tx, subject, named)
    await eraseBodies(tx, named, bundles)
  }
  return { count: named.length, next: nextOf(page, SCANNED) }
}

function placesOf(entries: readonly Place[]) {
  return sql`
    select unnest((select ${entries.map(({ created_at }) => created_at)}::timestamptz[])) as created_at,
           unnest((select ${entries.map(({ id }) => id)}::text[])) as id`
}

async function eraseNamed(tx: Tx, subject: Subject, named: readonly Place[]): Promise<void> {
  const texts = searchedTexts(subject)
  const body = Buffer.from(ERASED_BODY)
  const places = placesOf(named)
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

async function eraseBodies(
  tx: Tx,
  named: readonly Place[],
  bundles: ReadonlyMap<string, Bundle>,
): Promise<void> {
  const ofBundles = Map.groupBy(named, ({ bodies_id: id }) => id ?? '')
  for (const [bundleId, entries] of ofBundles) {
    const bundle = bundles.get(bundleId)
    if (bundle === undefined) continue
    const places = new Set(entries.map(({ bodies_place: place }) => place))
    const kept = bundle.bodies.map((pair, place): Bodies => {
      const [request, response] = pair
      return places.has(place) ? [request && ERASED_BODY, response && ERASED_BODY] : pair
    })
    await tx.execute(sql`
      update request_log set bodies = ${compressed(kept)}::bytea
       where business_id = ${tx.businessId} and created_at = ${bundle.at}::timestamptz and id = ${bundle.id}`)
  }
}

function isBehind(after: string) {
  const [createdAt = '', id = ''] = after.split('|')
  return after === '' ? sql`true` : sql`(r.created_at, r.id) > (${createdAt}::timestamptz, ${id})`
}

function nextOf(rows: readonly Place[], limit: number): string | null {
  const last = rows.at(-1)
  return last === undefined || rows.length < limit ? null : `${last.created_at}|${last.id}`
}
