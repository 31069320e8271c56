import { mkdir, readFile, realpath, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { realNowMs } from '#kernel/clock'
import { codeOf, messageOf } from '#platform/thrown'
import { CannotStartPostgres } from './binaries.ts'
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

export { acquireDataDirLock, DataDirInUse } from './lock.ts'

/**
 * The PostgreSQL that `npm start` brings: real and durable, in `DATA_DIR/postgres`, on a free port of
 * 127.0.0.1 with a random password. It outlives a service that is killed, and the next one adopts it.
 * Decisions, section 10.
 */
export interface EmbeddedPostgres {
  /** `postgres://…@127.0.0.1:port/quittance`, of the owner, a superuser. The same for as long as this runs. */
  readonly url: string
  /** Called once, with a sentence, when the server is gone and starting it again has failed, or not helped, for good. */
  onExit(callback: (reason: string) => void): void
  /** Ends the server: what is under way is rolled back. Close pools first. May be called twice. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  readonly dataDir: string
  /** The major version. 15 is there in development only. */
  readonly version?: 18 | 15
  readonly log: (message: string) => void
  /** Added to, and winning over, the settings below. */
  readonly settings?: Readonly<Record<string, string>>
}

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  // No socket file: it would need a directory that every user may enter.
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // Checkpoints are rare: after each, every page is written to the log in full once more.
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  checkpoint_timeout: '15min',
  // A new file of the log is not filled with 16 MB of zeros first: all commits would wait for that, up to 100 ms.
  wal_init_zero: 'off',
  // A plan that was made while a table was small is kept until the table is analyzed: sooner than after the default of a
  // minute, when a database is new. Looking more often cost a twentieth of a billing run.
  autovacuum_naptime: '20s',
  // A table's first rows are analyzed all the same. Later a tenth of new ones (the default) changes no plan, and
  // analyzing was a sixth of what PostgreSQL did in a billing run.
  autovacuum_analyze_scale_factor: '0.5',
  // Rows are looked up by their keys, so a sample of 7,500 says enough. One of 30,000 (the default) kept a processor busy
  // for half a second in every five while webhooks were delivered.
  default_statistics_target: '25',
  // As disks without a moving head have it. By the default a table of five pages is read whole rather than looked up,
  // and who was planned like that goes on so until the table is analyzed.
  random_page_cost: '1.1',
  // As in every session of ours (session.ts): for whoever looks into the database beside it.
  jit: 'off',
  timezone: 'UTC',
  // A statement of a client that was killed stops, and lets its locks go.
  client_connection_check_interval: '5s',
  // What the server says about itself is logged. Errors of statements quote values, and go to the client only.
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
/** Six seconds in all, of a server that never stayed for `HEALTHY_AFTER_MS`; then the service is better told. */
const MAX_RESTARTS = 5
const FIRST_BACKOFF_MS = 200
const HEALTHY_AFTER_MS = 60_000
const BOUND_LOG_EVERY_MS = 60_000
const MAX_TERMINATION_MS = 5_000
const SERVICE_TIMEOUT_MS = 30_000

/**
 * Starts PostgreSQL on `dataDir`, or adopts the one that a killed service left running there. The
 * caller holds the lock of the directory. Throws `CannotStartPostgres` with a sentence for the operator.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    return await start(options)
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error
    throw new CannotStartPostgres(
      `${messageOf(error)}. Quittance needs a DATA_DIR that it may write and whose files are its own.`,
      { cause: error },
    )
  }
}

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 })
  const dataDir = await realpath(options.dataDir)
  const { cluster, access } = await openCluster(dataDir, options.version ?? 18, options.log)
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
 * Where the service that runs on `dataDir` has its database, for the command line beside it.
 * Undefined when no service runs there; waits for one that is just starting, and throws when it does
 * not get ready.
 */
export async function runningPostgresUrl(dataDir: string): Promise<string | undefined> {
  const giveUpAt = realNowMs() + SERVICE_TIMEOUT_MS
  while (await isDataDirLocked(dataDir)) {
    const access = await readAccess(dataDir)
    if (access?.port !== undefined) {
      const url = urlOf({ password: access.password, port: access.port })
      if ((await tryToConnect(url)) === 'ready') return url
    }
    if (realNowMs() > giveUpAt) {
      throw new CannotStartPostgres(`Quittance runs on ${dataDir}, but its database does not answer.`)
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
 * Takes over the server that a killed service left, when it was started as we would start it and
 * answers. Any other is ended. What the killed service had under way there is ended in both cases,
 * so that nothing of it commits behind the back of the new one.
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

/** Answers whether all of them are gone. */
async function endOtherSessions(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    for (const until = realNowMs() + MAX_TERMINATION_MS; realNowMs() < until; await delay(10)) {
      const others = await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
      if (others.rowCount === 0) return true
    }
    return false
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function startOnFreePort(server: Server): Promise<RunningServer> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    try {
      return { port, postmaster: await launch(server, port) }
    } catch (error) {
      // Someone else took the port between our look and the server's.
      const taken = messageOf(error).includes('could not create any TCP/IP sockets')
      if (!taken || attempt === MAX_PORTS_TRIED) throw error
    }
  }
}

/** Starts the server and waits until it answers. Nothing is left running when it throws. */
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
      `PostgreSQL refuses the password in postgres.json: put the one back that belongs to ${server.cluster.directory}.`,
    )
  }
  const said = (await readFile(server.cluster.logFile)).subarray(logged).toString().trim()
  const note = await noteOnSpace(server.cluster.directory)
  return new CannotStartPostgres(
    `PostgreSQL ended at start: ${said.split('\n').slice(-5).join(' | ')}${note}`,
  )
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}

/** Keeps a server running, on the same port, until it is stopped. */
class SupervisedPostgres implements EmbeddedPostgres {
  readonly url: string
  readonly #server: Server
  readonly #port: number
  readonly #callbacks: ((reason: string) => void)[] = []
  readonly #stopping = new AbortController()
  readonly #logBounds: NodeJS.Timeout
  readonly #supervision: Promise<void>
  #postmaster: Postmaster
  /** Why it could not be started again the last time. */
  #trouble = ''
  #gone: string | undefined

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
    if (this.#gone === undefined) this.#callbacks.push(callback)
    else callback(this.#gone)
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
        if (failures === MAX_RESTARTS) return this.#giveUp()
        runs = await this.#restart(failures++)
        if (this.#stopping.signal.aborted) return
      }
    }
  }

  /** Answers whether a server runs again. One that got ready while we were told to stop is ended. */
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
      this.#trouble = messageOf(error)
      if (!this.#stopping.signal.aborted) log(this.#trouble)
      return false
    }
  }

  #giveUp(): void {
    clearInterval(this.#logBounds)
    this.#gone = `PostgreSQL ended and could not be started again. ${this.#trouble}`.trim()
    for (const callback of this.#callbacks) callback(this.#gone)
  }
}
