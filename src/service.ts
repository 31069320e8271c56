import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { realNowMs } from '#kernel/clock'
import { OperatorError } from '#kernel/operator-error'
import { createSimulatorAcquirer, simulatorPages } from '#modules/acquirers'
import { encryptionKeysInUse } from '#modules/businesses'
import { resolveDownload } from '#modules/users'
import { readWalletConfiguration } from '#modules/wallets'
import type { Config } from '#platform/config'
import { openDatabase } from '#platform/postgres/open-database'
import type { Database, SharedStatements } from '#platform/postgres/database'
import { requireDurability } from '#platform/postgres/plain/durability'
import { namesSeveralHosts } from '#platform/postgres/hosts/host-list'
import type { ReplicaReads } from '#platform/postgres/replicas/replica-reads'
import { openReplicas } from '#platform/postgres/replicas/replicas'
import { releaseDeadLeases } from '#platform/jobs/dead-leases'
import { JobRunner } from '#platform/jobs/jobs'
import { Egress } from '#platform/security/egress'
import { acquireDataDirLock, startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres'
import { createHealthServer, createServer } from '#platform/http/server'
import { keysFromEnvironment, openKeyring } from '#platform/security/key-source'
import type { Keyring } from '#platform/security/keyring'
import { ProcessRegistry } from '#platform/processes/process-registry'
import { Recoveries } from '#platform/processes/recoveries'
import type { Log } from '#platform/observability/log'
import { createMetrics, type Metrics } from '#platform/observability/metrics'
import { startTracing } from '#platform/observability/tracing'
import type { Mailer } from '#platform/mail/mailer'
import { migrate } from '#platform/postgres/migrations/migrate'
import { messageOf } from '#platform/thrown'
import { startOwnSimulator } from './commands/acquirer-books.ts'
import { type Composition, compose } from './compose.ts'
import { END_LEASES } from './maintenance.ts'

/** How long clocks may continue to advance during a shutdown while a caller waits for one. */
export const CLOCK_DRAIN_MS = 20_000
const CALLER_POLL_MS = 100
/**
 * Concurrent runs of jobs that call the acquirer. Each run makes up to 16 calls, so together they fill its 64
 * connections.
 */
export const ACQUIRER_CONCURRENCY = 4

const APPLICATION_NAME = 'quittance'

type End = () => Promise<void>

export interface Roles {
  readonly api: boolean
  readonly worker: boolean
}

export interface RunningService {
  readonly url: string | undefined
  readonly composition: Composition
  readonly db: Database
  readonly failed: Promise<string>
  stop(): Promise<void>
}

export async function startService(
  config: Config,
  log: Log,
  roles: Roles,
  prepare: (composition: Composition, url: string) => Promise<void> = async () => {},
  stopped?: Promise<string>,
): Promise<RunningService> {
  // Validated before anything starts: a private key or a malformed encryption key stops the start.
  const wallets = await readWalletConfiguration(config)
  if (config.encryptionKeys !== undefined) keysFromEnvironment(config.encryptionKeys)
  const ends: End[] = []
  let isPrepared = false
  const failed = Promise.withResolvers<string>()
  try {
    ends.push(await startTracing(config.tracing, log))
    const databaseUrl = config.databaseUrl ?? (await startOwnDatabase(config, log, ends, failed.resolve))
    await migrate(databaseUrl, { stopped })
    if (config.databaseUrl === undefined) await releaseDeadLeases(databaseUrl, END_LEASES)
    const metrics = createMetrics({ withExemplars: config.tracing !== undefined })
    const db = await openDatabase(
      {
        url: databaseUrl,
        replicas: await replicasOf(config, databaseUrl, log),
        applicationName: APPLICATION_NAME,
        onNewPrimary: (host) => log.warn({ host }, 'another host of DATABASE_URL has become the primary'),
        observer: metrics.queues,
      },
      (shared) => checkDurability(config, shared, log),
    )
    ends.push(() => db.close())
    if (config.databaseUrl !== undefined && config.simulatorUrl === undefined) await warnAboutOthers(db, log)
    const simulator = config.simulatorUrl === undefined ? await startOwnSimulator(config, log) : undefined
    if (simulator !== undefined) ends.push(() => simulator.close())
    const simulatorUrl = config.simulatorUrl ?? simulator?.url ?? ''
    const acquirer = createSimulatorAcquirer({
      url: simulatorUrl,
      merchantId: 'SIMULATOR',
      timeoutMs: config.acquirerTimeoutMs,
      publicUrl: () => publicUrl(),
    })
    ends.push(() => acquirer.close())
    const recoveries = new Recoveries(db)
    const registry = new ProcessRegistry({ db, recoveries, log, onContracted: failed.resolve })
    await registry.start()
    ends.push(() => registry.stop())
    const egress = new Egress({ allowPrivate: config.allowPrivateWebhooks })
    ends.push(() => egress.close())
    let listeningUrl: string | undefined
    let healthUrl: string | undefined
    const publicUrl = () => config.publicUrl ?? listeningUrl ?? `http://${config.host}:${config.port}`
    const keyring = await openKeyring(config, await encryptionKeysInUse(db), (message) => log.warn(message))
    const mailer = await mailerOf(config)
    ends.push(async () => mailer?.close())
    const composition = compose({
      db,
      keyring,
      simulator: acquirer,
      simulatorPages: simulatorPages(simulatorUrl),
      mailer,
      acquirerTimeoutMs: config.acquirerTimeoutMs,
      egress,
      publicUrl,
      wallets,
      metrics,
      log,
      rateLimit: config.rateLimit,
      requestLogDays: config.requestLogDays,
      eventDays: config.eventDays,
      oidc: config.oidc,
      recoveries,
    })
    ends.push(() => composition.close())
    if (roles.worker) startWorkers(composition, db, log, ends)
    const isReady = async () =>
      isPrepared && !db.isDiskFull && (await db.shared.query(sql`select 1`)).length === 1
    if (roles.api) {
      const deps = { config, keyring, log, metrics, isReady, publicUrl, ends }
      listeningUrl = await serveInterface(composition, deps)
      await prepare(composition, listeningUrl)
    } else if (config.workerPort !== undefined) {
      const server = createHealthServer({ isReady, metrics, log, loggedShare: config.logRequests })
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
 * Other services on the database cannot reach this process's own simulator, which does not know their charges. It is only a
 * warning, because the other service may be one that is just stopping.
 */
async function warnAboutOthers(db: Database, log: Log): Promise<void> {
  const others = await db.shared.query(sql`
    select from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name = ${APPLICATION_NAME} limit 1`)
  if (others.length === 0) return
  log.warn(
    'Another Quittance service uses this DATABASE_URL. Each of them has its own simulator, which knows only its own charges. Set the same SIMULATOR_URL for all of them (npm run simulator).',
  )
}

async function checkDurability(config: Config, shared: SharedStatements, log: Log): Promise<void> {
  if (config.databaseUrl === undefined) return
  await requireDurability(shared, {
    hasSeveralHosts: namesSeveralHosts(config.databaseUrl),
    isLossAllowed: config.allowLossyDatabase,
    warn: (message) => log.warn(message),
  })
}

/** Nodemailer is loaded only where it is used. */
async function mailerOf(config: Config): Promise<Mailer | undefined> {
  if (config.smtpUrl === undefined) return undefined
  const { createMailer } = await import('#platform/mail/mailer')
  return createMailer(config)
}

async function replicasOf(
  { replica }: Config,
  primaryUrl: string,
  log: Log,
): Promise<ReplicaReads | undefined> {
  if (replica === undefined) return undefined
  return openReplicas({
    primaryUrl,
    replicaUrl: replica.url,
    maxLagMs: replica.maxLagSeconds * 1000,
    log: (message) => log.warn(message),
  })
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
  const { jobs, onFailure, onRun } = composition
  const { acquirerJobs, otherJobs } = Object.groupBy(jobs, ({ callsAcquirer }) =>
    callsAcquirer === true ? 'acquirerJobs' : 'otherJobs',
  )
  const options = { db, log, onFailure, onRun }
  const workers = [
    new JobRunner({ ...options, jobs: otherJobs ?? [] }),
    new JobRunner({ ...options, jobs: acquirerJobs ?? [], concurrency: ACQUIRER_CONCURRENCY }),
    ...composition.workers,
  ]
  for (const worker of workers) worker.start()
  ends.push(async () => {
    // An advancing clock would block the runners until it is done.
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
    recorder: composition.recorder,
    audit: composition.audit,
    catalogues: composition.catalogues,
    isReady,
    metrics,
    log,
    loggedShare: config.logRequests,
    rateLimit: config.rateLimit,
    fingerprintKeys: () => keyring.derivedKeys('idempotency'),
    publicUrl,
    rewriteUrl: resolveDownload,
    trustedProxies: config.trustedProxies,
  })
  const hasCallers = watchCallers(server)
  const url = await listen(server, { host: config.host, variable: 'PORT', port: config.port })
  deps.ends.push(async () => {
    // Callers who wait for a long advance get a response before their connections are closed.
    const stopClocksAtMs = realNowMs() + CLOCK_DRAIN_MS
    const polling = setInterval(() => {
      if (!hasCallers() || realNowMs() > stopClocksAtMs) void composition.clock.stop()
    }, CALLER_POLL_MS)
    await server.close()
    clearInterval(polling)
    await composition.clock.stop()
  })
  return url
}

/** A caller that disconnected cannot be distinguished from one that only half-closed, so neither counts. */
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
  readonly variable: string
  readonly port: number
}

async function listen(server: FastifyInstance, { host, variable, port }: Address): Promise<string> {
  try {
    return await server.listen({ host, port })
  } catch (cause) {
    throw new OperatorError(
      `Cannot listen on HOST ${host}, ${variable} ${port} (${messageOf(cause)}). Choose a different one.`,
      { cause },
    )
  }
}

/** Continues after a failure, so that the database is never left running. */
async function endAll(ends: End[]): Promise<void> {
  const failures: unknown[] = []
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) {
    await end().catch((error: unknown) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}
