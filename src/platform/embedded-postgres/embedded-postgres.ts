import { readFile, realpath, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { realNowMs } from '#kernel/clock'
import { withOwnerConnection } from '#platform/postgres/owner-connection'
import { makeDataDirectory } from '#platform/data-directory'
import { codeOf, messageOf } from '#platform/thrown'
import { CannotStartPostgres, type InstalledPostgres, ownPostgres } from './binaries.ts'
import { type Access, DATABASE, openCluster, readAccess, urlOf, writeAccess } from './cluster.ts'
import { isDataDirLocked } from './lock.ts'
import {
  boundLog,
  clearRemains,
  type Cluster,
  commandLineOf,
  endPostmaster,
  leftBehindPostmaster,
  noteOnSpace,
  type Postmaster,
  postmasterArguments,
  spawnPostmaster,
  tryToConnect,
  waitUntilReady,
} from './process.ts'
import { freePort } from './free-port.ts'

export { hasDatabase } from './cluster.ts'
export { acquireDataDirLock, DataDirInUse } from './lock.ts'

export interface EmbeddedPostgres {
  readonly url: string
  onExit(callback: (reason: string) => void): void
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string
  /** Without it, the one that `npm ci` installs. */
  readonly postgres?: InstalledPostgres
  readonly log: (message: string) => void
  readonly settings?: Readonly<Record<string, string>>
}

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  // A socket file would need a directory that every user may enter.
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Rare checkpoints: after each, the first change of every page writes the whole page to the log.
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  checkpoint_timeout: '15min',
  // Filling a new log file with 16 MB of zeros blocked all commits for up to 100 ms.
  wal_init_zero: 'off',
  // Plans that were made for a small table last until the table is analyzed, so a new database needs more than the default
  // of once a minute. A shorter interval cost a twentieth of a billing run.
  autovacuum_naptime: '20s',
  // The default of a tenth of new rows changes no plan once a table has rows, and analyzing was a sixth of PostgreSQL's work in
  // a billing run.
  autovacuum_analyze_scale_factor: '0.5',
  // Samples of 7,500 rows are enough for look-ups by key. The default of 30,000 kept a processor busy for half a second in
  // every five while webhooks were delivered.
  default_statistics_target: '25',
  // The value for disks without a moving head. By default PostgreSQL scans a table of five pages and ignores its index.
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  // Stops statements of clients that were killed, which releases their locks.
  client_connection_check_interval: '5s',
  // Errors of statements quote values, so they go to the client and not to the log.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_statement: 'none',
  log_min_duration_statement: '-1',
  log_timezone: 'UTC',
  lc_messages: 'C',
}

const MAX_PORTS_TRIED = 5
const MAX_RESTARTS = 5
const FIRST_BACKOFF_MS = 200
const HEALTHY_AFTER_MS = 60_000
const BOUND_LOG_EVERY_MS = 60_000
const MAX_TERMINATION_MS = 5_000
const SERVICE_TIMEOUT_MS = 30_000

/**
 * Starts PostgreSQL on `dataDir`, or adopts the one that a killed service left running. The caller holds the lock of the
 * directory. Throws `CannotStartPostgres`.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options)
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error
    throw new CannotStartPostgres(
      `${messageOf(error)}. DATA_DIR must be writable, and its files must belong to the user who starts Quittance.`,
      { cause: error },
    )
  }
}

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  makeDataDirectory(options.dataDir)
  const dataDir = await realpath(options.dataDir)
  const { cluster, access } = await openCluster(dataDir, options.postgres ?? ownPostgres(), options.log)
  const server: Server = {
    cluster,
    access,
    settings: { ...SETTINGS, ...options.settings },
    log: options.log,
  }
  await boundLog(cluster.logFile)
  const running = (await adopt(server)) ?? (await startOnFreePort(server))
  writeAccess(dataDir, { password: access.password, port: running.port })
  return new SupervisedPostgres(server, running)
}

/**
 * The database of the service that runs on `dataDir`; undefined when none runs. Waits for a service that is starting, and
 * throws when its database does not become ready.
 */
export async function runningPostgresUrl(dataDir: string): Promise<string | undefined> {
  const deadlineMs = realNowMs() + SERVICE_TIMEOUT_MS
  while (await isDataDirLocked(dataDir)) {
    const access = await readAccess(dataDir)
    if (access?.port !== undefined) {
      const url = urlOf({ password: access.password, port: access.port })
      if ((await tryToConnect(url)) === 'ready') return url
    }
    if (realNowMs() > deadlineMs) {
      throw new CannotStartPostgres(`Quittance runs on ${dataDir}, but its database does not respond.`)
    }
    await delay(100)
  }
  return undefined
}

interface Server {
  readonly cluster: Cluster
  readonly access: Access
  readonly settings: Readonly<Record<string, string>>
  readonly log: (message: string) => void
}

interface RunningServer {
  readonly postmaster: Postmaster
  readonly port: number
}

/**
 * Takes over a server that was started with our command line and is ready; ends any other. In both cases the sessions of the
 * killed service end, so that none of its transactions commits later.
 */
