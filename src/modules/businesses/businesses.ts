import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Instant } from '#kernel/clock'
import { type Currency, isCurrency } from '#kernel/currencies'
import { newId } from '#kernel/ids'
import { parseTimeZone, type TimeZone } from '#kernel/time-zone'
import type { Caller, Environment } from '#platform/caller'
import type { Database } from '#platform/database'
import type { Scope } from '#platform/http/route'
import { once } from '#platform/idempotency'
import type { Keyring, SealBinding } from '#platform/keyring'
import { newSigningSecret } from '#platform/standard-webhooks'
import { hashOfApiKey, newApiKey } from './api-key.ts'
import { PRINCIPAL_TTL_MS } from './authenticate.ts'
import type { ApiKey, BusinessProfile, NewBusiness } from './business.ts'
import { CannotDo } from './cannot-do.ts'
import { errors } from './errors.ts'
import { type KeyUse, type PublicJwk, readPublicKey, thumbprint } from './public-key.ts'
import * as repository from './repository.ts'
import { SCOPES } from './scopes.ts'

const DEFAULT_TIME_ZONE = 'Asia/Hong_Kong'
const DEFAULT_CURRENCY = 'HKD'
const LONGEST_NAME = 255
/**
 * Two valid at a time is what a rotation needs; an app may also have keys of different scopes. The bound
 * is there so that a script gone wrong is noticed.
 */
const MOST_ACTIVE_KEYS = 100
const PAGE = 500
const MOST_PROFILES_KEPT = 10_000
/** A little more than processes keep a key for. */
const PRINCIPALS_FORGOTTEN_MS = PRINCIPAL_TTL_MS + 25

export interface BusinessesNeeds {
  readonly db: Database
  readonly keyring: Keyring
}

/** Businesses, their apps and their keys. */
export class Businesses {
  readonly #db: Database
  readonly #keyring: Keyring
  readonly #profiles = new Map<string, BusinessProfile>()

  constructor(needs: BusinessesNeeds) {
    this.#db = needs.db
    this.#keyring = needs.keyring
  }

