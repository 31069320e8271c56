import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { FilterFields } from '#platform/filter/filter-sql'
import type { Database, Tx } from '#platform/postgres/database'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import { computed, table } from '#platform/postgres/table'
import { type Endpoint, ENDPOINT_STATES } from '../model/endpoint.ts'

const ENDPOINTS = table<Endpoint>('webhook_endpoints', {
  id: 'text',
  url: 'text',
  types: computed('types', 'webhook_endpoints.types'),
  state: 'text',
  createdAt: 'timestamptz',
})

export const ENDPOINT_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`id` },
  url: { type: 'text', column: sql`url` },
  state: { type: 'enum', column: sql`state`, values: ENDPOINT_STATES },
  created_at: { type: 'time', column: sql`created_at` },
}

export async function listEndpoints(
  db: Database,
  businessId: string,
  condition: Sql,
  page: PageRequest,
): Promise<Endpoint[]> {
  const rows = await db.read(
    businessId,
    sql`select ${ENDPOINTS.columns} from webhook_endpoints
         where business_id = ${businessId} and ${condition}
         ${rowsOfPage(page, sql`created_at`, sql`id`)}`,
  )
  return rows.map(ENDPOINTS.read)
}

export type ActiveEndpoint = Pick<Endpoint, 'id' | 'url' | 'types'>

export function activeEndpoints(tx: Tx): Promise<ActiveEndpoint[]> {
  return tx.query(sql`
    select id, url, types from webhook_endpoints where business_id = ${tx.businessId} and state = 'active'`)
}

/** Serializes registrations by a lock on the clock row, which every business has. */
export async function lockRegistration(tx: Tx): Promise<void> {
  await tx.execute(sql`select from business_clocks where business_id = ${tx.businessId} for no key update`)
}

export async function insertEndpoint(
  tx: Tx,
  endpoint: Endpoint & { readonly sealedSecret: string },
  max: number,
): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into webhook_endpoints (business_id, id, url, types, state, sealed_secret, created_at)
    select ${tx.businessId}::text, ${endpoint.id}::text, ${endpoint.url}::text, ${[...endpoint.types]}::text[],
           ${endpoint.state}::text, ${endpoint.sealedSecret}::text, ${toRfc3339(endpoint.createdAt)}::timestamptz
     where (select count(*) from webhook_endpoints where business_id = ${tx.businessId}) < ${max}::int`)
  return inserted === 1
}

export async function findUrl(tx: Tx, id: string): Promise<string | undefined> {
  const [row] = await tx.query<{ url: string }>(sql`
    select url from webhook_endpoints where business_id = ${tx.businessId} and id = ${id}`)
  return row?.url
}

export async function deleteEndpointRow(tx: Tx, id: string): Promise<Endpoint | undefined> {
  const [row] = await tx.query(sql`
    delete from webhook_endpoints where business_id = ${tx.businessId} and id = ${id}
    returning ${ENDPOINTS.columns}`)
  return row && ENDPOINTS.read(row)
}

export async function replaceSecret(
  tx: Tx,
  id: string,
  sealedSecret: string,
  previousUntil: Instant,
): Promise<Endpoint | undefined> {
  const [row] = await tx.query(sql`
    update webhook_endpoints
       set sealed_previous_secret = sealed_secret, previous_until = ${toRfc3339(previousUntil)},
           sealed_secret = ${sealedSecret}
     where business_id = ${tx.businessId} and id = ${id}
    returning ${ENDPOINTS.columns}`)
  return row && ENDPOINTS.read(row)
}

export async function findSealedSecret(
  db: Database,
  businessId: string,
  id: string,
): Promise<string | undefined> {
  const [row] = await db.read<{ sealed_secret: string }>(
    businessId,
    sql`select sealed_secret from webhook_endpoints where business_id = ${businessId} and id = ${id}`,
  )
  return row?.sealed_secret
}

export async function disableEndpoints(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update webhook_endpoints set state = 'disabled'
     where business_id = ${tx.businessId} and ${isOneOf(sql`id`, ids)} and state = 'active'`)
}

export async function closedEndpoints(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const active = await tx.query<{ id: string }>(sql`
    select id from webhook_endpoints
     where business_id = ${tx.businessId} and ${isOneOf(sql`id`, ids)} and state = 'active'`)
  return [...new Set(ids).difference(new Set(active.map(({ id }) => id)))]
}

export interface SealedSecrets {
  readonly id: string
  readonly secret: string
  readonly previous: string | null
}

export function sealedSecrets(tx: Tx): Promise<SealedSecrets[]> {
  return tx.query(sql`
    select id, sealed_secret as secret, sealed_previous_secret as previous
      from webhook_endpoints where business_id = ${tx.businessId} order by id for update`)
}

const resealedSecrets = rowsAs<SealedSecrets>('input', {
  id: ['text', (sealed) => sealed.id],
  secret: ['text', (sealed) => sealed.secret],
  previous: ['text', (sealed) => sealed.previous],
})

export async function replaceSealed(tx: Tx, changed: readonly SealedSecrets[]): Promise<void> {
  await tx.execute(sql`
    update webhook_endpoints e
       set sealed_secret = input.secret, sealed_previous_secret = input.previous
      from ${resealedSecrets(changed)}
     where e.business_id = ${tx.businessId} and e.id = input.id`)
}

export interface FailingReceiver {
  readonly id: string
  readonly url: string
  readonly isDisabled: boolean
  readonly since: Instant
}

export function findFailingReceivers(tx: Tx, since: Instant, limit: number): Promise<FailingReceiver[]> {
  return tx.query<FailingReceiver>(sql`
    select id, url, "isDisabled", since
      from (select id, url, true as "isDisabled", created_at as since from webhook_endpoints
             where business_id = ${tx.businessId} and state = 'disabled'
            union all
            select coalesce(endpoint_id, url), max(url), false, min(created_at)
              from (select endpoint_id, url, created_at from deliveries
                     where business_id = ${tx.businessId} and state = 'exhausted'
                     order by id desc limit ${limit}) newest
             where created_at >= ${toRfc3339(since)}
               and (endpoint_id is null
                    or exists (select from webhook_endpoints e
                                where e.business_id = ${tx.businessId} and e.id = endpoint_id and e.state = 'active'))
             group by coalesce(endpoint_id, url)) failing
     order by since, id limit ${limit}`)
}
