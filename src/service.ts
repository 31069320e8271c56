import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { realNowMs } from '#kernel/clock'
import { OperatorError } from '#kernel/operator-error'
import { createSimulatorAcquirer } from '#modules/acquirers'
import { encryptionKeysInUse } from '#modules/businesses'
import { readWalletConfiguration } from '#modules/wallets'
import type { Config } from '#platform/config'
import { Database } from '#platform/postgres/database'
import { endDeadLeases } from '#platform/jobs/dead-leases'
import { JobRunner } from '#platform/jobs/jobs'
import { Egress } from '#platform/security/egress'
import { acquireDataDirLock, startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres'
import { createHealthServer, createServer } from '#platform/http/server'
import { keysOfEnvironment, openKeyring } from '#platform/security/key-source'
import type { Keyring } from '#platform/security/keyring'
import type { Log } from '#platform/observability/log'
import { createMetrics, type Metrics } from '#platform/observability/metrics'
import { migrate } from '#platform/postgres/migrations/migrate'
import { messageOf } from '#platform/thrown'
import { startOwnSimulator } from './commands/acquirer-books.ts'
import { type Composition, compose, END_LEASES } from './compose.ts'

/** How long moving clocks may go on while the server drains, as long as anybody waits for one. */
const CLOCK_DRAIN_MS = 20_000
const LOOK_FOR_CALLERS_MS = 100
/** Work of tenants that asks the acquirer at the same time: with its batches of 16, as much as there are connections for. */
const ASKING_AT_ONCE = 4

const APPLICATION_NAME = 'quittance'

/** What can be ended; ended in the reverse order of starting. */
type End = () => Promise<void>

/** What a process of ours does: answer requests, do due work, or both. */
export interface Roles {
  readonly api: boolean
  readonly worker: boolean
}

export interface RunningService {
  /** The listening address; undefined for a worker without WORKER_PORT. */
  readonly url: string | undefined
  readonly composition: Composition
  readonly db: Database
  /** Settles when something that the service cannot do without has ended by itself. */
  readonly failed: Promise<string>
  /** Drains: requests and work under way finish. */
  stop(): Promise<void>
}

/** Everything in one process tree, on the embedded PostgreSQL unless DATABASE_URL names another. */
export async function startService(
  config: Config,
  log: Log,
  roles: Roles,
  /** Done before the service says that it is ready. */
  prepare: (composition: Composition, url: string) => Promise<void> = async () => {},
  /** Settles with the signal that tells to stop. */
  stopped?: Promise<string>,
): Promise<RunningService> {
  // First, so that a private key, and what is no encryption key, is refused before anything has started.
  const wallets = await readWalletConfiguration(config)
  if (config.encryptionKeys !== undefined) keysOfEnvironment(config.encryptionKeys)
  const ends: End[] = []
  let isPrepared = false
  const failed = Promise.withResolvers<string>()
  try {
    const databaseUrl = config.databaseUrl ?? (await startOwnDatabase(config, log, ends, failed.resolve))
    await migrate(databaseUrl, { stopped })
    if (config.databaseUrl === undefined) await endDeadLeases(databaseUrl, END_LEASES)
    const db = new Database({ url: databaseUrl, applicationName: APPLICATION_NAME })
    ends.push(() => db.close())
    if (config.databaseUrl !== undefined && config.simulatorUrl === undefined) await warnOfOthers(db, log)
    const simulator = config.simulatorUrl === undefined ? await startOwnSimulator(config, log) : undefined
    if (simulator !== undefined) ends.push(() => simulator.close())
    const acquirer = createSimulatorAcquirer({
      url: config.simulatorUrl ?? simulator?.url ?? '',
      merchantId: 'SIMULATOR',
      timeoutMs: config.acquirerTimeoutMs,
    })
    ends.push(() => acquirer.close())
    const egress = new Egress({ allowPrivate: config.allowPrivateWebhooks })
    ends.push(() => egress.close())
    const metrics = createMetrics()
    let listeningUrl: string | undefined
    let healthUrl: string | undefined
    const publicUrl = () => config.publicUrl ?? listeningUrl ?? `http://${config.host}:${config.port}`
    const keyring = await openKeyring(config, await encryptionKeysInUse(db), (message) => log.warn(message))
    const composition = compose({
      db,
      keyring,
      testAcquirer: acquirer,
      egress,
      publicUrl,
      wallets,
      metrics,
      log,
    })
    if (roles.worker) startWorkers(composition, db, log, ends)
    const isReady = async () => isPrepared && (await db.shared.query(sql`select 1`)).length === 1
    if (roles.api) {
      const deps = { config, keyring, log, metrics, isReady, publicUrl, ends }
      listeningUrl = await serveInterface(composition, deps)
      await prepare(composition, listeningUrl)
    } else if (config.workerPort !== undefined) {
      const server = createHealthServer({ isReady, metrics, log })
      healthUrl = await listen(server, {
        host: config.host,
        variable: 'WORKER_PORT',
        port: config.workerPort,
      })
      ends.push(() => server.close())
    }
    isPrepared = true
    return {
      url: listeningUrl ?? healthUrl,
      composition,
      db,
      failed: failed.promise,
      stop: () => endAll(ends),
    }
  } catch (error) {
    await endAll(ends)
    throw error
  }
}

/**
 * Others on the database do not ask the simulator that this process brings, which does not know what they charged. They
 * may also be one that is just ending, so that this one starts.
 */
async function warnOfOthers(db: Database, log: Log): Promise<void> {
  const others = await db.shared.query(sql`
    select from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name = ${APPLICATION_NAME} limit 1`)
  if (others.length === 0) return
  log.warn(
    'Another Quittance works on this DATABASE_URL: with a simulator of its own each knows only what it charged itself. Set one SIMULATOR_URL for all of them (npm run simulator).',
  )
}

async function startOwnDatabase(
  config: Config,
  log: Log,
  ends: End[],
  onFailed: (reason: string) => void,
): Promise<string> {
  const lock = await acquireDataDirLock(config.dataDir)
  ends.push(() => lock.release())
  const postgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log: (message) => log.info(message),
  })
  ends.push(() => postgres.stop())
  postgres.onExit(onFailed)
  return postgres.url
}

