import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/embedded-postgres/embedded-postgres'
import { freePort } from '#platform/embedded-postgres/free-port'
import { createBusiness, runToEnd } from '../../scenarios/harness/command-line.ts'
import { collectOutput, spawnProgram, stopProcess } from '../../scenarios/harness/service.ts'
import type { SandboxFile } from '../../src/sandbox-file.ts'
import { createAcquirer, type SimulatedAcquirer } from '../acquirers/index.ts'
import { Random } from '../random.ts'
import { killsAcquirer, killsDatabase, killsService, type KillTarget } from './fault-schedule.ts'
import { type CrashCommand, crashDatabase, STOP_TIMEOUT_MS } from './postmaster.ts'
import { crashCommandOf, type ProcessGroup, type ProcessGroupOptions, supervised } from './process-group.ts'

const ROLES = ['api', 'worker'] as const
type Role = (typeof ROLES)[number]

interface Running {
  readonly child: ChildProcess
  readonly output: () => string
  readonly ready: Promise<void>
}

/**
 * An `api` and a `worker` on one DATABASE_URL. A kill of the service hits one of them, or both; the other goes on. The
 * database is the simulation's own: it starts again by itself when it is killed.
 */
export class SplitProcesses implements ProcessGroup {
  readonly root: string
  readonly acquirer: SimulatedAcquirer
  readonly #acquirerTimeoutMs: number
  readonly #onUnexpectedExit: (message: string) => void
  readonly #random: Random
  readonly #encryptionKey = randomBytes(32).toString('base64')
  readonly #ports: Readonly<Record<Role, number>>
  readonly #running = new Map<Role, Running>()
  readonly #killed = new WeakSet<ChildProcess>()
  readonly #databaseUrl: string
  readonly #crash: CrashCommand | undefined
  readonly #postgres: EmbeddedPostgres | undefined
  #sandbox: SandboxFile | undefined
  #serviceStartedAtMs = 0

  private constructor(
    options: ProcessGroupOptions,
    parts: {
      readonly root: string
      readonly acquirer: SimulatedAcquirer
      readonly ports: Readonly<Record<Role, number>>
      readonly databaseUrl: string
      readonly postgres: EmbeddedPostgres | undefined
    },
  ) {
    this.root = parts.root
    this.acquirer = parts.acquirer
    this.#acquirerTimeoutMs = options.acquirerTimeoutMs
    this.#onUnexpectedExit = options.onUnexpectedExit
    this.#crash = crashCommandOf(options)
    this.#ports = parts.ports
    this.#databaseUrl = parts.databaseUrl
    this.#postgres = parts.postgres
    this.#random = new Random(options.seed, 'api or worker')
  }

  static async start(options: ProcessGroupOptions): Promise<SplitProcesses> {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'quittance-simulation-')))
    const acquirer = createAcquirer(options.acquirer, join(root, 'acquirer'))
    const ports = { api: await freePort(), worker: await freePort() }
    const database = await databaseOf(options, join(root, 'data'))
    const processes = new SplitProcesses(options, { root, acquirer, ports, ...database })
    try {
      await acquirer.start()
      processes.startService()
      await processes.ready()
      const sandbox = await createBusiness({ env: processes.#env }, [], runToEnd)
      processes.#sandbox = { ...sandbox, base_url: `http://127.0.0.1:${ports.api}` }
      return processes
    } catch (error) {
      await processes.stopAll()
      await processes.remove()
      throw error
    }
  }

  get serviceStartedAtMs(): number {
    return this.#serviceStartedAtMs
  }

  get serviceOutput(): string {
    return [...this.#running].map(([role, { output }]) => `${role}:\n${output()}`).join('\n')
  }

  async sandbox(): Promise<SandboxFile> {
    if (this.#sandbox === undefined) throw new Error('there is no business yet')
    return this.#sandbox
  }

  /** Starts those that do not run. */
  startService(): void {
    this.#serviceStartedAtMs = performance.now()
    for (const role of ROLES) if (!this.#running.has(role)) this.#start(role)
  }

  #start(role: Role): void {
    const child = spawnProgram('src/main.js', [role], this.#env)
    const output = collectOutput(child)
    const ready = supervised({
      name: role,
      child,
      output,
      url: `http://127.0.0.1:${this.#ports[role]}/readyz`,
      isKilled: () => this.#killed.has(child),
      databaseMayBeAway: this.#crash !== undefined,
      startAgain: async () => {
        this.#start(role)
        await this.#running.get(role)?.ready
      },
      onUnexpectedExit: this.#onUnexpectedExit,
    })
    this.#running.set(role, { child, output, ready })
  }

  async ready(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ ready }) => ready))
  }

  async kill(target: KillTarget): Promise<{ hitDatabase: boolean }> {
    const exits: Promise<unknown>[] = []
    if (killsService(target)) {
      for (const role of this.#rolesToKill(target)) exits.push(this.#stop(role, 'SIGKILL'))
    }
    if (killsAcquirer(target)) exits.push(this.acquirer.kill())
    const hit = killsDatabase(target) ? crashDatabase(this.#dataDir, this.#crash) : false
    const [hitDatabase] = await Promise.all([hit, ...exits])
    return { hitDatabase }
  }

  /** The api drives a clock that is advanced, until the worker takes over. */
  #rolesToKill(target: KillTarget): readonly Role[] {
    if (target === 'everything') return ROLES
    if (target === 'service_in_advance')
      return this.#random.pick<readonly Role[]>([['api'], ['api'], ['worker']])
    return this.#random.pick<readonly Role[]>([['api'], ['worker'], ROLES])
  }

  async #stop(role: Role, signal: NodeJS.Signals): Promise<void> {
    const running = this.#running.get(role)
    if (running === undefined) return
    this.#killed.add(running.child)
    await stopProcess(running.child, signal)
    this.#running.delete(role)
  }

  runCommand(...args: string[]): ReturnType<typeof runToEnd> {
    return runToEnd(this.#env, args)
  }

  async stopAll(): Promise<boolean> {
    const stopAll = (signal: NodeJS.Signals) => Promise.all(ROLES.map((role) => this.#stop(role, signal)))
    const stopping = stopAll('SIGTERM').then(() => true)
    const drained = await Promise.race([stopping, sleep(STOP_TIMEOUT_MS, false, { ref: false })])
    if (!drained) await stopAll('SIGKILL')
    await this.#postgres?.stop()
    await this.acquirer.kill().catch(() => {})
    return drained
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true })
  }

  get #dataDir(): string {
    return join(this.root, 'data')
  }

  get #env(): Record<string, string> {
    return {
      DATA_DIR: join(this.root, 'unused'),
      DATABASE_URL: this.#databaseUrl,
      ENCRYPTION_KEYS: this.#encryptionKey,
      PORT: String(this.#ports.api),
      WORKER_PORT: String(this.#ports.worker),
      PUBLIC_URL: `http://127.0.0.1:${this.#ports.api}`,
      ...this.acquirer.env(),
      ACQUIRER_TIMEOUT_MS: String(this.#acquirerTimeoutMs),
      RATE_LIMIT: '0',
      LOG_LEVEL: 'warn',
    }
  }
}

async function databaseOf(
  { databaseUrl, onUnexpectedExit }: ProcessGroupOptions,
  dataDir: string,
): Promise<{ readonly databaseUrl: string; readonly postgres: EmbeddedPostgres | undefined }> {
  if (databaseUrl !== undefined) return { databaseUrl, postgres: undefined }
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
  postgres.onExit((reason) => onUnexpectedExit(`the database ended: ${reason}`))
  return { databaseUrl: postgres.url, postgres }
}
