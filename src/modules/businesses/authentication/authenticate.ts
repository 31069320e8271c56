import { createPublicKey, type KeyObject } from 'node:crypto'
import { realClock, realNowMs } from '#kernel/clock'
import type { Database } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import type { Authenticate, AuthenticationRequest, Principal } from '#platform/http/admission'
import { platformErrors } from '#platform/errors'
import { hashOfApiKey, isApiKey } from '../keys/api-key.ts'
import { BriefMemory } from './brief-memory.ts'
import { NONCE_PURGE } from '../job-kinds.ts'
import { errors } from '../api/errors.ts'
import { findKeyHolder, insertNonce, type KeyHolder, markKeyUsed } from '../storage/repository.ts'
import { SIGNATURE_WINDOW_MS, verifyRequestSignature } from './request-signature.ts'

const LAST_USE_RESOLUTION_MS = 60_000

interface HolderWithKey extends KeyHolder {
  readonly principal: Principal
  /** Present when the app must sign. */
  readonly verificationKey: KeyObject | undefined
}

export interface AuthenticatorDependencies {
  readonly db: Database
  /** What callers may have signed as the target's address. */
  readonly publicUrl: () => string
}

/** Finds out who is calling (decisions, section 2). */
export class Authenticator {
  readonly #db: Database
  readonly #publicUrl: () => string
  readonly #holders = new BriefMemory<HolderWithKey | undefined>()

  constructor(deps: AuthenticatorDependencies) {
    this.#db = deps.db
    this.#publicUrl = deps.publicUrl
  }

  /** Proves who is calling, or throws 401. */
  readonly authenticate: Authenticate = async (request) => {
    const apiKey = bearerOf(request)
    if (!isApiKey(apiKey)) throw platformErrors.unauthenticated()
    const hash = hashOfApiKey(apiKey)
    const holder = await this.#holders.get(hash, () => this.#lookUp(hash))
    if (holder === undefined) throw platformErrors.unauthenticated()
    if (holder.expiresAt !== null && holder.expiresAt.epochMilliseconds <= realNowMs()) {
      throw errors.api_key_expired()
    }
    if (holder.verificationKey !== undefined) {
      await this.#requireSignature(request, holder, holder.verificationKey)
    }
    return holder.principal
  }

  async #requireSignature(request: AuthenticationRequest, holder: KeyHolder, key: KeyObject): Promise<void> {
    const { nonce, createdAtMs } = await verifyRequestSignature(request, key, this.#publicUrl())
    // As long as `created` would be accepted, and a little more.
    const expiresAt = Temporal.Instant.fromEpochMilliseconds(createdAtMs + 2 * SIGNATURE_WINDOW_MS)
    // One place for both environments: the app may have registered one key in both, and then what it signed for test
    // would be valid in live.
    const isNew = await this.#db.transact(holder.noncesBusinessId, async (tx) => {
      if (!(await insertNonce(tx, { appId: holder.appId, nonce, expiresAt }))) return false
      await scheduleJob(tx, NONCE_PURGE, expiresAt, 'real')
      return true
    })
    if (!isNew) throw errors.signature_replayed()
  }

  async #lookUp(hash: string): Promise<HolderWithKey | undefined> {
    const holder = await findKeyHolder(this.#db.shared, hash)
    if (holder === undefined) return undefined
    this.#noteUse(holder)
    const { businessId, businessCode, environment, appId, scopes, signingKey } = holder
    return {
      ...holder,
      principal: { businessId, businessCode, environment, appId, scopes: new Set(scopes) },
      verificationKey:
        signingKey === null ? undefined : createPublicKey({ key: JSON.parse(signingKey), format: 'jwk' }),
    }
  }

  /** Beside the request: when it fails, the next use notes it. */
  #noteUse(holder: KeyHolder): void {
    const now = realClock.now()
    const lastUsedMs = holder.lastUsedAt?.epochMilliseconds ?? 0
    if (now.epochMilliseconds - lastUsedMs < LAST_USE_RESOLUTION_MS) return
    markKeyUsed(this.#db.shared, holder.keyId, now).catch(() => {})
  }
}

function bearerOf(request: AuthenticationRequest): string {
  const [, apiKey] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (apiKey === undefined) throw platformErrors.unauthenticated()
  return apiKey
}
