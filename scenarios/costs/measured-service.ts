import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { businessesOf, prepareBusiness } from '#modules/businesses'
import { startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres'
import { freePort } from '#platform/embedded-postgres/free-port'
import { migrate } from '#platform/postgres/migrations/migrate'
import { PlainDatabase } from '#platform/postgres/plain/plain-database'
import { keysFromEnvironment } from '#platform/security/key-source'
import { Keyring } from '#platform/security/keyring'
import { cleanUp } from '#platform/testing/clean-up'
import { sandboxOf } from '../../src/sandbox-file.ts'
import { Client } from '../harness/client.ts'
import {
  collectOutput,
  nodeFlags,
  REPOSITORY_ROOT,
  spawnProgram,
  stopProcess,
  waitUntilReady,
} from '../harness/service.ts'
import type { Measurement } from './cost-table.ts'
import { readWal, walPosition } from './wal.ts'
import { startWireCounter } from './wire-counter.ts'

/** Switches off everything that writes to the log at a time of its own. */
const SETTINGS = {
  autovacuum: 'off',
  full_page_writes: 'off',
  checkpoint_timeout: '1d',
  max_wal_size: '10GB',
  fsync: 'off',
}

const KEYS = '01'.repeat(32)
/** Longer than the interval in which the request log is written. */
const QUIET_MS = 400

export interface MeasuredService {
  readonly client: Client
  /** Returns the cost of each of `repetitions` of the work. */
  measure(repetitions: number, work: () => Promise<unknown>): Promise<Measurement>
  /** Waits until the service sends nothing to the database. */
  untilQuiet(): Promise<void>
  startWorker(settings?: Readonly<Record<string, string>>): Promise<ChildProcess>
  /** Asks the database for a number. The question is not counted. */
  numberOf(statement: string): Promise<number>
}

/**
 * A service without a worker, so that it writes only for requests, on a PostgreSQL of its own.
 * @param settings of the service, not of its workers
 */
export async function startMeasuredService(
  settings: Readonly<Record<string, string>>,
): Promise<MeasuredService> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-costs-'))
  cleanUp(() => rm(folder, { recursive: true, force: true }))
  const postgres = await startEmbeddedPostgres({ dataDir: folder, settings: SETTINGS, log: () => {} })
  cleanUp(() => postgres.stop())
  await migrate(postgres.url)
  const admin = new pg.Client({ connectionString: postgres.url })
  await admin.connect()
  cleanUp(() => admin.end())
  await admin.query('create extension pg_walinspect')
  const wire = await startWireCounter(postgres.url)
  const simulatorPort = await freePort()
  const simulatorUrl = `http://127.0.0.1:${simulatorPort}`
  const heapFile = join(folder, 'allocated')
  const shared = {
    DATABASE_URL: wire.url,
    ALLOW_LOSSY_DATABASE: '1',
    ENCRYPTION_KEYS: KEYS,
    SIMULATOR_URL: simulatorUrl,
    ALLOW_PRIVATE_WEBHOOKS: '1',
    RATE_LIMIT: '0',
    LOG_LEVEL: 'warn',
    DATA_DIR: folder,
  }
  await startProgram('src/simulator.ts', [], `${simulatorUrl}/health`, {
    SIMULATOR_PORT: String(simulatorPort),
    SIMULATOR_DIR: join(folder, 'simulator'),
  })
  const business = await createBusiness(postgres.url)
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const service = await startProgram('src/main.js', ['api'], `${baseUrl}/readyz`, {
    ...shared,
    ...settings,
    PORT: String(port),
    HEAP_COUNTER_FILE: heapFile,
    NODE_OPTIONS: `--import=${join(REPOSITORY_ROOT, 'scenarios/costs/heap-counter.js')}`,
  })
  const untilQuiet = async () => {
    do await sleep(QUIET_MS)
    while (performance.now() - wire.lastAtMs() < QUIET_MS)
  }
  const allocatedBytes = async () => {
    await rm(heapFile, { force: true })
    service.kill('SIGUSR2')
    for (;;) {
      const text = await readFile(heapFile, 'utf8').catch(() => '')
      if (text !== '') return Number(text)
      await sleep(5)
    }
  }
  return {
    client: new Client(sandboxOf(business, baseUrl)),
    untilQuiet,
    numberOf: async (statement) => {
      const { rows } = await admin.query<[string]>({ text: statement, rowMode: 'array' })
      return Number(rows[0]?.[0] ?? 0)
    },
    measure: async (repetitions, work) => {
      await untilQuiet()
      const [from, before, allocated] = [await walPosition(admin), { ...wire.counts }, await allocatedBytes()]
      await work()
      await untilQuiet()
      const wal = await readWal(admin, from, await walPosition(admin))
      const logged = wal.bytesOfTables['request_log'] ?? 0
      const each = (count: number) => Math.round((count / repetitions) * 100) / 100
      const costs = {
        statements: each(wire.counts.statements - before.statements),
        transactions: each(wire.counts.transactions - before.transactions),
        round_trips: each(wire.counts.roundTrips - before.roundTrips),
        wal_bytes: Math.round((wal.bytes - logged) / repetitions),
        request_log_wal_bytes: Math.round(logged / repetitions),
        allocated_kilobytes: Math.round(((await allocatedBytes()) - allocated) / repetitions / 1024),
        rows: Object.fromEntries(
          Object.entries(wal.rows)
            .filter(([table]) => table !== 'request_log')
            .map(([table, counts]): [string, Record<string, number>] => [
              table,
              Object.fromEntries(
                Object.entries(counts)
                  .map(([name, count]) => [name, each(count)])
                  .filter(([, count]) => count !== 0),
              ),
            ])
            .filter(([, counts]) => Object.keys(counts).length > 0)
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        ),
      }
      return {
        costs,
        bytesOfTables: Object.fromEntries(
          Object.entries(wal.bytesOfTables).map(([table, bytes]) => [table, Math.round(bytes / repetitions)]),
        ),
      }
    },
    startWorker: async (more = {}) => {
      const workerPort = await freePort()
      return startProgram('src/main.js', ['worker'], `http://127.0.0.1:${workerPort}/readyz`, {
        ...shared,
        ...more,
        WORKER_PORT: String(workerPort),
      })
    },
  }
}

async function startProgram(
  file: string,
  args: readonly string[],
  readyUrl: string,
  env: Record<string, string>,
): Promise<ChildProcess> {
  const flags = args.length === 0 ? [] : [...(await nodeFlags()), '--no-opt', '--no-maglev', '--no-sparkplug']
  const child = spawnProgram(file, args, env, flags)
  cleanUp(() => stopProcess(child, 'SIGTERM'))
  await waitUntilReady(readyUrl, child, collectOutput(child))
  return child
}

async function createBusiness(url: string) {
  const db = new PlainDatabase({ url, maxConnections: 1, readers: 1 })
  const business = prepareBusiness({ name: 'Costs', timeZone: 'Asia/Hong_Kong', currency: 'HKD' })
  await businessesOf({ db, keyring: new Keyring(keysFromEnvironment(KEYS)) }).create(business)
  await db.close()
  return business
}