  /** What never changes of a tenant; kept in memory. Throws when there is no such tenant. */
  async profile(businessId: string): Promise<BusinessProfile> {
    const known = this.#profiles.get(businessId)
    if (known !== undefined) return known
    const { sealedSecret: _, ...profile } = await this.#find(businessId)
    if (this.#profiles.size >= MOST_PROFILES_KEPT) this.#profiles.clear()
    this.#profiles.set(businessId, profile)
    return profile
  }

  /** The secret that signs what is sent to `notify_url` and `callback_url` (Standard Webhooks, `whsec_…`). */
  async webhookSecret(businessId: string): Promise<string> {
    const { sealedSecret } = await this.#find(businessId)
    return this.#keyring.open(sealedSecret, secretBinding(businessId))
  }

  async #find(businessId: string): Promise<BusinessProfile & { readonly sealedSecret: string }> {
    const business = await repository.findBusiness(this.#db.shared, businessId)
    if (business === undefined) throw new Error(`no business ${businessId}`)
    return business
  }

  /** Stores what `prepareBusiness` made. */
  async create(business: NewBusiness): Promise<void> {
    const { test, live } = business
    const sealedSecrets = {
      test: this.#keyring.seal(test.webhookSecret, secretBinding(test.businessId)),
      live: this.#keyring.seal(live.webhookSecret, secretBinding(live.businessId)),
    }
    const keyHash = hashOfApiKey(business.apiKey)
    await retryOnTakenNumber(() =>
      repository.insertBusiness(this.#db.shared, { ...business, sealedSecrets, keyHash, scopes: SCOPES }),
    )
  }

  async exists(businessId: string): Promise<boolean> {
    return (await repository.findBusiness(this.#db.shared, businessId)) !== undefined
  }

  /** Every tenant, page by page. */
  async *tenants(): AsyncGenerator<BusinessProfile> {
    let page: Awaited<ReturnType<typeof repository.businessesAfter>>
    let afterId = ''
    do {
      page = await repository.businessesAfter(this.#db.shared, afterId, PAGE)
      for (const { sealedSecret: _, ...profile } of page) yield profile
      afterId = page.at(-1)?.businessId ?? ''
    } while (page.length === PAGE)
  }

  /** Makes a key; it is shown once. Throws `CannotDo`. */
  async createKey(key: {
    readonly appId: string
    readonly environment: Environment
    readonly scopes: readonly Scope[]
    readonly expiresAt: Instant | null
  }): Promise<{ keyId: string; apiKey: string }> {
    const environments = await repository.findAppEnvironments(this.#db.shared, key.appId)
    if (!environments.includes(key.environment)) throw new CannotDo(`There is no app ${key.appId}.`)
    const keyId = newId('key')
    const apiKey = newApiKey(key.environment)
    const stored = { ...key, keyId, hash: hashOfApiKey(apiKey) }
    if (await repository.insertApiKey(this.#db.shared, stored, MOST_ACTIVE_KEYS)) return { keyId, apiKey }
    throw new CannotDo(`The app has ${MOST_ACTIVE_KEYS} active ${key.environment} keys: revoke one first.`)
  }

  /** Every key ever made, oldest first. */
  async *keys(): AsyncGenerator<ApiKey> {
    let page: ApiKey[]
    let afterId = ''
    do {
      page = await repository.apiKeysAfter(this.#db.shared, afterId, PAGE)
      yield* page
      afterId = page.at(-1)?.keyId ?? ''
    } while (page.length === PAGE)
  }

  /** Revokes a key, and answers once every process refuses it. Throws `CannotDo`. */
  async revokeKey(keyId: string): Promise<void> {
    if (!(await repository.revokeApiKey(this.#db.shared, keyId)))
      throw new CannotDo(`There is no key ${keyId}.`)
    await sleep(PRINCIPALS_FORGOTTEN_MS)
  }

  /** The key that the caller's app registered; 404 when none. */
  async publicKey(caller: Caller, use: KeyUse): Promise<RegisteredKey> {
    const json = await repository.findPublicKey(this.#db.shared, caller, use)
    if (json === null) throw notFound(use)
    return registered(JSON.parse(json) as PublicJwk)
  }

  /** The key that card numbers for this app are encrypted to, or null. */
  async encryptionKey(app: { appId: string; environment: Environment }): Promise<PublicJwk | null> {
    const json = await repository.findPublicKey(this.#db.shared, app, 'encryption')
    return json === null ? null : (JSON.parse(json) as PublicJwk)
  }

  /** Registers a key in place of any before it. Answers once every process goes by it. */
  async registerKey(caller: Caller, use: KeyUse, key: PublicJwk): Promise<RegisteredKey> {
    readPublicKey(use, key)
    const answer = await once(this.#db, caller, async (tx) => {
      await repository.setPublicKey(tx, caller, use, key)
      return registered(key)
    })
    if (use === 'signing') await sleep(PRINCIPALS_FORGOTTEN_MS)
    return answer
  }

  /** Takes the key away: of a signing key, requests need no signature any more. 404 when there is none. */
  async removeKey(caller: Caller, use: KeyUse): Promise<object> {
    await this.publicKey(caller, use)
    await this.#db.transact(caller.businessId, (tx) => repository.setPublicKey(tx, caller, use, null))
    if (use === 'signing') await sleep(PRINCIPALS_FORGOTTEN_MS)
    return {}
  }

  /** Puts all webhook secrets under the newest encryption key. Harmless to repeat. */
  async rewrapSecrets(): Promise<number> {
    let page: Awaited<ReturnType<typeof repository.businessesAfter>>
    let afterId = ''
    let rewrapped = 0
    do {
      page = await repository.businessesAfter(this.#db.shared, afterId, PAGE)
      for (const { businessId, sealedSecret } of page) {
        const to = this.#keyring.rewrap(sealedSecret, secretBinding(businessId))
        if (to === sealedSecret) continue
        const change = { businessId, from: sealedSecret, to }
        if (await repository.replaceSealedSecret(this.#db.shared, change)) rewrapped++
      }
      afterId = page.at(-1)?.businessId ?? ''
    } while (page.length === PAGE)
    return rewrapped
  }
}

export interface RegisteredKey {
  readonly key: PublicJwk
  /** RFC 7638, SHA-256 in base64url. */
  readonly thumbprint: string
}

/** Makes the ids and secrets of a new business. Throws `CannotDo`. */
export function prepareBusiness(options: {
  readonly name: string
  readonly timeZone?: TimeZone
  readonly currency?: Currency
}): NewBusiness {
  const name = options.name.trim()
  if (name === '' || name.length > LONGEST_NAME) {
    throw new CannotDo(`A business's name has 1 to ${LONGEST_NAME} characters.`)
  }
  const timeZone = parseTimeZone(options.timeZone ?? DEFAULT_TIME_ZONE)
  if (timeZone === undefined) {
    throw new CannotDo(`${options.timeZone} is not an IANA time zone, such as Asia/Hong_Kong.`)
  }
  const currency = (options.currency ?? DEFAULT_CURRENCY).toUpperCase()
  if (!isCurrency(currency))
    throw new CannotDo(`${options.currency} is not an ISO 4217 currency, such as HKD.`)
  const environment = () => ({
    businessId: newId('biz'),
    webhookSecret: newSigningSecret(),
  })
  return {
    name,
    code: newId('mch'),
    timeZone,
    currency,
    appId: newId('app'),
    appName: 'default',
    test: environment(),
    live: environment(),
    keyId: newId('key'),
    apiKey: newApiKey('test'),
  }
}

function secretBinding(businessId: string): SealBinding {
  return { businessId, field: 'businesses.webhook_secret' }
}

function registered(key: PublicJwk): RegisteredKey {
  return { key, thumbprint: thumbprint(key) }
}

function notFound(use: KeyUse) {
  return use === 'signing' ? errors.signing_key_not_found() : errors.encryption_key_not_found()
}

/** Two businesses that are made at the same moment draw the same number. */
async function retryOnTakenNumber(insert: () => Promise<void>): Promise<void> {
  const UNIQUE_VIOLATION = '23505'
  const MOST_TRIES = 20
  for (let attempt = 1; ; attempt++) {
    try {
      return await insert()
    } catch (error) {
      const isTaken =
        error instanceof pg.DatabaseError &&
        error.code === UNIQUE_VIOLATION &&
        error.constraint === 'businesses_number_key'
      if (!isTaken || attempt === MOST_TRIES) throw error
    }
  }
}
