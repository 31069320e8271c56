import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { OperatorError } from '#kernel/operator-error'

/**
 * Envelope encryption for card numbers and secrets. Each record has its own data key, which is wrapped by the newest key of the
 * ring; both steps use AES-256-GCM. Tenant and field are the associated data, so a sealed text that is copied to another row or
 * column does not decrypt. Rotating the keys rewraps data keys only.
 *
 * A sealed text is `v1.<key id>.<wrapped data key>.<ciphertext>`, in base64url.
 */
export interface SealBinding {
  readonly businessId: string
  readonly field: string
}

const ALGORITHM = 'aes-256-gcm'
const VERSION = 'v1'
/** The key, the nonce and the tag of AES-256-GCM (NIST SP 800-38D). */
export const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/** The sealed text is damaged, belongs to another record, or its key is missing. The message never contains the content. */
export class CannotDecrypt extends OperatorError {
  constructor(reason: string) {
    super(`Cannot decrypt: ${reason}.`)
  }
}

export interface KeySource {
  /** Newest first, never empty. Returns the same array until the keys change. */
  keys(): readonly RingKey[]
  refresh(): void
}

export interface RingKey {
  /** Derived from the key, so that it has the same id wherever it is configured. */
  readonly id: string
  readonly secret: Buffer
}

export class Keyring {
  readonly #source: KeySource
  readonly #derived = new Map<string, { from: readonly RingKey[]; keys: readonly RingKey[] }>()

  constructor(source: KeySource) {
    this.#source = source
  }

  get newestKeyId(): string {
    return this.#newest().id
  }

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

  open(sealed: string, bound: SealBinding): string {
    const { keyId, wrapped, text } = parse(sealed)
    const associated = associatedData(bound)
    const dataKey = decrypt(this.#key(keyId).secret, wrapped, associated)
    return decrypt(dataKey, text, associated).toString()
  }

  /** Moves the record to the newest key; returns `sealed` itself if it is already there. Throws `CannotDecrypt`. */
  rewrap(sealed: string, bound: SealBinding): string {
    const { keyId, wrapped, text } = parse(sealed)
    const newest = this.#newest()
    if (keyId === newest.id) return sealed
    const associated = associatedData(bound)
    const dataKey = decrypt(this.#key(keyId).secret, wrapped, associated)
    return [VERSION, newest.id, encrypt(newest.secret, dataKey, associated), text].join('.')
  }

  /** One key per key of the ring for another purpose, newest first (HKDF, RFC 5869). */
  derivedKeys(purpose: string): readonly RingKey[] {
    const from = this.#source.keys()
    const cached = this.#derived.get(purpose)
    if (cached?.from === from) return cached.keys
    const keys = from.map(({ id, secret }) => ({
      id,
      secret: Buffer.from(hkdfSync('sha256', secret, '', `quittance ${purpose}`, KEY_BYTES)),
    }))
    this.#derived.set(purpose, { from, keys })
    return keys
  }

  #newest(): RingKey {
    const [newest] = this.#source.keys()
    if (newest === undefined) throw new Error('the keyring is empty')
    return newest
  }

  /** Refreshes once if the id is unknown, because another process may have just added the key. */
  #key(id: string): RingKey {
    const find = (): RingKey | undefined => this.#source.keys().find((key) => key.id === id)
    const current = find()
    if (current !== undefined) return current
    this.#source.refresh()
    const key = find()
    if (key === undefined) throw new CannotDecrypt(`the encryption key ${id} is not configured`)
    return key
  }
}

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
    throw new CannotDecrypt('this is not a sealed text')
  }
  return { keyId, wrapped, text }
}

/** Concatenates IV, ciphertext and tag. A ring key's random IVs are safe for 2³² records; a data key encrypts once. */
function encrypt(key: Buffer, plain: Buffer, associated: Buffer): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(associated)
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

function decrypt(key: Buffer, text: string, associated: Buffer): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < IV_BYTES + TAG_BYTES) throw new CannotDecrypt('the sealed text is truncated')
  try {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(associated)
      .setAuthTag(bytes.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    throw new CannotDecrypt('the sealed text was modified or belongs to another record')
  }
}
