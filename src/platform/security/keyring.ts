import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { OperatorError } from '#kernel/operator-error'

/**
 * Envelope encryption of what must not be readable in the database: card numbers, secrets. Each
 * record has a data key of its own; the data key is wrapped by the newest key of the ring. AES-256-GCM
 * both times, with tenant and field as associated data, so that a sealed text moved to another
 * tenant's row or another column does not open. Rotating the ring rewraps the data keys only.
 *
 * A sealed text is `v1.<key id>.<wrapped data key>.<cipher text>`, base64url. It fits a text column.
 */
export interface SealBinding {
  readonly businessId: string
  /** Table and column, such as `payment_tokens.number`. */
  readonly field: string
}

const ALGORITHM = 'aes-256-gcm'
const VERSION = 'v1'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/** A sealed text is damaged, bound to something else, or its key is not in the ring. Says nothing of the content. */
export class CannotOpen extends OperatorError {
  constructor(reason: string) {
    super(`Cannot decrypt: ${reason}.`)
  }
}

/** Where the keys of the ring come from; see `platform/key-source.ts`. */
export interface KeySource {
  /** Newest first; never empty. The same array for as long as nothing changed. */
  keys(): readonly RingKey[]
  /** Looks again at once. */
  refresh(): void
}

export interface RingKey {
  /** Made from the key itself, so that the same key has the same id wherever it is configured. */
  readonly id: string
  readonly secret: Buffer
}

export class Keyring {
  readonly #source: KeySource
  readonly #derived = new Map<string, { from: readonly RingKey[]; keys: readonly RingKey[] }>()

  constructor(source: KeySource) {
    this.#source = source
  }

  /** The id of the key that new records are sealed under. */
  get newestKeyId(): string {
    return this.#newest().id
  }

  /** Those of the keys with these ids that the ring does not hold. */
  missing(ids: readonly string[]): string[] {
    const held = new Set(this.#source.keys().map((key) => key.id))
    return ids.filter((id) => !held.has(id))
  }

  seal(plain: string, bound: SealBinding): string {
    const dataKey = randomBytes(KEY_BYTES)
    const associated = associatedData(bound)
    const key = this.#newest()
    const wrapped = encrypt(key.secret, dataKey, associated)
    const text = encrypt(dataKey, Buffer.from(plain), associated)
    return [VERSION, key.id, wrapped, text].join('.')
  }

  /** Throws `CannotOpen`. */
  open(sealed: string, bound: SealBinding): string {
    const { keyId, wrapped, text } = parse(sealed)
    const associated = associatedData(bound)
    const dataKey = decrypt(this.#key(keyId).secret, wrapped, associated)
    return decrypt(dataKey, text, associated).toString()
  }

  /** The same record under the newest key; answers its argument when it is under it already. Throws `CannotOpen`. */
  rewrap(sealed: string, bound: SealBinding): string {
    const { keyId, wrapped, text } = parse(sealed)
    const newest = this.#newest()
    if (keyId === newest.id) return sealed
    const associated = associatedData(bound)
    const dataKey = decrypt(this.#key(keyId).secret, wrapped, associated)
    return [VERSION, newest.id, encrypt(newest.secret, dataKey, associated), text].join('.')
  }

  /** Keys for another purpose, one from each key of the ring, newest first (HKDF, RFC 5869). */
  derivedKeys(purpose: string): readonly RingKey[] {
    const from = this.#source.keys()
    const known = this.#derived.get(purpose)
    if (known?.from === from) return known.keys
    const keys = from.map(({ id, secret }) => ({
      id,
      secret: Buffer.from(hkdfSync('sha256', secret, '', `quittance ${purpose}`, KEY_BYTES)),
    }))
    this.#derived.set(purpose, { from, keys })
    return keys
  }

  #newest(): RingKey {
    const [newest] = this.#source.keys()
    if (newest === undefined) throw new Error('there is no encryption key')
    return newest
  }

  /** Another process may have put a new key into the ring a moment ago. */
  #key(id: string): RingKey {
    const find = (): RingKey | undefined => this.#source.keys().find((key) => key.id === id)
    const known = find()
    if (known !== undefined) return known
    this.#source.refresh()
    const key = find()
    if (key === undefined) throw new CannotOpen(`the encryption key ${id} is not configured`)
    return key
  }
}

/** The id of a key: the first 8 bytes of its hash. */
export function ringKey(secret: Buffer): RingKey {
  const id = createHash('sha256').update('quittance key id').update(secret).digest().subarray(0, 8)
  return { id: id.toString('hex'), secret }
}

function associatedData(bound: SealBinding): Buffer {
  return Buffer.from(JSON.stringify([VERSION, bound.businessId, bound.field]))
}

function parse(sealed: string): { keyId: string; wrapped: string; text: string } {
  const [version, keyId, wrapped, text, ...more] = sealed.split('.')
  if (
    version !== VERSION ||
    keyId === undefined ||
    wrapped === undefined ||
    text === undefined ||
    more.length > 0
  ) {
    throw new CannotOpen('not a sealed text')
  }
  return { keyId, wrapped, text }
}

/** IV, cipher text and tag in one. A data key encrypts once, a ring key's random IVs suffice for 2³² records. */
function encrypt(key: Buffer, plain: Buffer, associated: Buffer): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(associated)
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

function decrypt(key: Buffer, text: string, associated: Buffer): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < IV_BYTES + TAG_BYTES) throw new CannotOpen('the sealed text is cut off')
  try {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(associated)
      .setAuthTag(bytes.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    throw new CannotOpen('the sealed text was changed, or belongs to another record')
  }
}
