import type { Caller } from '#platform/caller'
import type { Scope } from '#platform/http/routes/route'
import { LookupCache } from './authentication/lookup-cache.ts'
import { findRegisteredKey } from './authentication/registered-key.ts'
import { removeSigningKey } from './authentication/remove-signing-key.ts'
import { type Branding, NO_BRANDING } from './model/branding.ts'
import type { BusinessesDependencies } from './dependencies.ts'
import { type ApiKeyRequest, createApiKey } from './keys/create-api-key.ts'
import { lostRightOfKey } from './keys/lost-right.ts'
import { revokeApiKey } from './keys/revoke-api-key.ts'
import type { App, NamedTenant, NewBusiness } from './model/business.ts'
import { createBusiness } from './profiles/create-business.ts'
import type { DayReader } from './profiles/edit-business.ts'
import { allApiKeys, allTenants, tenantOf } from './profiles/look-up.ts'
import { Profiles } from './profiles/profiles.ts'
import { findKeyNames } from './storage/api-key.repository.ts'
import { findBranding, findLogo } from './storage/branding.repository.ts'
import { findBusiness } from './storage/repository.ts'
import { rotateWebhookSecret, showWebhookSecret, webhookSecrets } from './webhook-secrets/webhook-secret.ts'

export type Businesses = ReturnType<typeof businessesOf>

/**
 * - `profile`: Cached. Throws for an unknown tenant.
 * - `keepTimeZoneWhile`: Refuses another time zone while the reader returns true.
 * - `webhookSecrets`, `branding`: Cached briefly.
 * - `encryptionKey`: The key that encrypts card numbers for this app.
 */
export function businessesOf(deps: BusinessesDependencies, dayReaders: DayReader[] = []) {
  const { db } = deps
  const profiles = new Profiles(db)
  const brandings = new LookupCache<Branding>()
  const secrets = new LookupCache<readonly string[]>()
  return {
    profile: (businessId: string) => profiles.get(businessId),
    keepTimeZoneWhile: (reader: DayReader) => void dayReaders.push(reader),
    webhookSecrets: (businessId: string) => secrets.get(businessId, () => webhookSecrets(deps, businessId)),
    branding: (businessId: string) =>
      brandings.get(businessId, () =>
        db.transact(businessId, async (tx) => (await findBranding(tx)) ?? NO_BRANDING),
      ),
    logo: (businessId: string) => db.transact(businessId, findLogo),
    lostRight: (caller: Pick<Caller, 'businessId' | 'actor'>, scope: Scope) =>
      lostRightOfKey(db, caller, scope),
    keyNames: (businessId: string, keyIds: readonly string[]) => findKeyNames(db.shared, businessId, keyIds),
    encryptionKey: (app: App) => findRegisteredKey(db, app, 'encryption'),
    create: (business: NewBusiness) => createBusiness(deps, business),
    exists: async (businessId: string) => (await findBusiness(db.shared, businessId)) !== undefined,
    tenants: () => allTenants(db),
    tenantOf: (subject: Parameters<typeof tenantOf>[1]) => tenantOf(db, subject),
    showWebhookSecret: (tenant: NamedTenant) => showWebhookSecret(deps, tenant),
    rotateWebhookSecret: (tenant: NamedTenant) => rotateWebhookSecret(deps, tenant),
    keys: () => allApiKeys(db),
    createKey: (key: ApiKeyRequest) => createApiKey(db, key),
    revokeKey: (keyId: string) => revokeApiKey(db, keyId),
    removeSigningKey: (app: App) => removeSigningKey(db, app),
  }
}
