import { createPublicKey, type KeyObject } from 'node:crypto'
import { realClock, realNowMs } from '#kernel/clock'
import type { Database } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import type { Authenticate, AuthenticationRequest, Principal } from '#platform/http/authorization'
import { platformErrors } from '#platform/errors'
import { hashOfApiKey, isApiKey } from '../model/api-key.ts'
import { LookupCache } from './lookup-cache.ts'
import { NONCE_PURGE } from '../job-names.ts'
import { errors } from '../errors.ts'
import { findApiKeyOwner, insertNonce, type ApiKeyOwner, markKeyUsed } from '../storage/repository.ts'
import { SIGNATURE_WINDOW_MS, verifyRequestSignature } from './request-signature.ts'

/** A key costs one write a minute, however often it is used. */
const LAST_USE_RESOLUTION_MS = 60_000

interface AuthenticatedOwner extends ApiKeyOwner {
  readonly principal: Principal
  readonly verificationKey: KeyObject | undefined
}

export interface AuthenticatorDependencies {
  readonly db: Database
  /** The origin that callers may have signed instead of the Host header's. */
  readonly publicUrl: () => string
}

export class Authenticator {
  readonly #db: Database
  readonly #publicUrl: () => string
  readonly #owners = new LookupCache<AuthenticatedOwner | undefined>()

  constructor(deps: AuthenticatorDependencies) {
    this.#db = deps.db
    this.#publicUrl = deps.publicUrl
  }

  readonly authenticate: Authenticate = async (request) => {
    const apiKey = bearerOf(request)
    if (!isApiKey(apiKey)) throw platformErrors.unauthenticated()
    const hash = hashOfApiKey(apiKey)
    const owner = await this.#owners.get(hash, () => this.#lookUp(hash))
    if (owner === undefined) throw platformErrors.unauthenticated()
    if (owner.expiresAt !== null && owner.expiresAt.epochMilliseconds <= realNowMs()) {
      throw errors.api_key_expired()
    }
    if (owner.verificationKey !== undefined && request.isBodyUnread !== true) {
      await this.#requireSignature(request, owner, owner.verificationKey)
    }
    return owner.principal
  }

  async #requireSignature(request: AuthenticationRequest, owner: ApiKeyOwner, key: KeyObject): Promise<void> {
    const { nonce, createdAtMs } = await verifyRequestSignature(request, key, this.#publicUrl())
    // The nonce is kept longer than any signature with this `created` is accepted.
    const expiresAt = Temporal.Instant.fromEpochMilliseconds(createdAtMs + 2 * SIGNATURE_WINDOW_MS)
    // Both environments share the nonces: an app may register the same key in both, and a request signed for test must not
    // be replayed in live.
    const isNew = await this.#db.transact(owner.nonceBusinessId, async (tx) => {
      if (!(await insertNonce(tx, { appId: owner.appId, nonce, expiresAt }))) return false
      await scheduleJob(tx, NONCE_PURGE, expiresAt, 'real')
      return true
    })
    if (!isNew) throw errors.signature_replayed()
  }

  async #lookUp(hash: string): Promise<AuthenticatedOwner | undefined> {
    const owner = await findApiKeyOwner(this.#db.shared, hash)
    if (owner === undefined) return undefined
    this.#recordUse(owner)
    const { keyId, businessId, businessCode, environment, appId, scopes, signingKey } = owner
    const actor = { type: 'api_key', id: keyId } as const
    return {
      ...owner,
      principal: { businessId, businessCode, environment, appId, actor, scopes: new Set(scopes) },
      verificationKey:
        signingKey === null ? undefined : createPublicKey({ key: JSON.parse(signingKey), format: 'jwk' }),
    }
  }

  /** Runs in the background. If it fails, the next use records it. */
  #recordUse(owner: ApiKeyOwner): void {
    const now = realClock.now()
    const lastUsedMs = owner.lastUsedAt?.epochMilliseconds ?? 0
    if (now.epochMilliseconds - lastUsedMs < LAST_USE_RESOLUTION_MS) return
    markKeyUsed(this.#db.shared, owner.keyId, now).catch(() => {})
  }
}

function bearerOf(request: AuthenticationRequest): string {
  const [, apiKey] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (apiKey === undefined) throw platformErrors.unauthenticated()
  return apiKey
}
