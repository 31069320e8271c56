import sql from 'sql-template-tag'
import { type Instant, realClock, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { Environment } from '#platform/caller'
import type { SharedStatements, Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import type { Scope } from '#platform/http/routes/route'
import type { ApiKey, App, BusinessProfile, NamedTenant, NewBusiness } from '../model/business.ts'
import type { KeyUse, PublicJwk } from '../model/public-key.ts'

export interface ApiKeyOwner {
  readonly keyId: string
  readonly businessId: string
  readonly businessCode: string
  readonly environment: Environment
  readonly appId: string
  /** The tenant that stores the app's nonces for both environments: the live one. */
  readonly nonceBusinessId: string
  readonly scopes: readonly string[]
  readonly expiresAt: Instant | null
  readonly lastUsedAt: Instant | null
  readonly signingKey: string | null
}

export async function findApiKeyOwner(
  shared: SharedStatements,
  hash: string,
): Promise<ApiKeyOwner | undefined> {
  const [holder] = await shared.query<ApiKeyOwner>(sql`
    select k.key_id as "keyId", a.business_id as "businessId", b.code as "businessCode", k.environment,
           k.app_id as "appId", live.business_id as "nonceBusinessId", k.scopes, k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt",
           a.signing_key as "signingKey"
      from api_keys k
      join apps a on a.app_id = k.app_id and a.environment = k.environment
      join apps live on live.app_id = k.app_id and live.environment = 'live'
      join businesses b on b.business_id = a.business_id
     where k.hash = ${hash} and k.revoked_at is null`)
  return holder
}

export async function markKeyUsed(shared: SharedStatements, keyId: string, at: Instant): Promise<void> {
  const minuteBefore = toRfc3339(at.subtract({ minutes: 1 }))
  await shared.query(sql`
    update api_keys set last_used_at = ${toRfc3339(at)}
     where key_id = ${keyId} and (last_used_at is null or last_used_at < ${minuteBefore})`)
}

/**
 * Stores a business with both environments, their clocks, one app and its first key. A transaction would need an
 * existing tenant, so the clocks come first, which mean nothing alone, and one statement stores the rest. Of two
 * concurrent calls one may fail with a unique violation on `number`. The statement begins with an update of no key:
 * when a key's last use is written, Citus locks the table of keys before the tables that it refers to, and another
 * order here would cause deadlocks.
 */
export async function insertBusiness(
  shared: SharedStatements,
  business: NewBusiness & {
    readonly sealedSecrets: Readonly<Record<Environment, string>>
    readonly keyHash: string
    readonly scopes: readonly Scope[]
  },
): Promise<void> {
  const { test, live, sealedSecrets } = business
  const at = toRfc3339(realClock.now())
  await shared.query(sql`
    insert into business_clocks (business_id) values (${test.businessId}), (${live.businessId}) on conflict do nothing`)
  await shared.query(sql`
    with locked_keys as (
      update api_keys set last_used_at = null where key_id = ${business.keyId}
    ), environments (business_id, environment, webhook_secret, ordinal) as (
      values (${test.businessId}::text, 'test'::text, ${sealedSecrets.test}::text, 1),
             (${live.businessId}::text, 'live'::text, ${sealedSecrets.live}::text, 2)
    ), new_businesses as (
      insert into businesses (business_id, code, environment, number, name, time_zone, currency, webhook_secret, created_at)
      select business_id, ${business.code}::text, environment,
             (select coalesce(max(number), 0) from businesses) + ordinal, ${business.name}::text,
             ${business.timeZone}::text, ${business.currency}::text, webhook_secret, ${at}::timestamptz
        from environments
    ), new_apps as (
      insert into apps (app_id, environment, business_id, name, created_at)
      select ${business.appId}::text, environment, business_id, ${business.appName}::text, ${at}::timestamptz
        from environments
    )
    insert into api_keys (key_id, hash, app_id, environment, scopes, created_at)
    values (${business.keyId}, ${business.keyHash}, ${business.appId}, 'test', ${[...business.scopes]}::text[], ${at})`)
}

export async function businessesAfter(
  shared: SharedStatements,
  afterId: string,
  limit: number,
): Promise<BusinessProfile[]> {
  return shared.query(sql`
    select business_id as "businessId", code, name, environment, time_zone as "timeZone", currency, number
      from businesses where business_id > ${afterId} order by business_id limit ${limit}`)
}

export async function findBusiness(
  shared: SharedStatements,
  businessId: string,
): Promise<BusinessProfile | undefined> {
  const [business] = await shared.query<BusinessProfile>(sql`
    select business_id as "businessId", code, name, environment, time_zone as "timeZone", currency, number
      from businesses where business_id = ${businessId}`)
  return business
}

/** Those whose name, time zone or currency changed since. */
export async function findChangedBusinesses(shared: SharedStatements, since: Instant): Promise<string[]> {
  const rows = await shared.query<{ id: string }>(
    sql`select business_id as id from businesses where updated_at > ${toRfc3339(since)}`,
  )
  return rows.map(({ id }) => id)
}

/** Locks the rows of both environments, always in the same order. */
export async function lockBusiness(tx: Tx): Promise<BusinessProfile> {
  const rows = await tx.query<BusinessProfile>(sql`
    select business_id as "businessId", code, name, environment, time_zone as "timeZone", currency, number
      from businesses where code = (select code from businesses where business_id = ${tx.businessId})
     order by business_id for no key update`)
  const own = rows.find(({ businessId }) => businessId === tx.businessId)
  if (own === undefined) throw new Error(`no business ${tx.businessId}`)
  return own
}

export async function renameBusiness(
  tx: Tx,
  { code, name }: Pick<BusinessProfile, 'code' | 'name'>,
): Promise<void> {
  await tx.execute(sql`
    update businesses set name = ${name}, updated_at = ${toRfc3339(realClock.now())} where code = ${code}`)
}

export async function setBusinessDefaults(
  tx: Tx,
  { timeZone, currency }: Pick<BusinessProfile, 'timeZone' | 'currency'>,
): Promise<void> {
  await tx.execute(sql`
    update businesses
       set time_zone = ${timeZone}, currency = ${currency}, updated_at = ${toRfc3339(realClock.now())}
     where business_id = ${tx.businessId}`)
}

export async function findTenant(shared: SharedStatements, tenant: NamedTenant): Promise<string | undefined> {
  const [row] = await shared.query<{ businessId: string }>(sql`
    select business_id as "businessId" from businesses
     where code = ${tenant.code} and environment = ${tenant.environment}`)
  return row?.businessId
}

export interface SealedSecrets {
  readonly secret: string
  readonly previous: string | null
}

export interface StoredSecrets extends SealedSecrets {
  /** End of the previous secret's validity, on the real clock. */
  readonly previousUntil: Instant | null
}

export async function findWebhookSecrets(
  shared: SharedStatements,
  businessId: string,
): Promise<StoredSecrets | undefined> {
  const [secrets] = await shared.query<StoredSecrets>(sql`
    select webhook_secret as secret, previous_webhook_secret as previous, previous_until as "previousUntil"
      from businesses where business_id = ${businessId}`)
  return secrets
}

/** The key's id is the second part of a sealed text (platform/security/keyring.ts). */
export async function findEncryptionKeyIds(shared: SharedStatements): Promise<string[]> {
  const rows = await shared.query<{ id: string }>(
    sql`select distinct split_part(webhook_secret, '.', 2) as id from businesses order by id`,
  )
  return rows.map((row) => row.id)
}

export async function replaceWebhookSecret(
  shared: SharedStatements,
  businessId: string,
  sealed: string,
  previousUntil: Instant,
): Promise<void> {
  await shared.query(sql`
    update businesses
       set previous_webhook_secret = webhook_secret, previous_until = ${toRfc3339(previousUntil)},
           webhook_secret = ${sealed}
     where business_id = ${businessId}`)
}

export async function lockWebhookSecrets(tx: Tx): Promise<SealedSecrets> {
  const [secrets] = await tx.query<SealedSecrets>(sql`
    select webhook_secret as secret, previous_webhook_secret as previous
      from businesses where business_id = ${tx.businessId} for no key update`)
  if (secrets === undefined) throw new Error(`no business ${tx.businessId}`)
  return secrets
}

export async function storeRewrappedSecrets(tx: Tx, sealed: SealedSecrets): Promise<void> {
  await tx.execute(sql`
    update businesses set webhook_secret = ${sealed.secret}, previous_webhook_secret = ${sealed.previous}
     where business_id = ${tx.businessId}`)
}

export async function findAppEnvironments(shared: SharedStatements, appId: string): Promise<Environment[]> {
  const rows = await shared.query<{ environment: Environment }>(
    sql`select environment from apps where app_id = ${appId}`,
  )
  return rows.map((row) => row.environment)
}

export async function insertApiKey(
  shared: SharedStatements,
  key: {
    readonly keyId: string
    readonly hash: string
    readonly appId: string
    readonly environment: Environment
    readonly name: string | null
    readonly scopes: readonly Scope[]
    readonly createdAt: Instant
    readonly expiresAt: Instant | null
  },
  maxActive: number,
): Promise<boolean> {
  const now = toRfc3339(key.createdAt)
  const expiresAt = rfc3339OrNull(key.expiresAt)
  const rows = await shared.query(sql`
    insert into api_keys (key_id, hash, app_id, environment, name, scopes, created_at, expires_at)
    select ${key.keyId}::text, ${key.hash}::text, ${key.appId}::text, ${key.environment}::text, ${key.name}::text,
           ${[...key.scopes]}::text[], ${now}::timestamptz, ${expiresAt}::timestamptz
     where (select count(*) from api_keys
             where app_id = ${key.appId} and environment = ${key.environment} and revoked_at is null
               and (expires_at is null or expires_at > ${now})) < ${maxActive}
    returning key_id`)
  return rows.length === 1
}

export async function markKeyRevoked(shared: SharedStatements, keyId: string): Promise<boolean> {
  const rows = await shared.query(sql`
    update api_keys set revoked_at = coalesce(revoked_at, ${toRfc3339(realClock.now())})
     where key_id = ${keyId} returning key_id`)
  return rows.length === 1
}

export async function apiKeysAfter(
  shared: SharedStatements,
  afterId: string,
  limit: number,
): Promise<ApiKey[]> {
  return shared.query(sql`
    select k.key_id as "keyId", k.app_id as "appId", a.business_id as "businessId", b.name as "businessName",
           k.environment, k.name, k.scopes, k.created_at as "createdAt", k.expires_at as "expiresAt",
           k.revoked_at as "revokedAt", k.last_used_at as "lastUsedAt"
      from api_keys k
      join apps a on a.app_id = k.app_id and a.environment = k.environment
      join businesses b on b.business_id = a.business_id
     where k.key_id > ${afterId}
     order by k.key_id limit ${limit}`)
}

export async function appExists(shared: SharedStatements, app: App): Promise<boolean> {
  const rows = await shared.query(sql`
    select from apps where app_id = ${app.appId} and environment = ${app.environment}`)
  return rows.length === 1
}

export async function findPublicKey(shared: SharedStatements, app: App, use: KeyUse): Promise<string | null> {
  const [row] = await shared.query<{ signing: string | null; encryption: string | null }>(sql`
    select signing_key as signing, encryption_key as encryption
      from apps where app_id = ${app.appId} and environment = ${app.environment}`)
  return row?.[use] ?? null
}

export async function setPublicKey(tx: Tx, app: App, use: KeyUse, key: PublicJwk | null): Promise<void> {
  const json = key === null ? null : JSON.stringify(key)
  const assignment =
    use === 'signing' ? sql`signing_key = ${json}::json` : sql`encryption_key = ${json}::json`
  await tx.execute(sql`
    update apps set ${assignment} where app_id = ${app.appId} and environment = ${app.environment}`)
}

export async function deleteSigningKey(shared: SharedStatements, app: App): Promise<boolean> {
  const rows = await shared.query(sql`
    update apps set signing_key = null
     where app_id = ${app.appId} and environment = ${app.environment} and signing_key is not null
    returning 1`)
  return rows.length === 1
}

export async function insertNonce(
  tx: Tx,
  nonce: { readonly appId: string; readonly nonce: string; readonly expiresAt: Instant },
): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into signature_nonces (business_id, app_id, nonce, expires_at)
    values (${tx.businessId}, ${nonce.appId}, ${nonce.nonce}, ${toRfc3339(nonce.expiresAt)})
    on conflict (business_id, app_id, nonce) do nothing`)
  return inserted === 1
}

export function firstNonceExpiry(tx: Tx): Promise<Instant | null> {
  return earliestTime(tx, sql`signature_nonces`, sql`expires_at`)
}

export function deleteExpiredNonces(tx: Tx, until: Instant, limit: number): Promise<number> {
  return tx.execute(sql`
    delete from signature_nonces
     where business_id = ${tx.businessId} and (app_id, nonce) in (
           select app_id, nonce from signature_nonces
            where business_id = ${tx.businessId} and expires_at <= ${toRfc3339(until)}
            order by expires_at limit ${limit})`)
}
