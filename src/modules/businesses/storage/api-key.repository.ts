import sql, { type Sql } from 'sql-template-tag'
import type { Environment } from '#platform/caller'
import type { FilterFields } from '#platform/filter/filter-sql'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { type Instant, realClock, toRfc3339 } from '#kernel/clock'
import type { SharedStatements, Tx } from '#platform/postgres/database'
import type { Scope } from '#platform/http/routes/route'

export interface OwnApiKey {
  readonly id: string
  readonly appId: string
  readonly name: string | null
  readonly scopes: readonly Scope[]
  readonly createdAt: Instant
  readonly expiresAt: Instant | null
  readonly revokedAt: Instant | null
  readonly lastUsedAt: Instant | null
}

export const API_KEY_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`k.key_id` },
  name: { type: 'text', column: sql`k.name` },
  app_id: { type: 'text', column: sql`k.app_id` },
  created_at: { type: 'time', column: sql`k.created_at` },
  expires_at: { type: 'time', column: sql`k.expires_at` },
  revoked_at: { type: 'time', column: sql`k.revoked_at` },
  last_used_at: { type: 'time', column: sql`k.last_used_at` },
}

const COLUMNS = sql`k.key_id as id, k.app_id as "appId", k.name, k.scopes, k.created_at as "createdAt",
  k.expires_at as "expiresAt", k.revoked_at as "revokedAt", k.last_used_at as "lastUsedAt"`

export function listOwnKeys(
  tx: Tx,
  environment: Environment,
  condition: Sql,
  page: PageRequest,
): Promise<OwnApiKey[]> {
  return tx.query<OwnApiKey>(sql`
    select ${COLUMNS}
      from apps a
      join api_keys k on k.app_id = a.app_id and k.environment = a.environment
     where a.business_id = ${tx.businessId} and a.environment = ${environment} and ${condition}
     ${rowsOfPage(page, sql`k.created_at`, sql`k.key_id`)}`)
}

export async function findAppForKey(
  tx: Tx,
  environment: Environment,
  callersApp: string,
): Promise<string | undefined> {
  const [app] = await tx.query<{ id: string }>(sql`
    select app_id as id from apps
     where business_id = ${tx.businessId} and environment = ${environment}
     order by app_id = ${callersApp} desc, created_at, app_id limit 1`)
  return app?.id
}

export async function markOwnKeyRevoked(tx: Tx, keyId: string): Promise<OwnApiKey | undefined> {
  const [key] = await tx.query<OwnApiKey>(sql`
    update api_keys k set revoked_at = coalesce(k.revoked_at, ${toRfc3339(realClock.now())})
      from apps a
     where k.key_id = ${keyId} and a.app_id = k.app_id and a.environment = k.environment
       and a.business_id = ${tx.businessId}
    returning ${COLUMNS}`)
  return key
}

export async function findTenantOfApp(
  shared: SharedStatements,
  appId: string,
  environment: Environment,
): Promise<string | undefined> {
  const [app] = await shared.query<{ businessId: string }>(sql`
    select business_id as "businessId" from apps where app_id = ${appId} and environment = ${environment}`)
  return app?.businessId
}

export async function findKeyOfTenant(
  shared: SharedStatements,
  businessId: string,
  keyId: string,
): Promise<OwnApiKey | undefined> {
  const [key] = await shared.query<OwnApiKey>(sql`
    select ${COLUMNS}
      from api_keys k join apps a on a.app_id = k.app_id and a.environment = k.environment
     where k.key_id = ${keyId} and a.business_id = ${businessId}`)
  return key
}

export async function findKeyNames(
  shared: SharedStatements,
  businessId: string,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const keys = await shared.query<{ id: string; name: string }>(sql`
    select k.key_id as id, k.name
      from api_keys k join apps a on a.app_id = k.app_id and a.environment = k.environment
     where k.key_id = any(${[...keyIds]}::text[]) and a.business_id = ${businessId} and k.name is not null`)
  return new Map(keys.map(({ id, name }) => [id, name]))
}

export async function findTenantOfKey(shared: SharedStatements, keyId: string): Promise<string | undefined> {
  const [key] = await shared.query<{ businessId: string }>(sql`
    select a.business_id as "businessId"
      from api_keys k join apps a on a.app_id = k.app_id and a.environment = k.environment
     where k.key_id = ${keyId}`)
  return key?.businessId
}
