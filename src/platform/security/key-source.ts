import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '#kernel/operator-error'
import { realClock, realNowMs, toRfc3339 } from '#kernel/clock'
import { type Config, ConfigError } from '#platform/config'
import { createFile, exclusively, removeLostDrafts, replaceFile } from '#platform/durable-file'
import { Keyring, type KeySource, ringKey, type RingKey } from '#platform/security/keyring'

/** The keys cannot be read. The message quotes no key. */
export class CannotReadKeys extends OperatorError {}

const KEY_BYTES = 32

/** `ENCRYPTION_KEYS`: 32 bytes each in base64, base64url or hex, separated by commas, newest first. */
export function keysOfEnvironment(text: string): KeySource {
  const keys = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part, index) => {
      const secret = readSecret(part)
      if (secret !== undefined) return ringKey(secret)
      throw new CannotReadKeys(
        `Key ${index + 1} of ENCRYPTION_KEYS must be 32 bytes in base64 or hex; make one with: openssl rand -base64 32`,
      )
    })
  if (keys.length === 0) throw new CannotReadKeys('ENCRYPTION_KEYS holds no key.')
  if (new Set(keys.map((key) => key.id)).size < keys.length) {
    throw new CannotReadKeys('ENCRYPTION_KEYS holds the same key twice.')
  }
  return { keys: () => keys, refresh: () => {} }
}

function readSecret(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined
  const secret = Buffer.from(text, 'base64')
  return secret.length === KEY_BYTES ? secret : undefined
}

/** How old a process's view of `keys.json` may be. Whoever adds a key waits this long before it counts on it. */
export const KEY_FILE_REFRESH_MS = 1_000
/** Links that were signed with a retired key, and fingerprints that were made with one, are good for 30 days. */
const RETIRED_KEYS_KEPT_DAYS = 31

interface KeyFileContent {
  /** Newest first. */
  readonly keys: readonly StoredKey[]
  /** Set while records are being rewrapped under the newest key. */
  readonly rotation_started_at?: string
}

interface StoredKey {
  readonly key: string
  readonly created_at: string
  readonly retired_at?: string
}

/** `DATA_DIR/keys.json`, mode 0600: the keys of an installation that has no ENCRYPTION_KEYS. */
export class KeyFile implements KeySource {
  readonly #path: string
  readonly #mayMake: boolean
  #keys: readonly RingKey[] = []
  #version = ''
  #lookedAtMs = 0

  private constructor(dataDir: string, mayMake: boolean) {
    this.#path = keyFileIn(dataDir)
    this.#mayMake = mayMake
  }

