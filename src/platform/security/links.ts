import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Instant, isBefore, realClock, realNowMs } from '#kernel/clock'
import { DAY_MS } from '#kernel/time-units'
import type { Keyring } from '#platform/security/keyring'

/**
 * Signed links to our pages: pay an order, download its document, verify a card, unsubscribe from messages. A link names its tenant, because whoever
 * follows it has no API key. Its form is `<public url>/<purpose>/<object>.<tenant>.<expiry>.<key id>.<signature>`: short enough
 * for a QR code, with nothing that needs escaping.
 */
export type LinkPurpose = 'payment' | 'download' | 'verification' | 'unsubscribe'

export interface LinkTarget {
  readonly businessId: string
  readonly purpose: LinkPurpose
  readonly id: string
}

export interface SignedLink extends LinkTarget {
  readonly expiresAt: Instant
  readonly expired: boolean
}

/** On the real clock, so that advancing a sandbox's clock closes no page (reference/conventions#two-clocks). */
export const LINK_DAYS = 30
/** 132 bits of the HMAC in base64url. */
const SIGNATURE_LENGTH = 22
/** Finds one of a few keys; the signature proves it. */
const KEY_HINT_LENGTH = 8
const MAX_TOKEN_LENGTH = 300
const WORD = /^[A-Za-z0-9_-]+$/

const PATHS: Readonly<Record<LinkPurpose, string>> = {
  payment: 'pay',
  download: 'documents',
  verification: 'verify',
  unsubscribe: 'unsubscribe',
}

export class Links {
  readonly #keyring: Keyring
  readonly #publicUrl: () => string

  /** @param publicUrl without a trailing slash; a function, because the port may not be known yet */
  constructor(keyring: Keyring, publicUrl: () => string) {
    this.#keyring = keyring
    this.#publicUrl = publicUrl
  }

  /** The path of the public URL, which a proxy strips before requests reach us; '' without one. */
  get basePath(): string {
    return new URL(this.#publicUrl()).pathname.replace(/(?<!\/)\/+$/, '')
  }

  pathOf(purpose: LinkPurpose, token: string): string {
    return `${this.basePath}/${PATHS[purpose]}/${token}`
  }

  make(target: LinkTarget): string {
    return this.addressOf(target.purpose, this.tokenOf(target))
  }

  addressOf(purpose: LinkPurpose, token: string): string {
    return `${this.#publicUrl()}/${PATHS[purpose]}/${token}`
  }

  tokenOf(target: LinkTarget): string {
    if (!WORD.test(target.id) || !WORD.test(target.businessId))
      throw new Error('the ids of a link must not need escaping')
    // Rounded to the hour, so that consecutive links to the same object are equal.
    const hour = 3_600_000
    const expiresAtMs = Math.ceil((realNowMs() + LINK_DAYS * DAY_MS) / hour) * hour
    const expiry = Math.floor(expiresAtMs / 1_000).toString(36)
    const [key] = this.#keyring.derivedKeys('links')
    if (key === undefined) throw new Error('the keyring is empty')
    const hint = key.id.slice(0, KEY_HINT_LENGTH)
    const signature = sign(key.secret, target.purpose, `${target.id}.${target.businessId}.${expiry}`)
    return `${target.id}.${target.businessId}.${expiry}.${hint}.${signature}`
  }

  read(purpose: LinkPurpose, token: string): SignedLink | null {
    if (token.length > MAX_TOKEN_LENGTH) return null
    const [id, businessId, expiry, hint, signature, ...more] = token.split('.')
    if (id === undefined || businessId === undefined || expiry === undefined || signature === undefined)
      return null
    if (more.length > 0 || !/^[0-9a-z]{1,9}$/.test(expiry)) return null
    const keys = this.#keyring.derivedKeys('links')
    const signed = `${id}.${businessId}.${expiry}`
    const isOurs = keys.some(
      (key) =>
        key.id.slice(0, KEY_HINT_LENGTH) === hint && isEqual(sign(key.secret, purpose, signed), signature),
    )
    if (!isOurs) return null
    const expiresAt = Temporal.Instant.fromEpochMilliseconds(Number.parseInt(expiry, 36) * 1_000)
    const expired = !isBefore(realClock.now(), expiresAt)
    return { businessId, purpose, id, expiresAt, expired }
  }
}

function sign(key: Buffer, purpose: LinkPurpose, signed: string): string {
  return createHmac('sha256', key)
    .update(`quittance link ${purpose} ${signed}`)
    .digest('base64url')
    .slice(0, SIGNATURE_LENGTH)
}

function isEqual(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
