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
  readBundles,
  selectBundles,
} from './bundles.ts'
import { PLACE_COLUMNS, type RowPlace, rowsAt, rowsWith } from './entry.repository.ts'
import { objectKey } from './keys.ts'

/** Rows, each of at most a hundred requests. */
const SCANNED = 50
const SHOWN = 50
const ERASED_BODY = JSON.stringify({ erased: true })

export const REQUEST_LOG_PERSONAL_DATA: PersonalData = {
  sources: [{ table: 'request_log', read: readEntries, erase: eraseEntries }],
}

interface Place extends BodiesPlace {
  readonly id: string
  readonly row_id: string
  readonly row_at: string
}

async function readEntries(tx: Tx, { objects }: Subject, after: string): Promise<ShownBatch> {
  const ids = (await tx.query<{ id: string }>(sql`select o.id from (${objects}) o`)).map(({ id }) => id)
  const places = await rowsWith(tx, ids.map(objectKey), after === '' ? 'infinity' : after, SHOWN)
  const rows = await tx.query<BodiesPlace & { shown: string }>(sql`
    select ${PLACE_COLUMNS},
           (to_jsonb(r) - '{object_ids,request_body,response_body,bodies_at,bodies_id,bodies_place}'::text[]
            || jsonb_build_object('request_body', convert_from(r.request_body, 'UTF8'),
                                  'response_body', convert_from(r.response_body, 'UTF8')))::text as shown
      from ${rowsAt(tx.businessId, places)}
     where string_to_array(r.object_ids, ' ') && (select ${ids}::text[])
     order by r.created_at desc, r.id desc`)
  const bundles = await readBundles((statement) => tx.query(statement), selectBundles(tx.businessId, rows))
  return {
    rows: rows.map((row) => shownWith(row.shown, bodiesAt(bundles, row))),
    next: places.length < SHOWN ? null : (places.at(-1)?.at ?? null),
  }
}

function shownWith(shown: string, bodies: Bodies | undefined): string {
  if (bodies === undefined) return shown
  const [request, response] = bodies
  return JSON.stringify({ ...(JSON.parse(shown) as object), request_body: request, response_body: response })
}

interface Erased {
  readonly id: string
  readonly path: string
  readonly query: string
  readonly idempotency_key: string | null
}

/** Lists name many objects, and the index of an entry names only the first, so all entries are read. */
async function eraseEntries(tx: Tx, subject: Subject, after: string): Promise<Batch> {
  const rows = await tx.query<{ at: string; id: string }>(sql`
    select b.created_at::text as at, b.id from request_log b
     where b.business_id = ${tx.businessId} and ${isBehind(after)}
     order by b.created_at, b.id limit ${SCANNED} for update`)
  const last = rows.at(-1)
  if (last === undefined) return { count: 0, next: null }
  const entries = await tx.query<Place>(sql`
    select r.id, b.id as row_id, b.created_at::text as row_at, ${PLACE_COLUMNS} from ${rowsAt(tx.businessId, rows)}`)
  const statement = sql`${selectBundles(tx.businessId, entries)} for update`
  const bundles = await readBundles((locking) => tx.query(locking), statement)
  const named = await findNamed(tx, subject, rows, entries, bundles)
  await eraseKeys(
    tx,
    subject,
    entries.filter(({ id }) => named.has(id)),
  )
  for (const entry of entries) {
    const erased = entry.id === entry.row_id && named.get(entry.id)
    if (erased) await eraseFirst(tx, entry, erased)
  }
  await eraseOthers(tx, entries, named, bundles)
  await eraseBodies(tx, entries, named, bundles)
  return { count: named.size, next: rows.length < SCANNED ? null : `${last.at}|${last.id}` }
}

const bodiesOfEntries = rowsAs<readonly [id: string, bodies: Bodies]>('e', {
  id: ['text', ([id]) => id],
  request_body: ['text', ([, [request]]) => request],
  response_body: ['text', ([, [, response]]) => response],
})

/** Reports of bounces, searches for what was sent, and suppressions name an address and no object. */
const OF_ADDRESSES = '/(messages|suppressions)'

