import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open, readdir, readFile, rm, stat, statfs, truncate, copyFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { realNowMs } from '#kernel/clock'
import { codeOf, messageOf } from '#platform/thrown'
import { type Account, type Binaries, CannotStartPostgres, PROGRAM_ENVIRONMENT } from './binaries.ts'

/** Processes of PostgreSQL: starting them, finding those that a killed service left, waiting, ending. */

/** The main process of a PostgreSQL server, our child or one that was left behind. */
export interface Postmaster {
  readonly pid: number
  readonly exited: Promise<void>
  hasExited(): boolean
}

/** A cluster's directory and who runs programs on it. */
export interface Cluster {
  readonly directory: string
  readonly logFile: string
  readonly binaries: Binaries
  readonly account: Account | undefined
}

const run = promisify(execFile)
const DIRECTORY_DESCRIPTOR = 3
const FAST_SHUTDOWN_MS = 20_000
const IMMEDIATE_SHUTDOWN_MS = 5_000
const KILL_MS = 5_000
const MAX_RECOVERY_MS = 600_000
const LOOK_AGAIN_MS = 25
/** After two seconds it is a recovery, and every look is a line in the server's log. */
const QUICK_LOOKS = 80
const PATIENT_LOOK_MS = 250
const ADOPTED_LOOK_MS = 100
const MAX_LOG_BYTES = 10_000_000
/** Of two files of PostgreSQL's log; an empty database takes more. */
const LITTLE_SPACE_BYTES = 32_000_000

/**
 * How PostgreSQL is told where its directory is. As another user it may be unable to reach the path
 * (DATA_DIR with mode 0700, a clone under /root). So we open the directory while we are root, and the
 * programs are told "what you have open as 3". Such a link crosses no parent directory: no permission
 * of any directory above needs to be loosened, and no capability is needed. (`/proc/self/cwd` would
 * do from PostgreSQL 16 on; 15 leaves its working directory and cannot come back.)
 */
export function pathForPrograms(cluster: Pick<Cluster, 'directory' | 'account'>): string {
  const isOpen = cluster.account !== undefined && platform() === 'linux'
  return isOpen ? `/proc/self/fd/${DIRECTORY_DESCRIPTOR}` : cluster.directory
}

/** Starts a program of PostgreSQL: root laid down, its directory open as descriptor 3, an environment without surprises. */
async function spawnProgram(
  cluster: Cluster,
  program: string,
  args: readonly string[],
  options: { detached: boolean; output: number | 'pipe' },
): Promise<ChildProcess> {
  const directory = await open(cluster.directory, 'r')
  try {
    const child = spawn(program, args, {
      ...cluster.account,
      cwd: '/',
      env: PROGRAM_ENVIRONMENT,
      detached: options.detached,
      stdio: ['ignore', options.output, options.output, directory.fd],
    })
    await once(child, 'spawn')
    return child
  } catch (cause) {
    const who = cluster.account === undefined ? '' : ` as user ${cluster.account.uid}`
    throw new CannotStartPostgres(`Cannot run ${program}${who}: ${messageOf(cause)}.`, { cause })
  } finally {
    await directory.close()
  }
}

/** A sentence to be put behind what PostgreSQL says, which may leave out that its disk is full; empty when it is not. */
export async function noteOnSpace(directory: string, look: typeof statfs = statfs): Promise<string> {
  const disk = await look(directory).catch(() => undefined)
  if (disk === undefined || disk.bavail * disk.bsize >= LITTLE_SPACE_BYTES) return ''
  const megabytes = Math.floor((disk.bavail * disk.bsize) / 1_000_000)
  return `. The disk of ${directory} has ${megabytes} MB left: make room there.`
}

/** Runs initdb to its end. Answers what it complained about, undefined when it did its work. */
export async function runInitdb(cluster: Cluster, args: readonly string[]): Promise<string | undefined> {
  const child = await spawnProgram(cluster, cluster.binaries.initdb, args, {
    detached: false,
    output: 'pipe',
  })
  let complaint = ''
  child.stdout?.resume()
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint += chunk.toString()
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return code === 0 ? undefined : complaint.trim()
}

export function postmasterArguments(
  cluster: Cluster,
  port: number,
  settings: Readonly<Record<string, string>>,
): string[] {
  const set = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', pathForPrograms(cluster), '-p', String(port), ...set]
}

/** Starts the server in a session of its own: Ctrl-C in our terminal must not end it before we have drained. */
export async function spawnPostmaster(cluster: Cluster, args: readonly string[]): Promise<Postmaster> {
  // A file, not a pipe: the log must not end, nor block the server, when this process is killed.
  const log = await open(cluster.logFile, 'a', 0o600)
  try {
    const child = await spawnProgram(cluster, cluster.binaries.postgres, args, {
      detached: true,
      output: log.fd,
    })
    const hasExited = () => child.exitCode !== null || child.signalCode !== null
    const exited = new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
      if (hasExited()) resolve()
    })
    if (child.pid === undefined) throw new Error('a spawned process has an id')
    return { pid: child.pid, exited, hasExited }
  } finally {
    await log.close()
  }
}

/** The postmaster that still runs on the directory, if one does, and where it listens. */
export async function leftBehindPostmaster(
  directory: string,
): Promise<{ postmaster: Postmaster; port: number; commandLine: string } | undefined> {
  // postmaster.pid: process id, directory, start time, port, …
  const lines = (await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 1 || !(await isPostgresOn(directory, pid))) return undefined
  const commandLine = await readFile(join(directory, 'postmaster.opts'), 'utf8').catch(() => '')
  return { postmaster: watchPid(directory, pid), port: Number(lines[3]), commandLine: commandLine.trim() }
}

