import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '#kernel/operator-error'
import { realClock, realNowMs, toRfc3339 } from '#kernel/clock'
import { type Config, ConfigError } from '#platform/config'
import { makeDataDirectory } from '#platform/data-directory'
import { createFile, exclusively, removeAbandonedDrafts, replaceFile } from '#platform/durable-file'
import { KEY_BYTES, Keyring, type KeySource, ringKey, type RingKey } from '#platform/security/keyring'

/** The message never contains a key. */
export class EncryptionKeysError extends OperatorError {}

export function keysFromEnvironment(text: string): KeySource {
  const keys = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part, index) => {
      const secret = readSecret(part)
      if (secret !== undefined) return ringKey(secret)
      throw new EncryptionKeysError(
        `Key ${index + 1} of ENCRYPTION_KEYS must be 32 bytes in base64 or hex. Generate one with: openssl rand -base64 32`,
      )
    })
  if (keys.length === 0) throw new EncryptionKeysError('ENCRYPTION_KEYS contains no key.')
  if (new Set(keys.map((key) => key.id)).size < keys.length) {
    throw new EncryptionKeysError('ENCRYPTION_KEYS contains the same key twice.')
  }
  return { keys: () => keys, refresh: () => {} }
}

function readSecret(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined
  const secret = Buffer.from(text, 'base64')
  return secret.length === KEY_BYTES ? secret : undefined
}

/** How stale a process's view of `keys.json` may be. Whoever adds a key waits this long before relying on it. */
export const KEY_FILE_REFRESH_MS = 1_000
/** Links and idempotency fingerprints made with a retired key stay valid for 30 days. */
export const RETIRED_KEYS_KEPT_DAYS = 31

interface KeyFileContent {
  readonly keys: readonly StoredKey[]
  readonly rotation_started_at?: string
}

interface StoredKey {
  readonly key: string
  readonly created_at: string
  readonly retired_at?: string
}

export class KeyFile implements KeySource {
  readonly #path: string
  readonly #mayCreate: boolean
  #keys: readonly RingKey[] = []
  #version = ''
  #readAtMs = 0

  private constructor(dataDir: string, mayCreate: boolean) {
    this.#path = keyFileIn(dataDir)
    this.#mayCreate = mayCreate
  }