  /** Made when it is missing. */
  static async open(dataDir: string): Promise<KeyFile> {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const file = new KeyFile(dataDir, true)
    removeLostDrafts(file.#path)
    file.refresh()
    return file
  }

  /** Not looked for before a key is needed; then made when it is missing, or, unless it may be, `ConfigError`. */
  static whenNeeded(dataDir: string, mayMake: boolean): KeyFile {
    return new KeyFile(dataDir, mayMake)
  }

  keys(): readonly RingKey[] {
    // A real clock that was set back must not prolong what is known.
    if (Math.abs(realNowMs() - this.#lookedAtMs) > KEY_FILE_REFRESH_MS / 2) this.refresh()
    return this.#keys
  }

  refresh(): void {
    this.#lookedAtMs = realNowMs()
    this.#find()
    const { ino, mtimeMs } = statSync(this.#path)
    const version = `${ino} ${mtimeMs}`
    if (version === this.#version) return
    this.#keys = read(this.#path).keys.map((stored) => toRingKey(stored, this.#path))
    this.#version = version
  }

  /** Only before the first look: a file that goes missing later is put back, not made anew. */
  #find(): void {
    if (this.#version !== '' || existsSync(this.#path)) return
    if (!this.#mayMake) {
      throw new ConfigError([
        `ENCRYPTION_KEYS must be set, as it is for the service, or ${this.#path} put back from a backup.`,
      ])
    }
    // Another process that starts now may be first: then its keys count.
    createFile(this.#path, textOf({ keys: [newKey()] }))
  }

  /** Puts a new key in front, unless a rotation that was interrupted, or goes on beside this one, did so already. */
  beginRotation(): void {
    this.#change((content) => {
      if (content.rotation_started_at !== undefined) return content
      const now = toRfc3339(realClock.now())
      const keys = content.keys.map((key) => ({ ...key, retired_at: key.retired_at ?? now }))
      return { keys: [newKey(), ...keys], rotation_started_at: now }
    })
  }

  /** Called when nothing is sealed under an older key any more; drops keys that no link and no fingerprint can need. */
  endRotation(): void {
    const forgetBefore = toRfc3339(realClock.now().subtract({ hours: 24 * RETIRED_KEYS_KEPT_DAYS }))
    this.#change(({ keys }) => ({
      keys: keys.filter((key) => key.retired_at === undefined || key.retired_at > forgetBefore),
    }))
  }

  /** A key that another process has put there in between must not get lost: it may have sealed with it. */
  #change(change: (content: KeyFileContent) => KeyFileContent): void {
    this.#find()
    exclusively(this.#path, () => replaceFile(this.#path, textOf(change(read(this.#path)))))
    this.refresh()
  }
}

export interface OpenKeyring {
  readonly keyring: Keyring
  /** Present when the keys are those of `DATA_DIR/keys.json`. */
  readonly keyFile: KeyFile | undefined
}

/**
 * The ring of a service: ENCRYPTION_KEYS, or `DATA_DIR/keys.json`, which is made for a new installation. Throws
 * `CannotReadKeys` without the keys in use: no stored card could be charged, and every plan would count failed attempts
 * until it gives up. Beside DATABASE_URL a `keys.json` may be one of several, and is only warned of.
 */
export async function openKeyring(
  config: Config,
  idsInUse: readonly string[],
  warn: (message: string) => void,
): Promise<Keyring> {
  const { encryptionKeys, dataDir, databaseUrl } = config
  if (encryptionKeys !== undefined) {
    const keyring = new Keyring(keysOfEnvironment(encryptionKeys))
    requireKeys(config, keyring, idsInUse)
    return keyring
  }
  if (databaseUrl === undefined && idsInUse.length > 0 && !existsSync(keyFileIn(dataDir))) {
    throw new CannotReadKeys(lossOf(config, idsInUse))
  }
  const keyring = new Keyring(await KeyFile.open(dataDir))
  if (databaseUrl === undefined) requireKeys(config, keyring, idsInUse)
  const missing = keyring.missing(idsInUse)
  if (missing.length > 0) warn(lossOf(config, missing))
  return keyring
}

/** Throws `CannotReadKeys` unless the ring holds all keys that something in the database is sealed under. */
export function requireKeys(config: Config, keyring: Keyring, idsInUse: readonly string[]): void {
  const missing = keyring.missing(idsInUse)
  if (missing.length > 0) throw new CannotReadKeys(lossOf(config, missing))
}

function lossOf({ encryptionKeys, dataDir }: Config, ids: readonly string[]): string {
  const place = encryptionKeys === undefined ? keyFileIn(dataDir) : 'ENCRYPTION_KEYS'
  return `${place} lacks keys that the database is encrypted with (${ids.join(', ')}): put them back from a backup.`
}

/**
 * The ring for a command, most of which need none. With DATABASE_URL the service may run anywhere, with keys that are not
 * here: what was sealed under new ones it could never open. So none are made, nor where keys that were here are lost.
 */
export function keyringOfCommand(
  { encryptionKeys, dataDir, databaseUrl }: Config,
  idsInUse: readonly string[],
): OpenKeyring {
  if (encryptionKeys !== undefined) {
    return { keyring: new Keyring(keysOfEnvironment(encryptionKeys)), keyFile: undefined }
  }
  const keyFile = KeyFile.whenNeeded(dataDir, databaseUrl === undefined && idsInUse.length === 0)
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
  if (secret === undefined) throw broken(path)
  return ringKey(secret)
}

function read(path: string): KeyFileContent {
  try {
    const content = JSON.parse(readFileSync(path, 'utf8')) as Partial<KeyFileContent> | null
    if (Array.isArray(content?.keys) && content.keys.length > 0) return content as KeyFileContent
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw broken(path)
}

function broken(path: string): CannotReadKeys {
  return new CannotReadKeys(`${path} is not a file of encryption keys: put it back from a backup.`)
}

function textOf(content: KeyFileContent): string {
  return `${JSON.stringify(content, null, 2)}\n`
}
