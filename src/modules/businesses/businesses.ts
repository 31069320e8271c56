import type { Caller } from '#platform/caller'
import type { Job } from '#platform/jobs/jobs'
import { BriefMemory } from './authentication/brief-memory.ts'
import type { ApiKey, App, BusinessProfile, NamedTenant, NewBusiness } from './profiles/business.ts'
import { type ApiKeyRequest, createApiKey } from './keys/create-api-key.ts'
import { createBusiness } from './profiles/create-business.ts'
import { noncePurge } from './jobs.ts'
import { allApiKeys, allTenants, findRegisteredKey, getBusiness, getRegisteredKey } from './api/look-up.ts'
import type { BusinessesDependencies } from './dependencies.ts'
import type { KeyUse, PublicJwk, RegisteredKey } from './authentication/public-key.ts'
import { registerPublicKey } from './authentication/register-public-key.ts'
import { removePublicKey } from './authentication/remove-public-key.ts'
import { removeSigningKey } from './authentication/remove-signing-key.ts'
import { findBusiness } from './storage/repository.ts'
import { revokeApiKey } from './keys/revoke-api-key.ts'
import {
  rotateWebhookSecret,
  showWebhookSecret,
  type WebhookSecret,
  webhookSecrets,
} from './webhook-secrets/webhook-secret.ts'

const MAX_PROFILES_KEPT = 10_000

/** Businesses, their apps and their keys. Made once, in compose.ts. */
export class Businesses {
  readonly #deps: BusinessesDependencies
  readonly #profiles = new Map<string, BusinessProfile>()
  readonly #webhookSecrets = new BriefMemory<readonly string[]>()

  readonly jobs: readonly Job[]

  constructor(deps: BusinessesDependencies) {
    this.#deps = deps
    this.jobs = [noncePurge(deps.db)]
  }

  /** What never changes of a tenant; kept in memory. Throws when there is no such tenant. */
  async profile(businessId: string): Promise<BusinessProfile> {
    const known = this.#profiles.get(businessId)
    if (known !== undefined) return known
    const profile = await getBusiness(this.#deps.db, businessId)
    if (this.#profiles.size >= MAX_PROFILES_KEPT) this.#profiles.clear()
    this.#profiles.set(businessId, profile)
    return profile
  }

  /**
   * The secrets that sign what is sent to `notify_url` and `callback_url` (Standard Webhooks, `whsec_…`), newest first: two
   * for 24 hours after a rotation.
   */
  webhookSecrets(businessId: string): Promise<readonly string[]> {
    return this.#webhookSecrets.get(businessId, () => webhookSecrets(this.#deps, businessId))
  }

  /** The newest of them, for the operator. Throws `CannotDo`. */
  showWebhookSecret(tenant: NamedTenant): Promise<WebhookSecret> {
    return showWebhookSecret(this.#deps, tenant)
  }

  /** Puts a new one in front, and answers once every process signs with it. Throws `CannotDo`. */
  rotateWebhookSecret(tenant: NamedTenant): Promise<WebhookSecret> {
    return rotateWebhookSecret(this.#deps, tenant)
  }

  /** Stores what `prepareBusiness` made. */
  create(business: NewBusiness): Promise<void> {
    return createBusiness(this.#deps, business)
  }

  async exists(businessId: string): Promise<boolean> {
    return (await findBusiness(this.#deps.db.shared, businessId)) !== undefined
  }

  /** Every tenant, page by page. */
  tenants(): AsyncGenerator<BusinessProfile> {
    return allTenants(this.#deps.db)
  }

  /** Makes an API key; it is shown once. Throws `CannotDo`. */
  createKey(key: ApiKeyRequest): Promise<{ keyId: string; apiKey: string }> {
    return createApiKey(this.#deps.db, key)
  }

  /** Every API key ever made, oldest first. */
  keys(): AsyncGenerator<ApiKey> {
    return allApiKeys(this.#deps.db)
  }

  /** Revokes an API key, and answers once every process refuses it. Throws `CannotDo`. */
  revokeKey(keyId: string): Promise<void> {
    return revokeApiKey(this.#deps.db, keyId)
  }

  /** The key that the caller's app registered; 404 when none. */
  publicKey(caller: Caller, use: KeyUse): Promise<RegisteredKey> {
    return getRegisteredKey(this.#deps.db, caller, use)
  }

  /** The key that card numbers for this app are encrypted to, or null. */
  encryptionKey(app: App): Promise<PublicJwk | null> {
    return findRegisteredKey(this.#deps.db, app, 'encryption')
  }

  /** Registers a key in place of any before it. Answers once every process goes by it. */
  registerKey(caller: Caller, use: KeyUse, key: PublicJwk): Promise<RegisteredKey> {
    return registerPublicKey(this.#deps.db, caller, use, key)
  }

  /** Takes the key away: of a signing key, requests need no signature any more. 404 when there is none. */
  removeKey(caller: Caller, use: KeyUse): Promise<object> {
    return removePublicKey(this.#deps.db, caller, use)
  }

  /** Takes an app's signing key away without a request that it signed. Throws `CannotDo`. */
  removeSigningKey(app: App): Promise<void> {
    return removeSigningKey(this.#deps.db, app)
  }
}
