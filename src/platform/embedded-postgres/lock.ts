import { existsSync } from 'node:fs'
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { OperatorError } from '#kernel/operator-error'
import { codeOf, messageOf } from '#platform/thrown'

/**
 * One service on a data directory, decided by a lock of the kernel.
 *
 * Node has no flock. SQLite, which Node brings, locks a byte range of its file with fcntl: the kernel
 * gives such a lock to one process and takes it back when that process ends, however it ends. So
 * there is no stale lock, no process id to mistrust, and it holds between users and between
 * containers that share the directory. Nothing is ever written into the file.
 *
 * Mind: the kernel drops a process's fcntl locks when that process closes any descriptor of the file.
 * The service must never open `service.lock` by other means than this file.
 */

/** Another service runs on the data directory. */
export class DataDirInUse extends OperatorError {
  constructor(dataDir: string, holder: string | undefined) {
    const who = holder === undefined ? '' : ` (${holder})`
    super(`Quittance already runs on ${dataDir}${who}. Stop it first, or set another DATA_DIR.`)
  }
}

/** The lock cannot be asked for at all. */
class CannotLockDataDir extends OperatorError {
  constructor(file: string, cause: unknown) {
    super(
      `Cannot lock ${file} (${messageOf(cause)}): DATA_DIR must be writable for the user who starts Quittance, and on a file system that has locks.`,
      { cause },
    )
  }
}

export interface DataDirLock {
  /** Gives the directory back. May be called twice. */
  release(): Promise<void>
}

/**
 * Long enough to wait out a look by `isDataDirLocked`, or a killed service whose memory the kernel is
 * still giving back; short enough for a person who started the service twice.
 */
const WAIT_FOR_LOCK_MS = 1_000
const TRY_AGAIN_MS = 25
const SQLITE_BUSY = 5

/** Held here too: a lock that is garbage collected is a lock that is lost. */
const held = new Set<DatabaseSync>()

/**
 * Takes the data directory for this process, making it (mode 0700) when it is missing. Throws
 * `DataDirInUse` when another service, or another part of this process, has it.
 */
export async function acquireDataDirLock(dataDir: string): Promise<DataDirLock> {
  const directory = resolve(dataDir)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await makeLockFile(lockFileOf(directory))
  const lock = await waitForLock(directory)
  held.add(lock)
  await writeFile(holderFileOf(directory), `process ${process.pid} on ${hostname()}\n`, { mode: 0o600 })
  return {
    release: async () => {
      if (!held.has(lock)) return
      await rm(holderFileOf(directory), { force: true })
      held.delete(lock)
      lock.close()
    },
  }
}

/** Whether a service runs on the data directory. Takes nothing away from a service that is starting. */
export async function isDataDirLocked(dataDir: string): Promise<boolean> {
  const file = lockFileOf(resolve(dataDir))
  let look: DatabaseSync
  try {
    look = new DatabaseSync(file, { readOnly: true })
  } catch (error) {
    if (!existsSync(file)) return false
    throw new CannotLockDataDir(file, error)
  }
  try {
    // Reading takes a shared lock for a moment: any number of looks go together.
    look.prepare('select count(*) from sqlite_schema').get()
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw new CannotLockDataDir(file, error)
  } finally {
    look.close()
  }
}

async function waitForLock(directory: string): Promise<DatabaseSync> {
  for (let waitedMs = 0; ; waitedMs += TRY_AGAIN_MS) {
    const lock = tryLock(lockFileOf(directory))
    if (lock !== undefined) return lock
    if (waitedMs >= WAIT_FOR_LOCK_MS) throw new DataDirInUse(directory, await holderOf(directory))
    await delay(TRY_AGAIN_MS)
  }
}

function tryLock(file: string): DatabaseSync | undefined {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(file)
    // Without this the lock would leave an empty journal beside it when the process is killed.
    lock.exec('pragma journal_mode = memory')
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock?.close()
    if (isBusy(error)) return undefined
    throw new CannotLockDataDir(file, error)
  }
}

/** `wx` opens nothing when the file is there, so a lock of this process on it is not dropped. */
async function makeLockFile(file: string): Promise<void> {
  try {
    await (await open(file, 'wx', 0o600)).close()
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw new CannotLockDataDir(file, error)
  }
}

function isBusy(error: unknown): boolean {
  // The low byte is the kind, the rest says more.
  return (
    error instanceof Error &&
    'errcode' in error &&
    typeof error.errcode === 'number' &&
    (error.errcode & 0xff) === SQLITE_BUSY
  )
}

async function holderOf(directory: string): Promise<string | undefined> {
  const text = await readFile(holderFileOf(directory), 'utf8').catch(() => '')
  return text.trim() === '' ? undefined : text.trim()
}

function lockFileOf(directory: string): string {
  return join(directory, 'service.lock')
}

/** Who holds the lock, for the sentence only; never trusted. */
function holderFileOf(directory: string): string {
  return join(directory, 'service.pid')
}
