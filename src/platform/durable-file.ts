import {
  closeSync,
  fchownSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { realNowMs } from '#kernel/clock'
import { OperatorError } from '#kernel/operator-error'
import { codeOf, messageOf } from '#platform/thrown'

/**
 * Small files that an installation cannot lose. Writes are atomic and on disk when the call returns; only the
 * owner can read the files (mode 0600).
 */

export function replaceFile(path: string, text: string): void {
  renameSync(writeDraft(path, text), path)
  syncDirectory(dirname(path))
}

/** Keeps an existing file, which another process may create at the same moment. */
export function createFile(path: string, text: string): void {
  const draft = writeDraft(path, text)
  try {
    linkSync(draft, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  syncDirectory(dirname(path))
}

/** Makes created and renamed files of the directory survive a crash. */
export function syncDirectory(directory: string): void {
  const file = openSync(directory, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Writing takes milliseconds, so whoever holds it for this long hangs. */
const LOCK_TIMEOUT_MS = 10_000

/**
 * Runs `work` while no other process does the same for this file. SQLite locks a file beside it in the
 * kernel, so the lock ends with its process.
 */
export function exclusively<T>(path: string, work: () => T): T {
  const lockFile = `${path}.lock`
  createFile(lockFile, '')
  const lock = new DatabaseSync(lockFile, { timeout: LOCK_TIMEOUT_MS })
  try {
    lock.exec('pragma journal_mode = memory')
    lock.exec('begin exclusive')
    return work()
  } finally {
    lock.close()
  }
}

/**
 * An older draft is abandoned, because a write takes only as long as the disk does. Process ids would not identify
 * abandoned drafts, because each container has its own ids.
 */
const MAX_DRAFT_AGE_MS = 60_000

/** Removes drafts of killed processes, which may hold old secrets. */
export function removeAbandonedDrafts(path: string): void {
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(`${basename(path)}.`) || !/\.\d+\.new$/.test(name)) continue
    const draft = join(dirname(path), name)
    const writtenAtMs = statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? Infinity
    if (realNowMs() - writtenAtMs > MAX_DRAFT_AGE_MS) rmSync(draft, { force: true })
  }
}

function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600)
  } catch (cause) {
    throw new OperatorError(
      `Cannot write ${path} (${messageOf(cause)}): DATA_DIR must be a directory that Quittance may write, on a disk with space left.`,
      { cause },
    )
  }
}

function writeDraft(path: string, text: string): string {
  const draft = `${path}.${process.pid}.new`
  rmSync(draft, { force: true })
  const file = openNew(draft)
  try {
    writeFileSync(file, text)
    // A file written by root in the directory of another user must belong to that user.
    const owner = statSync(dirname(path))
    if (process.getuid?.() === 0) fchownSync(file, owner.uid, owner.gid)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return draft
}
