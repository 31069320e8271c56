import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open, readdir, readFile, rm, stat, statfs, truncate, copyFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { realNowMs } from '#kernel/clock'
import { withOwnerConnection } from '#platform/postgres/owner-connection'
import { codeOf, messageOf } from '#platform/thrown'
import { type Account, type Binaries, CannotStartPostgres, PROGRAM_ENVIRONMENT } from './binaries.ts'

export interface Postmaster {
  readonly pid: number
  readonly exited: Promise<void>
  hasExited(): boolean
}

export interface Cluster {
  readonly directory: string
  readonly logFile: string
  readonly binaries: Binaries
  readonly account: Account | undefined
}

const run = promisify(execFile)
/** The first one after standard input, output and error. */
const DIRECTORY_DESCRIPTOR = 3
const FAST_SHUTDOWN_MS = 20_000
const IMMEDIATE_SHUTDOWN_MS = 5_000
const KILL_MS = 5_000
const MAX_RECOVERY_MS = 600_000
const POLL_MS = 25
/** After two seconds the server is recovering. Then poll less often, because every attempt is a line in its log. */
const FAST_POLLS = 80
const SLOW_POLL_MS = 250
const ADOPTED_POLL_MS = 100
const MAX_LOG_BYTES = 10_000_000
const LOW_SPACE_BYTES = 32_000_000

/**
 * The path that PostgreSQL's programs get. Another user may be unable to reach the directory (DATA_DIR with mode 0700, a clone
 * under /root). So root opens the directory and the programs find it as descriptor 3, which needs no permission on the parent
 * directories. (`/proc/self/cwd` works only from PostgreSQL 16 on: version 15 leaves its working directory.)
 */
export function pathForPrograms(cluster: Pick<Cluster, 'directory' | 'account'>): string {
  const isOpen = cluster.account !== undefined && platform() === 'linux'
  return isOpen ? `/proc/self/fd/${DIRECTORY_DESCRIPTOR}` : cluster.directory
}

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

/** A sentence to append to PostgreSQL's own message, which may not mention a full disk; empty when there is space. */
export async function noteOnSpace(directory: string, readSpace: typeof statfs = statfs): Promise<string> {
  const disk = await readSpace(directory).catch(() => undefined)
  if (disk === undefined || disk.bavail * disk.bsize >= LOW_SPACE_BYTES) return ''
  const megabytes = Math.floor((disk.bavail * disk.bsize) / 1_000_000)
  return `. The disk of ${directory} has ${megabytes} MB left: make room there.`
}

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

/** The server gets its own session, so that Ctrl-C in our terminal does not end it before we have drained. */
export async function spawnPostmaster(cluster: Cluster, args: readonly string[]): Promise<Postmaster> {
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

export async function leftBehindPostmaster(
  directory: string,
): Promise<{ postmaster: Postmaster; port: number; commandLine: string } | undefined> {
  const lines = (await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 1 || !(await isPostgresOn(directory, pid))) return undefined
  const commandLine = await readFile(join(directory, 'postmaster.opts'), 'utf8').catch(() => '')
  return { postmaster: watchPid(directory, pid), port: Number(lines[3]), commandLine: commandLine.trim() }
}

export function commandLineOf(binaries: Binaries, args: readonly string[]): string {
  return [binaries.postgres, ...args.map((argument) => `"${argument}"`)].join(' ')
}

/** Polls, because the kernel reports the end of child processes only. */
function watchPid(directory: string, pid: number): Postmaster {
  let gone = false
  const exited = (async () => {
    while (await isPostgresOn(directory, pid)) await delay(ADOPTED_POLL_MS)
    gone = true
  })()
  return { pid, exited, hasExited: () => gone || !isAlive(pid) }
}

/**
 * Ends the processes of a server without a postmaster. They would end by themselves, but only when they next wait for
 * something, and until then they hold the shared memory that a new server needs. Then removes postmaster.pid, whose process
 * id may belong to another program by now.
 */
export async function clearRemains(directory: string): Promise<void> {
  if (!existsSync(join(directory, 'postmaster.pid'))) return
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const remains = await postgresProcessesOn(directory)
    if (remains.length === 0) break
    const signal = waitedMs < IMMEDIATE_SHUTDOWN_MS ? 'SIGQUIT' : 'SIGKILL'
    for (const pid of remains) sendSignal(pid, signal)
    if (waitedMs > IMMEDIATE_SHUTDOWN_MS + KILL_MS) {
      throw new CannotStartPostgres(
        `PostgreSQL's process ${remains[0]} on ${directory} does not exit: kill it.`,
      )
    }
    await delay(POLL_MS)
  }
  await rm(join(directory, 'postmaster.pid'), { force: true })
}

export async function endPostmaster(postmaster: Postmaster): Promise<void> {
  const steps = [
    ['SIGINT', FAST_SHUTDOWN_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
    ['SIGKILL', KILL_MS],
  ] as const
  for (const [signal, timeoutMs] of steps) {
    if (postmaster.hasExited()) break
    sendSignal(postmaster.pid, signal)
    if (await exitsWithin(postmaster, timeoutMs)) break
  }
}

async function exitsWithin(postmaster: Postmaster, timeoutMs: number): Promise<boolean> {
  const timeout = new AbortController()
  const expired = delay(timeoutMs, false, { signal: timeout.signal }).catch(() => false)
  const inTime = await Promise.race([postmaster.exited.then(() => true), expired])
  timeout.abort()
  return inTime
}

export type Readiness = 'ready' | 'no database' | 'wrong password' | 'shutting down' | 'gone'

export async function waitUntilReady(
  url: string,
  postmaster: Pick<Postmaster, 'hasExited'>,
  log: (message: string) => void,
): Promise<Readiness> {
  const since = realNowMs()
  for (let polls = 1; ; polls++) {
    if (postmaster.hasExited()) return 'gone'
    const readiness = await tryToConnect(url)
    if (readiness !== undefined) return readiness
    if (polls % FAST_POLLS === 0) log('PostgreSQL is not ready yet: it may be recovering from a crash.')
    if (realNowMs() - since > MAX_RECOVERY_MS) {
      throw new CannotStartPostgres('PostgreSQL did not become ready: see postgres.log in DATA_DIR.')
    }
    await delay(polls < FAST_POLLS ? POLL_MS : SLOW_POLL_MS)
  }
}

export async function tryToConnect(url: string): Promise<Readiness | undefined> {
  try {
    await withOwnerConnection(url, async () => {})
    return 'ready'
  } catch (error) {
    const code = codeOf(error)
    if (code === '3D000') return 'no database'
    if (code === '28P01' || code === '28000') return 'wrong password'
    // Starting and recovering have the same code. Messages are in English because of lc_messages.
    if (code === '57P03' && messageOf(error).includes('shutting down')) return 'shutting down'
    return undefined
  }
}

/** Keeps the log and its predecessor below about 20 MB. The server appends, so the file can be truncated. */
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

/** Checks name and working directory, because the process id may have been reused. */
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
  } catch {}
}