  static async open(dataDir: string): Promise<KeyFile> {
    makeDataDirectory(dataDir)
    const file = new KeyFile(dataDir, true)
    removeAbandonedDrafts(file.#path)
    file.refresh()
    return file
  }

  /** Reads the file when a key is first needed. If it is missing, creates it or, unless `mayCreate`, throws `ConfigError`. */
  static lazy(dataDir: string, mayCreate: boolean): KeyFile {
    return new KeyFile(dataDir, mayCreate)
  }

  keys(): readonly RingKey[] {
    // The difference is absolute so that setting the clock back does not prolong the cache.
    if (Math.abs(realNowMs() - this.#readAtMs) > KEY_FILE_REFRESH_MS / 2) this.refresh()
    return this.#keys
  }

  refresh(): void {
    this.#readAtMs = realNowMs()
    this.#ensureExists()
    const { ino, mtimeMs } = statSync(this.#path)
    const version = `${ino} ${mtimeMs}`
    if (version === this.#version) return
    this.#keys = read(this.#path).keys.map((stored) => toRingKey(stored, this.#path))
    this.#version = version
  }

  /** Acts only before the first read: a file that disappears later must be restored, not replaced. */
  #ensureExists(): void {
    if (this.#version !== '' || existsSync(this.#path)) return
    if (!this.#mayCreate) {
      throw new ConfigError([
        `Set ENCRYPTION_KEYS as for the service, or restore ${this.#path} from a backup.`,
      ])
    }
    // If another process creates the file first, its keys count.
    createFile(this.#path, textOf({ keys: [newKey()] }))
  }

  /** Adds a new key in front, unless an interrupted or concurrent rotation has already done so. */
  startRotation(): void {
    this.#change((content) => {
      if (content.rotation_started_at !== undefined) return content
      const now = toRfc3339(realClock.now())
      const keys = content.keys.map((key) => ({ ...key, retired_at: key.retired_at ?? now }))
      return { keys: [newKey(), ...keys], rotation_started_at: now }
    })
  }

  /** Call once nothing is sealed under an older key. Drops keys that no valid link or fingerprint can need. */
  finishRotation(): void {
    const forgetBefore = toRfc3339(realClock.now().subtract({ hours: 24 * RETIRED_KEYS_KEPT_DAYS }))
    this.#change(({ keys }) => ({
      keys: keys.filter((key) => key.retired_at === undefined || key.retired_at > forgetBefore),
    }))
  }

  /** Locks the file: a key that another process adds at the same time may already be in use and must not be lost. */
  #change(change: (content: KeyFileContent) => KeyFileContent): void {
    this.#ensureExists()
    exclusively(this.#path, () => replaceFile(this.#path, textOf(change(read(this.#path)))))
    this.refresh()
  }
}

export interface OpenKeyring {
  readonly keyring: Keyring
  readonly keyFile: KeyFile | undefined
}

/**
 * The keyring of a service: ENCRYPTION_KEYS, or `DATA_DIR/keys.json`, which a new installation creates. Throws if keys in use
 * are missing: no stored card could be charged, and every plan would use up its attempts. With DATABASE_URL the missing keys of
 * `keys.json` only cause a warning, because that file may be one of several.
 */
export async function openKeyring(
  config: Config,
  idsInUse: readonly string[],
  warn: (message: string) => void,
): Promise<Keyring> {
  const { encryptionKeys, dataDir, databaseUrl } = config
  if (encryptionKeys !== undefined) {
    const keyring = new Keyring(keysFromEnvironment(encryptionKeys))
    requireKeys(config, keyring, idsInUse)
    return keyring
  }
  if (databaseUrl === undefined && idsInUse.length > 0 && !existsSync(keyFileIn(dataDir))) {
    throw new EncryptionKeysError(missingKeysMessage(config, idsInUse))
  }
  const keyring = new Keyring(await KeyFile.open(dataDir))
  if (databaseUrl === undefined) requireKeys(config, keyring, idsInUse)
  const missing = keyring.missing(idsInUse)
  if (missing.length > 0) warn(missingKeysMessage(config, missing))
  return keyring
}

export function requireKeys(config: Config, keyring: Keyring, idsInUse: readonly string[]): void {
  const missing = keyring.missing(idsInUse)
  if (missing.length > 0) throw new EncryptionKeysError(missingKeysMessage(config, missing))
}

function missingKeysMessage({ encryptionKeys, dataDir }: Config, ids: readonly string[]): string {
  const place = encryptionKeys === undefined ? keyFileIn(dataDir) : 'ENCRYPTION_KEYS'
  return `${place} lacks keys that the database is encrypted with (${ids.join(', ')}). Restore them from a backup.`
}

/**
 * The keyring for a command; most commands need none. Creates keys only for a new installation in DATA_DIR: with DATABASE_URL
 * the service may have its keys elsewhere and could not decrypt what a command seals with new ones.
 */
export function keyringForCommand(
  { encryptionKeys, dataDir, databaseUrl }: Config,
  idsInUse: readonly string[],
): OpenKeyring {
  if (encryptionKeys !== undefined) {
    return { keyring: new Keyring(keysFromEnvironment(encryptionKeys)), keyFile: undefined }
  }
  const keyFile = KeyFile.lazy(dataDir, databaseUrl === undefined && idsInUse.length === 0)
  return { keyring: new Keyring(keyFile), keyFile }
}

function keyFileIn(dataDir: string): string {
  return join(dataDir, 'keys.json')
}

function newKey(): StoredKey {
  return { key: randomBytes(KEY_BYTES).toString('base64'), created_at: toRfc3339(realClock.now()) }
}

function toRingKey(stored: StoredKey | null, path: string): RingKey {
  const secret = readSecret(stored?.key ?? '')
  if (secret === undefined) throw damaged(path)
  return ringKey(secret)
}

function read(path: string): KeyFileContent {
  try {
    const content = JSON.parse(readFileSync(path, 'utf8')) as Partial<KeyFileContent> | null
    if (Array.isArray(content?.keys) && content.keys.length > 0) return content as KeyFileContent
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw damaged(path)
}

function damaged(path: string): EncryptionKeysError {
  return new EncryptionKeysError(`${path} is not a valid file of encryption keys. Restore it from a backup.`)
}

function textOf(content: KeyFileContent): string {
  return `${JSON.stringify(content, null, 2)}\n`
}
