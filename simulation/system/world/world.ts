import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#platform/embedded-postgres/free-port'
import { runToEnd } from '../../../scenarios/harness/command-line.ts'
import type { SandboxFile } from '../../../src/sandbox-file.ts'
import { type AcquirerName, createAcquirer, type SimulatedAcquirer } from '../../acquirers/index.ts'
import { ACQUIRER_TIMEOUT_MS } from '../plan/draw-faults.ts'
import type { SystemOptions } from '../plan/plan.ts'
import { ChainNode } from './chain-node.ts'
import { embeddedIn, externalDatabase, startPair, startSingle, type SystemDatabase } from './database.ts'
import { ServiceProcess } from './service-process.ts'

const ENCRYPTION_KEYS = Buffer.alloc(32, 7).toString('base64')
const APIS = 2
const WORKERS = 2

/** All processes of a run: the service's, its database, the acquirers and the node of the chain. */
export class World {
  readonly root: string
  readonly acquirers: ReadonlyMap<AcquirerName, SimulatedAcquirer>
  readonly chain: ChainNode
  readonly database: SystemDatabase
  readonly services: readonly ServiceProcess[]
  /** The processes that serve requests. */
  readonly apis: readonly ServiceProcess[]
  readonly #started: ReadonlySet<SimulatedAcquirer>
  readonly #env: () => Readonly<Record<string, string>>
  #requests = 0

  private constructor(parts: {
    root: string
    acquirers: ReadonlyMap<AcquirerName, SimulatedAcquirer>
    chain: ChainNode
    database: SystemDatabase
    services: readonly ServiceProcess[]
    apis: readonly ServiceProcess[]
    started: ReadonlySet<SimulatedAcquirer>
    env: () => Readonly<Record<string, string>>
  }) {
    this.root = parts.root
    this.acquirers = parts.acquirers
    this.chain = parts.chain
    this.database = parts.database
    this.services = parts.services
    this.apis = parts.apis
    this.#started = parts.started
    this.#env = parts.env
  }

  static async start(options: SystemOptions, onUnexpectedExit: (message: string) => void): Promise<World> {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'quittance-system-')))
    const acquirers = new Map(
      options.acquirers.map((name) => [name, createAcquirer(name, join(root, name))] as const),
    )
    // The service needs the address of a simulator even if no business has its account there.
    const simulator = acquirers.get('simulator') ?? createAcquirer('simulator', join(root, 'simulator'))
    const started = new Set([...acquirers.values(), simulator])
    await Promise.all([...started].map((acquirer) => acquirer.start()))
    const chain = await ChainNode.start(root)
    const dataDir = join(root, 'data')
    const database = await startDatabase(options, root, dataDir)
    const env = () => ({
      DATA_DIR: dataDir,
      ...(database.url !== undefined && { DATABASE_URL: database.url, ENCRYPTION_KEYS }),
      ...chain.settings,
      ...simulator.env(),
      ACQUIRER_TIMEOUT_MS: String(ACQUIRER_TIMEOUT_MS),
      ALLOW_PRIVATE_WEBHOOKS: '1',
      RATE_LIMIT: '0',
      LOG_LEVEL: 'warn',
      // This interrupts both ways of storing the documents of events.
      ...(options.topology !== 'all-in-one' && { EVENT_DAYS: '62' }),
    })
    const ports = await freePorts(APIS + WORKERS)
    const publicUrl = `http://127.0.0.1:${ports[0]}`
    const create = (index: number, name: string, command: 'start' | 'api' | 'worker'): ServiceProcess => {
      const port = ports[index] ?? 0
      const own = command === 'worker' ? { WORKER_PORT: String(port) } : { PORT: String(port) }
      const directory = join(root, name)
      return new ServiceProcess({
        name,
        command,
        port,
        env: () => ({
          ...env(),
          PUBLIC_URL: publicUrl,
          ...(command !== 'start' && { DATA_DIR: directory }),
          ...own,
        }),
        databaseMayBeAway: options.database?.crash !== undefined,
        onUnexpectedExit,
      })
    }
    const isOne = options.topology === 'all-in-one'
    const apis = isOne
      ? [create(0, 'service', 'start')]
      : Array.from({ length: APIS }, (_, index) => create(index, `api-${index}`, 'api'))
    const workers = isOne
      ? []
      : Array.from({ length: WORKERS }, (_, index) => create(APIS + index, `worker-${index}`, 'worker'))
    const services = [...apis, ...workers]
    const world = new World({ root, acquirers, chain, database, services, apis, started, env })
    try {
      for (const service of services) service.start()
      await world.ready()
      return world
    } catch (error) {
      await world.stop()
      await world.remove()
      throw error
    }
  }

  /** A new business. Each of its requests goes to the next api process, as behind a load balancer that does not look. */
  async createBusiness(name: string): Promise<SandboxFile> {
    const { exitCode, stdout, stderr } = await this.runCommand(
      'businesses',
      'create',
      '--name',
      name,
      '--json',
    )
    if (exitCode !== 0) throw new Error(`businesses create ended with ${exitCode}: ${stderr}`)
    const nextUrl = (): string => this.apis[this.#requests++ % this.apis.length]?.url ?? ''
    return Object.defineProperty(JSON.parse(stdout) as SandboxFile, 'base_url', { get: nextUrl })
  }

  service(index: number): ServiceProcess {
    const service = this.services[index % this.services.length]
    if (service === undefined) throw new Error('there is no process of the service')
    return service
  }

  async ready(): Promise<void> {
    await Promise.all(this.services.map((service) => service.ready()))
  }

  runCommand(...args: string[]): ReturnType<typeof runToEnd> {
    return runToEnd({ ...this.#env() }, args)
  }

  /** Ends everything. Returns the processes that did not stop when they were asked to. */
  async stop(): Promise<string[]> {
    const stopped = await Promise.all(this.services.map((service) => service.stop()))
    await this.database.stop()
    await Promise.all([...this.#started].map((acquirer) => acquirer.kill().catch(() => {})))
    await this.chain.stop()
    return stopped.every(Boolean) ? [] : ['a process of the service did not stop after SIGTERM']
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true })
  }
}

function startDatabase(
  { topology, supervisor, database }: SystemOptions,
  root: string,
  dataDir: string,
): Promise<SystemDatabase> {
  if (database !== undefined) return Promise.resolve(externalDatabase(database.url, database.crash))
  switch (topology) {
    case 'all-in-one':
      return Promise.resolve(embeddedIn(dataDir))
    case 'separate':
      return startSingle(root)
    case 'pair':
      return startPair(supervisor)
  }
}

/** Finds all ports at once, because a released port may be given out again. */
function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => freePort()))
}
