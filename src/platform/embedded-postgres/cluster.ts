import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, lchown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '#platform/thrown'
import { removeAbandonedDrafts, replaceFile, syncDirectory } from '../durable-file.ts'
import { accountFor, CannotStartPostgres, type InstalledPostgres, preparedBinaries } from './binaries.ts'
import { type Cluster, noteOnSpace, pathForPrograms, runInitdb } from './process.ts'

export interface Access {
  readonly password: string
  readonly port?: number
}

const OWNER = 'quittance'
export const DATABASE = 'quittance'

export function urlOf(access: { password: string; port: number }, database: string = DATABASE): string {
  return `postgres://${OWNER}:${access.password}@127.0.0.1:${access.port}/${database}`
}

export async function openCluster(
  dataDir: string,
  { version, native }: InstalledPostgres,
  log: (message: string) => void,
): Promise<{ cluster: Cluster; access: Access }> {
  const directory = join(dataDir, 'postgres')
  const account = await accountFor(directory)
  const binaries = await preparedBinaries(native, account)
  const cluster: Cluster = { directory, account, binaries, logFile: join(dataDir, 'postgres.log') }
  await checkOwner(cluster)
  if (await isEmpty(directory)) {
    const access = { password: randomBytes(24).toString('base64url') }
    writeAccess(dataDir, access)
    await makeCluster(dataDir, cluster, access.password)
    log(`Made a new PostgreSQL ${version} database in ${directory}.`)
    return { cluster, access }
  }
  await checkVersion(directory, version)
  // PostgreSQL refuses a directory that others may read, and a restored backup may have lost its modes.
  await chmod(directory, 0o700)
  const access = await readAccess(dataDir)
  if (access === undefined) {
    throw new CannotStartPostgres(
      `${join(dataDir, 'postgres.json')}, which holds the password of the database beside it, is missing or broken: restore it from a backup.`,
    )
  }
  return { cluster, access }
}

export async function readAccess(dataDir: string): Promise<Access | undefined> {
  const file = join(dataDir, 'postgres.json')
  if (!existsSync(file)) return undefined
  removeAbandonedDrafts(file)
  const text = await readFile(file, 'utf8')
  try {
    const { password, port } = JSON.parse(text) as { password?: unknown; port?: unknown }
    if (typeof password !== 'string') return undefined
    return typeof port === 'number' ? { password, port } : { password }
  } catch {
    return undefined
  }
}

export function writeAccess(dataDir: string, access: Access): void {
  replaceFile(join(dataDir, 'postgres.json'), `${JSON.stringify(access)}\n`)
}

/** Runs initdb in another directory and renames the result, so that a killed start leaves no half-made database. */
async function makeCluster(dataDir: string, final: Cluster, password: string): Promise<void> {
  const temporary = join(dataDir, 'postgres.new')
  const directory = join(temporary, 'cluster')
  await rm(temporary, { recursive: true, force: true })
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await writeFile(join(temporary, 'password'), password, { mode: 0o600 })
  await giveTo(final, temporary)
  const unfinished = { ...final, directory }
  const place = pathForPrograms(unfinished)
  const options = [
    `--pgdata=${place}`,
    `--pwfile=${place}/../password`,
    `--username=${OWNER}`,
    '--auth-local=reject',
    '--auth-host=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--data-checksums',
    '--no-instructions',
  ]
  const complaint = await runInitdb(unfinished, options)
  if (complaint !== undefined) {
    const note = await noteOnSpace(dataDir)
    throw new CannotStartPostgres(`Cannot make a PostgreSQL database in ${dataDir}: ${complaint}${note}`)
  }
  await rename(directory, final.directory)
  syncDirectory(dataDir)
  await rm(temporary, { recursive: true, force: true })
}

export async function hasDatabase(dataDir: string): Promise<boolean> {
  return !(await isEmpty(join(dataDir, 'postgres')))
}

async function isEmpty(directory: string): Promise<boolean> {
  return !existsSync(directory) || (await readdir(directory)).length === 0
}

async function checkVersion(directory: string, version: number): Promise<void> {
  const made = (await readFile(join(directory, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (made === String(version)) return
  throw new CannotStartPostgres(
    made === ''
      ? `${directory} is not empty and holds no PostgreSQL database, or is not readable: move it away, or set another DATA_DIR.`
      : `${directory} was made by PostgreSQL ${made}, and this Quittance brings PostgreSQL ${version}: migrate it with pg_dump and pg_restore, or set another DATA_DIR.`,
  )
}

async function checkOwner(cluster: Cluster): Promise<void> {
  const uid = (await stat(cluster.directory).catch(() => undefined))?.uid
  if (uid === undefined || uid === (cluster.account?.uid ?? process.getuid?.())) return
  if (cluster.account !== undefined) return giveTo(cluster, cluster.directory)
  throw new CannotStartPostgres(
    `${cluster.directory} belongs to user ${uid}: start Quittance as that user or as root, or set another DATA_DIR.`,
  )
}

async function giveTo(cluster: Cluster, directory: string): Promise<void> {
  const { account } = cluster
  if (account === undefined) return
  try {
    for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
      await lchown(join(entry.parentPath, entry.name), account.uid, account.gid)
    }
    await chown(directory, account.uid, account.gid)
  } catch (cause) {
    throw new CannotStartPostgres(
      `PostgreSQL refuses to run as root, and ${directory} cannot be given to user ${account.uid} (${messageOf(cause)}): start Quittance as an ordinary user, or set DATABASE_URL.`,
      { cause },
    )
  }
}
