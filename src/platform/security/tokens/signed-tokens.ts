import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Instant, isBefore, realClock } from '#kernel/clock'
import type { Keyring } from '#platform/security/keyring'

export interface TokenClaims {
  readonly businessId: string
  readonly id: string
  readonly expiresAt: Instant
}

/** Finds one of a few keys; the signature proves it. */
const KEY_HINT_LENGTH = 8
const MAX_LENGTH = 300
const WORD = /^[A-Za-z0-9_-]+$/

/**
 * Short-lived proofs that are stored nowhere. A token of one purpose is worth nothing for another. Its form is
 * `<id>.<tenant>.<expiry>.<key id>.<signature>`.
 */
export class SignedTokens {
  readonly #keyring: Pick<Keyring, 'derivedKeys'>
  readonly #purpose: string

  constructor(keyring: Pick<Keyring, 'derivedKeys'>, purpose: string) {
    this.#keyring = keyring
    this.#purpose = purpose
  }

  make({ businessId, id, expiresAt }: TokenClaims): string {
    if (!WORD.test(id) || !WORD.test(businessId)) throw new Error('the ids of a token must not need escaping')
    const [key] = this.#keyring.derivedKeys(this.#purpose)
    if (key === undefined) throw new Error('the keyring is empty')
    const signed = `${id}.${businessId}.${expiresAt.epochMilliseconds.toString(36)}`
    return `${signed}.${key.id.slice(0, KEY_HINT_LENGTH)}.${sign(key.secret, signed)}`
  }

  read(token: string): TokenClaims | null {
    if (token.length > MAX_LENGTH) return null
    const [id, businessId, expiry = '', hint, signature, ...more] = token.split('.')
    if (id === undefined || businessId === undefined || signature === undefined || more.length > 0)
      return null
    if (!/^[0-9a-z]{1,9}$/.test(expiry)) return null
    const signed = `${id}.${businessId}.${expiry}`
    const isOurs = this.#keyring
      .derivedKeys(this.#purpose)
      .some(
        (key) => key.id.slice(0, KEY_HINT_LENGTH) === hint && isEqual(sign(key.secret, signed), signature),
      )
    if (!isOurs) return null
    const expiresAt = Temporal.Instant.fromEpochMilliseconds(Number.parseInt(expiry, 36))
    return isBefore(realClock.now(), expiresAt) ? { businessId, id, expiresAt } : null
  }
}

function sign(secret: Buffer, signed: string): string {
  return createHmac('sha256', secret).update(signed).digest('base64url')
}

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