function startWorkers(composition: Composition, db: Database, log: Log, ends: End[]): void {
  const { jobs, onFailure } = composition
  const { asking, others } = Object.groupBy(jobs, ({ callsAcquirer }) =>
    callsAcquirer === true ? 'asking' : 'others',
  )
  const workers = [
    new JobRunner({ db, jobs: others ?? [], log, onFailure }),
    new JobRunner({ db, jobs: asking ?? [], log, onFailure, concurrency: ASKING_AT_ONCE }),
    ...composition.workers,
  ]
  for (const worker of workers) worker.start()
  ends.push(async () => {
    // A clock that is being moved would keep the runner for as long as that takes.
    await composition.clock.stop()
    await Promise.all(workers.map((worker) => worker.stop()))
  })
}

async function serveInterface(
  composition: Composition,
  deps: {
    config: Config
    keyring: Keyring
    log: Log
    metrics: Metrics
    isReady: () => Promise<boolean>
    publicUrl: () => string
    ends: End[]
  },
): Promise<string> {
  const { config, keyring, log, metrics, isReady, publicUrl } = deps
  const server = createServer({
    routes: composition.routes,
    events: composition.events,
    plainRoutes: composition.pages,
    authenticate: composition.authenticate,
    catalogues: composition.catalogues,
    isReady,
    metrics,
    log,
    rateLimit: config.rateLimit,
    fingerprintKeys: () => keyring.derivedKeys('idempotency'),
    publicUrl,
  })
  const areListening = watchCallers(server)
  const url = await listen(server, { host: config.host, variable: 'PORT', port: config.port })
  deps.ends.push(async () => {
    // Whoever waits for a clock that still has far to go is answered before connections are cut.
    const stopClocksAtMs = realNowMs() + CLOCK_DRAIN_MS
    const looking = setInterval(() => {
      if (!areListening() || realNowMs() > stopClocksAtMs) void composition.clock.stop()
    }, LOOK_FOR_CALLERS_MS)
    await server.close()
    clearInterval(looking)
    await composition.clock.stop()
  })
  return url
}

/**
 * Whether any caller is known to listen still. One who hung up looks like one who has only ended its side of the
 * connection, and is seen to be gone when it is answered.
 */
function watchCallers({ server }: FastifyInstance): () => boolean {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return () => [...open].some((socket) => !socket.readableEnded)
}

interface Address {
  readonly host: string
  /** The variable that the port was read from. */
  readonly variable: string
  readonly port: number
}

async function listen(server: FastifyInstance, { host, variable, port }: Address): Promise<string> {
  try {
    return await server.listen({ host, port })
  } catch (cause) {
    throw new OperatorError(
      `Cannot listen on HOST ${host}, ${variable} ${port} (${messageOf(cause)}). Set another.`,
      { cause },
    )
  }
}

/** One that fails keeps none of the others from it: the database would be left running. */
async function endAll(ends: End[]): Promise<void> {
  const failures: unknown[] = []
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
    await end().catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}
