import { createPublicKey, type KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { realClock, realNowMs } from '#kernel/clock'
import type { Database } from '#platform/database'
import { scheduleDue } from '#platform/due-work'
import type { Authenticate, AuthenticationRequest, Principal } from '#platform/http/admission'
import { platformErrors } from '#platform/http/errors'
import { hashOfApiKey, isApiKey } from './api-key.ts'
import { NONCE_PURGE } from './due.ts'
import { errors } from './errors.ts'
import { findKeyHolder, insertNonce, type KeyHolder, markKeyUsed } from './repository.ts'
import { SIGNATURE_WINDOW_MS, verifyRequestSignature } from './request-signature.ts'

/**
 * How long a process may act on what it knows of a key. Whoever revokes a key or registers a signing key
 * waits this long before saying that it is done (docs/decisions/0003).
 */
const PRINCIPAL_TTL_MS = 250
/** About 10 MB: keys in use at the same time, unknown ones included. */
const MOST_KNOWN_KEYS = 10_000
const LAST_USE_RESOLUTION_MS = 60_000

/** Resolves when no process acts any more on what it knew when this was called. */
export function principalsForgotten(): Promise<void> {
  return sleep(PRINCIPAL_TTL_MS + 25)
}

interface KnownKey {
  readonly holder: Promise<HolderWithKey | undefined>
  readonly untilMs: number
}

interface HolderWithKey extends KeyHolder {
  readonly principal: Principal
  /** Present when the app must sign. */
  readonly verificationKey: KeyObject | undefined
}

export interface AuthenticatorNeeds {
  readonly db: Database
  /** What callers may have signed as the target's address. */
  readonly publicUrl: () => string
}

/** Finds out who is calling (decisions, section 2). */
export class Authenticator {
  readonly #db: Database
  readonly #publicUrl: () => string
  readonly #known = new Map<string, KnownKey>()

  constructor(needs: AuthenticatorNeeds) {
    this.#db = needs.db
    this.#publicUrl = needs.publicUrl
  }

  /** Proves who is calling, or throws 401. */
  readonly authenticate: Authenticate = async (request) => {
    const apiKey = bearerOf(request)
    if (!isApiKey(apiKey)) throw platformErrors.unauthenticated()
    const holder = await this.#holderOf(hashOfApiKey(apiKey))
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
      await scheduleDue(tx, NONCE_PURGE, expiresAt, 'real')
      return true
    })
    if (!isNew) throw errors.signature_replayed()
  }

  /** From memory for at most PRINCIPAL_TTL_MS; requests that come meanwhile wait for the same look-up. */
  async #holderOf(hash: string): Promise<HolderWithKey | undefined> {
    const nowMs = realNowMs()
    const known = this.#known.get(hash)
    // A real clock that was set back must not prolong what is known.
    if (known !== undefined && nowMs < known.untilMs && nowMs >= known.untilMs - PRINCIPAL_TTL_MS) {
      return known.holder
    }
    const holder = this.#lookUp(hash)
    this.#known.delete(hash)
    if (this.#known.size >= MOST_KNOWN_KEYS) this.#forgetOldest()
    this.#known.set(hash, { holder, untilMs: nowMs + PRINCIPAL_TTL_MS })
    holder.catch(() => this.#known.delete(hash))
    return holder
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

  #forgetOldest(): void {
    const [oldest] = this.#known.keys()
    if (oldest !== undefined) this.#known.delete(oldest)
  }
}

function bearerOf(request: AuthenticationRequest): string {
  const [, apiKey] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (apiKey === undefined) throw platformErrors.unauthenticated()
  return apiKey
}
