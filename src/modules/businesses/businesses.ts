import { LRUCache } from 'lru-cache'
import type { Caller } from '#platform/caller'
import type { Job } from '#platform/jobs/jobs'
import type { BrandingEdit } from './api/branding-schemas.ts'
import { LookupCache } from './authentication/lookup-cache.ts'
import { type Branding, type Logo, NO_BRANDING } from './branding/branding.ts'
import { editBranding, showBranding } from './branding/edit-branding.ts'
import type { ApiKey, App, BusinessProfile, NamedTenant, NewBusiness } from './profiles/business.ts'
import { type ApiKeyRequest, createApiKey } from './keys/create-api-key.ts'
import { createOwnKey, type OwnKeyRequest, ownKeysPage, revokeOwnKey } from './keys/own-keys.ts'
import type { Scope } from '#platform/http/routes/route'
import type { PageRequest } from '#platform/http/validation/list'
import { createBusiness } from './profiles/create-business.ts'
import { noncePurge } from './jobs.ts'
import { allApiKeys, allTenants, findRegisteredKey, getBusiness, getRegisteredKey } from './api/look-up.ts'
import type { BusinessesDependencies } from './dependencies.ts'
import type { KeyUse, PublicJwk, RegisteredKey } from './authentication/public-key.ts'
import { registerPublicKey } from './authentication/register-public-key.ts'
import { removePublicKey } from './authentication/remove-public-key.ts'
import { removeSigningKey } from './authentication/remove-signing-key.ts'
import { findTenantOfApp, findTenantOfKey } from './storage/api-key.repository.ts'
import { findBusiness, findTenant } from './storage/repository.ts'
import { findBranding, findLogo } from './storage/branding.repository.ts'
import { lostRightOfKey } from './keys/lost-right.ts'
import { revokeApiKey } from './keys/revoke-api-key.ts'
import {
  rotateWebhookSecret,
  showWebhookSecret,
  type WebhookSecret,
  webhookSecrets,
} from './webhook-secrets/webhook-secret.ts'

const MAX_PROFILES = 10_000

/**
 * Commands throw `CommandError`. `rotateWebhookSecret`, `revokeKey` and `registerKey` resolve once every process uses the
 * new state.
 * - `profile`: The tenant's immutable properties, cached. Throws for an unknown tenant.
 * - `webhookSecrets`: Newest first; they sign deliveries to `notify_url` and `callback_url` (reference/events#secrets).
 * - `branding`: Without the bytes of the logo; cached briefly.
 * - `keys`: Oldest first, with expired and revoked keys.
 * - `ownKeys`, `createOwnKey`, `revokeOwnKey`: Of the caller's business and environment.
 * - `lostRight`: Why the caller's key may not use this scope any more; undefined while it may.
 * - `tenantOf`: The tenant that a command is about; undefined where there is none.
 * - `encryptionKey`: The key that encrypts card numbers for this app.
 * - `registerKey`: Replaces the app's key. Throws 422 for unsafe keys.
 * - `removeKey`: Without a signing key, the app's requests need no signature. Throws 404 if there is no key.
 * - `removeSigningKey`: For a merchant who has lost the private key.
 */
export class Businesses {
  readonly #deps: BusinessesDependencies
  readonly #profiles = new LRUCache<string, BusinessProfile>({ max: MAX_PROFILES })
  readonly #branding = new LookupCache<Branding>()
  readonly #webhookSecrets = new LookupCache<readonly string[]>()

  readonly jobs: readonly Job[]

  constructor(deps: BusinessesDependencies) {
    this.#deps = deps
    this.jobs = [noncePurge(deps.db)]
  }

  async profile(businessId: string): Promise<BusinessProfile> {
    const cached = this.#profiles.get(businessId)
    if (cached !== undefined) return cached
    const profile = await getBusiness(this.#deps.db, businessId)
    this.#profiles.set(businessId, profile)
    return profile
  }

  webhookSecrets(businessId: string): Promise<readonly string[]> {
    return this.#webhookSecrets.get(businessId, () => webhookSecrets(this.#deps, businessId))
  }

  branding(businessId: string): Promise<Branding> {
    return this.#branding.get(businessId, () =>
      this.#deps.db.transact(businessId, async (tx) => (await findBranding(tx)) ?? NO_BRANDING),
    )
  }

  logo(businessId: string): Promise<Logo | undefined> {
    return this.#deps.db.transact(businessId, findLogo)
  }

  showBranding(caller: Caller): Promise<{ branding: object }> {
    return showBranding(this.#deps.db, caller)
  }

  editBranding(caller: Caller, edit: BrandingEdit): Promise<{ branding: object }> {
    return editBranding(this.#deps.db, caller, edit)
  }

  showWebhookSecret(tenant: NamedTenant): Promise<WebhookSecret> {
    return showWebhookSecret(this.#deps, tenant)
  }

  rotateWebhookSecret(tenant: NamedTenant): Promise<WebhookSecret> {
    return rotateWebhookSecret(this.#deps, tenant)
  }

  create(business: NewBusiness): Promise<void> {
    return createBusiness(this.#deps, business)
  }

  async exists(businessId: string): Promise<boolean> {
    return (await findBusiness(this.#deps.db.shared, businessId)) !== undefined
  }

  tenants(): AsyncGenerator<BusinessProfile> {
    return allTenants(this.#deps.db)
  }

  createKey(key: ApiKeyRequest): Promise<{ keyId: string; apiKey: string }> {
    return createApiKey(this.#deps.db, key)
  }

  keys(): AsyncGenerator<ApiKey> {
    return allApiKeys(this.#deps.db)
  }

  revokeKey(keyId: string): Promise<void> {
    return revokeApiKey(this.#deps.db, keyId)
  }

  ownKeys(caller: Caller, filter: string | undefined, page: PageRequest): Promise<object> {
    return ownKeysPage(this.#deps.db, caller, filter, page)
  }

  createOwnKey(caller: Caller, key: OwnKeyRequest): Promise<object> {
    return createOwnKey(this.#deps.db, caller, key)
  }

  revokeOwnKey(caller: Caller, keyId: string): Promise<object> {
    return revokeOwnKey(this.#deps.db, caller, keyId)
  }

  lostRight(caller: Pick<Caller, 'businessId' | 'actor'>, scope: Scope): ReturnType<typeof lostRightOfKey> {
    return lostRightOfKey(this.#deps.db, caller, scope)
  }

  tenantOf(subject: NamedTenant | App | { readonly keyId: string }): Promise<string | undefined> {
    const { shared } = this.#deps.db
    if ('code' in subject) return findTenant(shared, subject)
    if ('appId' in subject) return findTenantOfApp(shared, subject.appId, subject.environment)
    return findTenantOfKey(shared, subject.keyId)
  }

  publicKey(caller: Caller, use: KeyUse): Promise<RegisteredKey> {
    return getRegisteredKey(this.#deps.db, caller, use)
  }

  encryptionKey(app: App): Promise<PublicJwk | null> {
    return findRegisteredKey(this.#deps.db, app, 'encryption')
  }

  registerKey(caller: Caller, use: KeyUse, key: PublicJwk): Promise<RegisteredKey> {
    return registerPublicKey(this.#deps.db, caller, use, key)
  }

  removeKey(caller: Caller, use: KeyUse): Promise<object> {
    return removePublicKey(this.#deps.db, caller, use)
  }

  removeSigningKey(app: App): Promise<void> {
    return removeSigningKey(this.#deps.db, app)
  }
}
