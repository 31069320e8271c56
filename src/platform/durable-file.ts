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
import { codeOf } from '#platform/thrown'

/**
 * Small files without which an installation is lost: each is there whole or not at all, on the disk when the call
 * returns, and for its owner only (mode 0600).
 */

/** Writes a file in place of any before it. */
export function replaceFile(path: string, text: string): void {
  renameSync(writeDraft(path, text), path)
  syncDirectory(dirname(path))
}

/** Writes a file unless there is one, which another process may be making at the same moment. */
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

/** What was made in a directory or renamed is there after a crash, too. */
export function syncDirectory(directory: string): void {
  const file = openSync(directory, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

const LOCK_TIMEOUT_MS = 10_000

/**
 * Does `work` while no other process does the same for this file. The lock is one of the kernel (see
 * `embedded-postgres-lock.ts`) on a file beside it, and ends with its process.
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

/** A draft lives for as long as the disk takes; one this old was left behind. Process ids do not tell: containers have their own. */
const MAX_DRAFT_AGE_MS = 60_000

/** Removes what writers of this file that were killed have left of it. It holds the secrets that the file held then. */
export function removeAbandonedDrafts(path: string): void {
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(`${basename(path)}.`) || !/\.\d+\.new$/.test(name)) continue
    const draft = join(dirname(path), name)
    const writtenAtMs = statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? Infinity
    if (realNowMs() - writtenAtMs > MAX_DRAFT_AGE_MS) rmSync(draft, { force: true })
  }
}

function writeDraft(path: string, text: string): string {
  const draft = `${path}.${process.pid}.new`
  rmSync(draft, { force: true })
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeFileSync(file, text)
    // Root, on a user's directory, must not lock that user out.
    const owner = statSync(dirname(path))
    if (process.getuid?.() === 0) fchownSync(file, owner.uid, owner.gid)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return draft
}