/** What PostgreSQL writes into postmaster.opts when it is started like this. */
export function commandLineOf(binaries: Binaries, args: readonly string[]): string {
  return [binaries.postgres, ...args.map((argument) => `"${argument}"`)].join(' ')
}

/** It is not our child, so the kernel does not tell us that it ended. */
function watchPid(directory: string, pid: number): Postmaster {
  let gone = false
  const exited = (async () => {
    while (await isPostgresOn(directory, pid)) await delay(ADOPTED_LOOK_MS)
    gone = true
  })()
  return { pid, exited, hasExited: () => gone || !isAlive(pid) }
}

/**
 * Ends what is left of a server whose postmaster is gone, then removes its postmaster.pid, whose
 * process id may be someone else's by now. The processes end by themselves, but only when they next
 * wait for something, and until then they keep the shared memory that a new server needs.
 */
export async function clearRemains(directory: string): Promise<void> {
  if (!existsSync(join(directory, 'postmaster.pid'))) return
  for (let waitedMs = 0; ; waitedMs += LOOK_AGAIN_MS) {
    const remains = await postgresProcessesOn(directory)
    if (remains.length === 0) break
    const signal = waitedMs < IMMEDIATE_SHUTDOWN_MS ? 'SIGQUIT' : 'SIGKILL'
    for (const pid of remains) sendSignal(pid, signal)
    if (waitedMs > IMMEDIATE_SHUTDOWN_MS + KILL_MS) {
      throw new CannotStartPostgres(
        `PostgreSQL's process ${remains[0]} on ${directory} does not end: end it.`,
      )
    }
    await delay(LOOK_AGAIN_MS)
  }
  await rm(join(directory, 'postmaster.pid'), { force: true })
}

/** Ends the server: fast (what is under way is rolled back, a checkpoint is written), then by force. */
export async function endPostmaster(postmaster: Postmaster): Promise<void> {
  const steps = [
    ['SIGINT', FAST_SHUTDOWN_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
    ['SIGKILL', KILL_MS],
  ] as const
  for (const [signal, patienceMs] of steps) {
    if (postmaster.hasExited()) break
    sendSignal(postmaster.pid, signal)
    if (await exitsWithin(postmaster, patienceMs)) break
  }
}

async function exitsWithin(postmaster: Postmaster, patienceMs: number): Promise<boolean> {
  const patience = new AbortController()
  const expired = delay(patienceMs, false, { signal: patience.signal }).catch(() => false)
  const inTime = await Promise.race([postmaster.exited.then(() => true), expired])
  patience.abort()
  return inTime
}

export type Readiness = 'ready' | 'no database' | 'wrong password' | 'shutting down' | 'gone'

/** Waits until the server answers at `url`, through recovery too, by connecting. */
export async function waitUntilReady(
  url: string,
  postmaster: Pick<Postmaster, 'hasExited'>,
  log: (message: string) => void,
): Promise<Readiness> {
  const since = realNowMs()
  for (let looks = 1; ; looks++) {
    if (postmaster.hasExited()) return 'gone'
    const readiness = await tryToConnect(url)
    if (readiness !== undefined) return readiness
    if (looks % QUICK_LOOKS === 0) log('PostgreSQL is not ready yet: it may be recovering from a crash.')
    if (realNowMs() - since > MAX_RECOVERY_MS) {
      throw new CannotStartPostgres('PostgreSQL did not get ready: see postgres.log in DATA_DIR.')
    }
    await delay(looks < QUICK_LOOKS ? LOOK_AGAIN_MS : PATIENT_LOOK_MS)
  }
}

/** One look at the server at `url`. Undefined while nothing answers, or it is starting. */
export async function tryToConnect(url: string): Promise<Readiness | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return 'ready'
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? error.code : undefined
    if (code === '3D000') return 'no database'
    if (code === '28P01' || code === '28000') return 'wrong password'
    // The code, cannot_connect_now, is the same for starting and recovering; messages are in English (lc_messages C).
    if (code === '57P03' && messageOf(error).includes('shutting down')) return 'shutting down'
    return undefined
  } finally {
    await client.end().catch(() => {})
  }
}

/** Keeps the server's log below about 20 MB: the newest beside the one before. The server appends, so it may be cut. */
export async function boundLog(logFile: string): Promise<void> {
  const size = (await stat(logFile).catch(() => undefined))?.size ?? 0
  if (size < MAX_LOG_BYTES) return
  await copyFile(logFile, `${logFile}.1`)
  await truncate(logFile, 0)
}

async function postgresProcessesOn(directory: string): Promise<number[]> {
  if (platform() !== 'linux') return []
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 1)
  const ours = await Promise.all(pids.map((pid) => isPostgresOn(directory, pid)))
  return pids.filter((_pid, index) => ours[index])
}

/** Whether the process is a PostgreSQL that works in this very directory: its id alone may have been given to another. */
async function isPostgresOn(directory: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  try {
    if (platform() !== 'linux') {
      const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)])
      return stdout.includes('postgres') && stdout.includes(directory)
    }
    const [name, worksIn, wanted] = await Promise.all([
      readFile(`/proc/${pid}/comm`, 'utf8'),
      stat(`/proc/${pid}/cwd`),
      stat(directory),
    ])
    return name.trim() === 'postgres' && worksIn.ino === wanted.ino && worksIn.dev === wanted.dev
  } catch {
    // It ended meanwhile, or is another user's, which ours never is.
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended meanwhile.
  }
}
