import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { realClock, realNowMs, toRfc3339 } from '#kernel/clock'
import { type KeySource, ringKey, type RingKey } from '#platform/keyring'

/** The keys cannot be read. The message is a sentence for the operator and quotes no key. */
export class CannotReadKeys extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CannotReadKeys'
  }
}

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
/** Links that were signed with a retired key stay good until they expire (30 days). */
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

/** `DATA_DIR/keys.json`, mode 0600: the keys of an installation that has no ENCRYPTION_KEYS. Made when it is missing. */
export class KeyFile implements KeySource {
  readonly #path: string
  #keys: readonly RingKey[] = []
  #version = ''
  #lookedAtMs = 0

  private constructor(path: string) {
    this.#path = path
  }

  static async open(dataDir: string): Promise<KeyFile> {
    const path = join(dataDir, 'keys.json')
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    if (!existsSync(path)) create(path, { keys: [newKey()] })
    const file = new KeyFile(path)
    file.refresh()
    return file
  }

  keys(): readonly RingKey[] {
    if (realNowMs() - this.#lookedAtMs > KEY_FILE_REFRESH_MS / 2) this.refresh()
    return this.#keys
  }

  refresh(): void {
    this.#lookedAtMs = realNowMs()
    const { ino, mtimeMs } = statSync(this.#path)
    const version = `${ino} ${mtimeMs}`
    if (version === this.#version) return
    this.#keys = read(this.#path).keys.map(({ key }) => toRingKey(key, this.#path))
    this.#version = version
  }

  /** Puts a new key in front, unless a rotation that was interrupted did so already. */
  beginRotation(): void {
    const content = read(this.#path)
    if (content.rotation_started_at !== undefined) return
    const now = toRfc3339(realClock.now())
    const keys = content.keys.map((key) => ({ ...key, retired_at: key.retired_at ?? now }))
    replace(this.#path, { keys: [newKey(), ...keys], rotation_started_at: now })
    this.refresh()
  }

  /** Called when nothing is sealed under an older key any more; drops keys that no link can need. */
  endRotation(): void {
    const forgetBefore = toRfc3339(realClock.now().subtract({ hours: 24 * RETIRED_KEYS_KEPT_DAYS }))
    const { keys } = read(this.#path)
    replace(this.#path, {
      keys: keys.filter((key) => key.retired_at === undefined || key.retired_at > forgetBefore),
    })
    this.refresh()
  }
}

function newKey(): StoredKey {
  return { key: randomBytes(KEY_BYTES).toString('base64'), created_at: toRfc3339(realClock.now()) }
}

function toRingKey(text: string, path: string): RingKey {
  const secret = readSecret(text)
  if (secret === undefined) throw broken(path)
  return ringKey(secret)
}

function read(path: string): KeyFileContent {
  try {
    const content = JSON.parse(readFileSync(path, 'utf8')) as Partial<KeyFileContent>
    if (Array.isArray(content.keys) && content.keys.length > 0) return content as KeyFileContent
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw broken(path)
}

function broken(path: string): CannotReadKeys {
  return new CannotReadKeys(`${path} is not a file of encryption keys: put it back from a backup.`)
}

/** Unless another process that starts now was first: then its keys count. */
function create(path: string, content: KeyFileContent): void {
  const draft = writeDraft(path, content)
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(draft)
  }
  syncDirectoryOf(path)
}

/** Whole or not at all, and on the disk before anything is sealed with it: a lost key is lost data. */
function replace(path: string, content: KeyFileContent): void {
  renameSync(writeDraft(path, content), path)
  syncDirectoryOf(path)
}

function writeDraft(path: string, content: KeyFileContent): string {
  const draft = `${path}.${process.pid}.new`
  rmSync(draft, { force: true })
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, `${JSON.stringify(content, null, 2)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return draft
}

function syncDirectoryOf(path: string): void {
  const directory = openSync(dirname(path), 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}
