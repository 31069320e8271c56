import { existsSync } from 'node:fs'
import { open, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { OperatorError } from '#kernel/operator-error'
import { makeDataDirectory } from '#platform/data-directory'
import { codeOf, messageOf } from '#platform/thrown'

/**
 * The lock that lets one service use a data directory. Node has no flock, but its SQLite locks a byte range with fcntl. The
 * kernel releases such a lock when the process ends, however it ends, and the lock holds between users and between containers
 * that share the directory. Nothing is ever written into the file.
 *
 * The kernel drops a process's fcntl locks when the process closes any descriptor of the file, so only this file may open
 * `service.lock`.
 */

export class DataDirInUse extends OperatorError {
  constructor(dataDir: string, holder: string | undefined) {
    const who = holder === undefined ? '' : ` (${holder})`
    super(`Quittance already runs on ${dataDir}${who}. Stop it first, or set another DATA_DIR.`)
  }
}

class CannotLockDataDir extends OperatorError {
  constructor(file: string, cause: unknown) {
    super(
      `Cannot lock ${file} (${messageOf(cause)}): DATA_DIR must be writable for the user who starts Quittance, and on a file system that supports locks.`,
      { cause },
    )
  }
}

export interface DataDirLock {
  release(): Promise<void>
}

const WAIT_FOR_LOCK_MS = 1_000
const TRY_AGAIN_MS = 25
/** The result code of SQLite. Extended codes have it in their lowest byte. */
const SQLITE_BUSY = 5

/** Keeps locks from being garbage collected, which would release them. */
const held = new Set<DatabaseSync>()

/** Makes the directory if it is missing. Throws `DataDirInUse` when another service, or this process, holds the lock. */
export async function acquireDataDirLock(dataDir: string): Promise<DataDirLock> {
  const directory = resolve(dataDir)
  makeDataDirectory(directory)
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

export async function isDataDirLocked(dataDir: string): Promise<boolean> {
  const file = lockFileOf(resolve(dataDir))
  let probe: DatabaseSync
  try {
    probe = new DatabaseSync(file, { readOnly: true })
  } catch (error) {
    if (!existsSync(file)) return false
    throw new CannotLockDataDir(file, error)
  }
  try {
    probe.prepare('select count(*) from sqlite_schema').get()
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw new CannotLockDataDir(file, error)
  } finally {
    probe.close()
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
    // Otherwise a killed process leaves an empty journal file.
    lock.exec('pragma journal_mode = memory')
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock?.close()
    if (isBusy(error)) return undefined
    throw new CannotLockDataDir(file, error)
  }
}

/** `wx` does not open an existing file, and so does not drop a lock of this process. */
async function makeLockFile(file: string): Promise<void> {
  try {
    await (await open(file, 'wx', 0o600)).close()
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw new CannotLockDataDir(file, error)
  }
}

function isBusy(error: unknown): boolean {
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

function holderFileOf(directory: string): string {
  return join(directory, 'service.pid')
}