async function adopt(server: Server): Promise<RunningServer | undefined> {
  const { cluster, access, log } = server
  const left = await leftBehindPostmaster(cluster.directory)
  if (left === undefined) return undefined
  const { postmaster, port } = left
  const expected = commandLineOf(cluster.binaries, postmasterArguments(cluster, port, server.settings))
  if (left.commandLine === expected) {
    const url = urlOf({ password: access.password, port })
    const readiness = await waitUntilReady(url, postmaster, log)
    if (readiness === 'ready' && (await endOtherSessions(url))) {
      log(`Adopted the PostgreSQL (process ${postmaster.pid}) that an earlier Quittance left running.`)
      return { postmaster, port }
    }
  }
  log(`Ending the PostgreSQL (process ${postmaster.pid}) that an earlier Quittance left running.`)
  await endPostmaster(postmaster)
  return undefined
}

async function endOtherSessions(url: string): Promise<boolean> {
  const ended = withOwnerConnection(url, async (owner) => {
    for (const until = realNowMs() + MAX_TERMINATION_MS; realNowMs() < until; await delay(10)) {
      const others = await owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
      if (others.rowCount === 0) return true
    }
    return false
  })
  return ended.catch(() => false)
}

async function startOnFreePort(server: Server): Promise<RunningServer> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    try {
      return { port, postmaster: await launch(server, port) }
    } catch (error) {
      const taken = messageOf(error).includes('could not create any TCP/IP sockets')
      if (!taken || attempt === MAX_PORTS_TRIED) throw error
    }
  }
}

async function launch(server: Server, port: number): Promise<Postmaster> {
  const { cluster, access } = server
  await clearRemains(cluster.directory)
  const logged = (await stat(cluster.logFile).catch(() => undefined))?.size ?? 0
  const postmaster = await spawnPostmaster(cluster, postmasterArguments(cluster, port, server.settings))
  try {
    const readiness = await waitUntilReady(urlOf({ password: access.password, port }), postmaster, server.log)
    if (readiness === 'no database')
      await createDatabase(urlOf({ password: access.password, port }, 'postgres'))
    else if (readiness !== 'ready') throw await notReady(server, readiness, logged)
    return postmaster
  } catch (error) {
    await endPostmaster(postmaster)
    throw error
  }
}

async function notReady(server: Server, readiness: string, logged: number): Promise<Error> {
  if (readiness === 'wrong password') {
    return new CannotStartPostgres(
      `PostgreSQL refuses the password in postgres.json: restore the password that belongs to ${server.cluster.directory}.`,
    )
  }
  const said = (await readFile(server.cluster.logFile)).subarray(logged).toString().trim()
  const note = await noteOnSpace(server.cluster.directory)
  return new CannotStartPostgres(
    `PostgreSQL exited at startup: ${said.split('\n').slice(-5).join(' | ')}${note}`,
  )
}

async function createDatabase(url: string): Promise<void> {
  await withOwnerConnection(url, (owner) => owner.query(`create database ${DATABASE}`))
}

class SupervisedPostgres implements EmbeddedPostgres {
  readonly url: string
  readonly #server: Server
  readonly #port: number
  readonly #callbacks: ((reason: string) => void)[] = []
  readonly #stopping = new AbortController()
  readonly #logBounds: NodeJS.Timeout
  readonly #supervision: Promise<void>
  #postmaster: Postmaster
  #lastProblem = ''
  #failure: string | undefined

  constructor(server: Server, running: RunningServer) {
    this.#server = server
    this.#port = running.port
    this.#postmaster = running.postmaster
    this.url = urlOf({ password: server.access.password, port: running.port })
    this.#logBounds = setInterval(() => {
      boundLog(server.cluster.logFile).catch((error: unknown) => server.log(messageOf(error)))
    }, BOUND_LOG_EVERY_MS).unref()
    this.#supervision = this.#supervise()
  }

  onExit(callback: (reason: string) => void): void {
    if (this.#failure === undefined) this.#callbacks.push(callback)
    else callback(this.#failure)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    clearInterval(this.#logBounds)
    await endPostmaster(this.#postmaster)
    await this.#supervision
  }

  async #supervise(): Promise<void> {
    let failures = 0
    for (;;) {
      const since = realNowMs()
      await this.#postmaster.exited
      if (this.#stopping.signal.aborted) return
      if (realNowMs() - since > HEALTHY_AFTER_MS) failures = 0
      for (let runs = false; !runs;) {
        if (failures === MAX_RESTARTS) return this.#abandon()
        runs = await this.#restart(failures++)
        if (this.#stopping.signal.aborted) return
      }
    }
  }

  async #restart(failures: number): Promise<boolean> {
    const { log } = this.#server
    log(`PostgreSQL (process ${this.#postmaster.pid}) ended unexpectedly; starting it again.`)
    try {
      const backoffMs = FIRST_BACKOFF_MS * 2 ** failures
      await delay(backoffMs, undefined, { signal: this.#stopping.signal })
      this.#postmaster = await launch(this.#server, this.#port)
      if (this.#stopping.signal.aborted) await endPostmaster(this.#postmaster)
      else log(`PostgreSQL runs again (process ${this.#postmaster.pid}).`)
      return true
    } catch (error) {
      this.#lastProblem = messageOf(error)
      if (!this.#stopping.signal.aborted) log(this.#lastProblem)
      return false
    }
  }

  #abandon(): void {
    clearInterval(this.#logBounds)
    this.#failure = `PostgreSQL ended and could not be started again. ${this.#lastProblem}`.trim()
    for (const callback of this.#callbacks) callback(this.#failure)
  }
}
