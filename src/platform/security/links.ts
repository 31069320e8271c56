import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Instant, isBefore, realClock, realNowMs } from '#kernel/clock'
import type { Keyring } from '#platform/security/keyring'

/**
 * Links to pages of ours that only we can have made: to pay an order, to fetch its document, to
 * verify a card. They carry the tenant, since whoever follows them has no key.
 *
 * `<public url>/<purpose>/<object>.<tenant>.<expiry>.<key id>.<signature>`: readable in a log, short
 * enough for a QR code, and nothing in it needs escaping.
 */
export type LinkPurpose = 'payment' | 'download' | 'verification'

export interface LinkTarget {
  readonly businessId: string
  readonly purpose: LinkPurpose
  /** The object's id: letters, digits, `_` and `-`. */
  readonly id: string
}

export interface SignedLink extends LinkTarget {
  readonly expiresAt: Instant
  /** The signature is ours, and its 30 days are over: answered with 410. */
  readonly expired: boolean
}

/** On the real clock (decisions, section 2), so that moving a sandbox's clock closes no page. */
const LINK_DAYS = 30
const DAY_MS = 86_400_000
/** 128 bits, in base64url. */
const SIGNATURE_LENGTH = 22
/** The key is only a hint where to look: half of its id tells the keys of a ring apart. */
const KEY_HINT_LENGTH = 8
const MAX_TOKEN_LENGTH = 300
const WORD = /^[A-Za-z0-9_-]+$/

const PATHS: Readonly<Record<LinkPurpose, string>> = {
  payment: 'pay',
  download: 'documents',
  verification: 'verify',
}

export class Links {
  readonly #keyring: Keyring
  readonly #publicUrl: () => string

  /** @param publicUrl what links begin with, without a slash at its end; asked each time, since the port may be known late */
  constructor(keyring: Keyring, publicUrl: () => string) {
    this.#keyring = keyring
    this.#publicUrl = publicUrl
  }

  /** What a browser finds our own paths under: the path of the public URL, which a proxy takes away; '' without one. */
  get basePath(): string {
    return new URL(this.#publicUrl()).pathname.replace(/\/+$/, '')
  }

  /** The path of a link that was made before, as the browser has it. */
  pathOf(purpose: LinkPurpose, token: string): string {
    return `${this.basePath}/${PATHS[purpose]}/${token}`
  }

  /** The whole address of a link, good for 30 real days. */
  make(target: LinkTarget): string {
    return this.addressOf(target.purpose, this.tokenOf(target))
  }

  /** The whole address of a link that was made before, by the last part of its path. */
  addressOf(purpose: LinkPurpose, token: string): string {
    return `${this.#publicUrl()}/${PATHS[purpose]}/${token}`
  }

  /** The last part of the link's path. */
  tokenOf(target: LinkTarget): string {
    if (!WORD.test(target.id) || !WORD.test(target.businessId)) throw new Error('a link needs plain ids')
    // To the hour, so that a link made twice in a row is the same.
    const hour = 3_600_000
    const expiresAtMs = Math.ceil((realNowMs() + LINK_DAYS * DAY_MS) / hour) * hour
    const expiry = Math.floor(expiresAtMs / 1_000).toString(36)
    const [key] = this.#keyring.derivedKeys('links')
    if (key === undefined) throw new Error('there is no key to sign links with')
    const hint = key.id.slice(0, KEY_HINT_LENGTH)
    const signature = sign(key.secret, target.purpose, `${target.id}.${target.businessId}.${expiry}`)
    return `${target.id}.${target.businessId}.${expiry}.${hint}.${signature}`
  }

  /** What a link of this purpose leads to; null when we did not make it. */
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

/** Without telling by its duration how far the two are the same. */
function isEqual(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