async function findNamed(
  tx: Tx,
  subject: Subject,
  rows: readonly RowPlace[],
  entries: readonly Place[],
  bundles: ReadonlyMap<string, Bundle>,
): Promise<Map<string, Erased>> {
  const bodies = entries.map((entry) => [entry.id, bodiesAt(bundles, entry) ?? [null, null]] as const)
  const said = sql`concat_ws(' ', r.actor_id, r.path, r.query, convert_from(r.request_body, 'UTF8'),
                             convert_from(r.response_body, 'UTF8'), e.request_body, e.response_body)`
  const references = subject.names.flatMap((name) => [name, encodeURI(name), encodeURIComponent(name)])
  const texts = searchedTexts(subject)
  const addresses = searchedTexts({ ...subject, texts: subject.texts.filter((text) => text.includes('@')) })
  const found = await tx.query<Erased>(sql`
    with named as materialized (${subject.objects})
    select r.id,
           case when ${holdsAText(sql`r.path`, subject.texts)} or ${holdsAText(sql`r.path`, texts.slice(1))}
                then r.route else r.path end as path,
           case when r.query = '' then '' else ${ERASED} end as query,
           case when ${holdsAText(sql`r.idempotency_key`, texts)} then null else r.idempotency_key end as idempotency_key
      from ${rowsAt(tx.businessId, rows)} join ${bodiesOfEntries(bodies)} on e.id = r.id
     where (${namesCustomer(said, subject)} or ${namesObject(said)}
            or (r.route like '%/customers' and ${hasReference(said, subject, '"reference_number')})
            or (r.route ~ ${OF_ADDRESSES} and ${holdsAText(said, addresses)})
            or ${isOneOf(sql`split_part(r.path, '/customers/ref/', 2)`, references)})`)
  return new Map(found.map((erased) => [erased.id, erased]))
}

async function eraseKeys(tx: Tx, subject: Subject, named: readonly Place[]): Promise<void> {
  await tx.execute(sql`
    delete from request_log_keys k
     where k.business_id = ${tx.businessId} and k.key like 'i:%' and ${holdsAText(sql`k.key`, searchedTexts(subject))}
       and (k.created_at, k.id) in (
           select unnest((select ${named.map(({ row_at }) => row_at)}::timestamptz[])),
                  unnest((select ${named.map(({ row_id }) => row_id)}::text[])))`)
}

async function eraseFirst(tx: Tx, { row_at: at, row_id: id }: Place, erased: Erased): Promise<void> {
  const body = Buffer.from(ERASED_BODY)
  await tx.execute(sql`
    update request_log
       set path = ${erased.path}, query = ${erased.query}, idempotency_key = ${erased.idempotency_key},
           request_body = case when request_body is not null then ${body}::bytea end,
           response_body = case when response_body is not null then ${body}::bytea end
     where business_id = ${tx.businessId} and created_at = ${at}::timestamptz and id = ${id}`)
}

async function eraseOthers(
  tx: Tx,
  entries: readonly Place[],
  named: ReadonlyMap<string, Erased>,
  bundles: ReadonlyMap<string, Bundle>,
): Promise<void> {
  const ofRows = Map.groupBy(entries, ({ row_id: id }) => id)
  for (const [rowId, ofRow] of ofRows) {
    const bundle = bundles.get(rowId)
    const erased = new Map(
      ofRow.flatMap(({ id, bodies_place: place }) => {
        const found = id === rowId ? undefined : named.get(id)
        return found === undefined ? [] : [[place - 1, found] as const]
      }),
    )
    if (bundle === undefined || erased.size === 0) continue
    const others = bundle.others.map((other, place) => {
      const { id: _, ...columns } = erased.get(place) ?? {}
      return { ...other, ...columns }
    })
    await tx.execute(sql`
      update request_log set others = ${JSON.stringify(others)}::json
       where business_id = ${tx.businessId} and created_at = ${bundle.at}::timestamptz and id = ${bundle.id}`)
  }
}

async function eraseBodies(
  tx: Tx,
  entries: readonly Place[],
  named: ReadonlyMap<string, Erased>,
  bundles: ReadonlyMap<string, Bundle>,
): Promise<void> {
  const ofBundles = Map.groupBy(
    entries.filter(({ id }) => named.has(id)),
    ({ bodies_id: id }) => id,
  )
  for (const [bundleId, ofBundle] of ofBundles) {
    const bundle = bundles.get(bundleId)
    if (bundle === undefined) continue
    const places = new Set(ofBundle.map(({ bodies_place: place }) => place))
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
  return after === '' ? sql`true` : sql`(b.created_at, b.id) > (${createdAt}::timestamptz, ${id})`
}
