import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#platform/embedded-postgres/free-port'
import { runToEnd } from '../../scenarios/harness/command-line.ts'
import { createAcquirer, type SimulatedAcquirer } from '../acquirers/index.ts'
import { collectOutput, spawnProgram, stopProcess } from '../../scenarios/harness/service.ts'
import type { SandboxFile } from '../../src/sandbox-file.ts'
import { killsDatabase, killsService, killsAcquirer, type KillTarget } from './fault-schedule.ts'
import {
  type CrashCommand,
  crashDatabase,
  postmasterPid,
  stopPostmaster,
  STOP_TIMEOUT_MS,
} from './postmaster.ts'
import { crashCommandOf, type ProcessGroup, type ProcessGroupOptions, supervised } from './process-group.ts'

export class Processes implements ProcessGroup {
  readonly root: string
  readonly acquirer: SimulatedAcquirer
  readonly #port: number
  readonly #acquirerTimeoutMs: number
  readonly #onUnexpectedExit: (message: string) => void
  readonly #crash: CrashCommand | undefined
  readonly #databaseEnv: Readonly<Record<string, string>>
  #service: ChildProcess | undefined
  #output: () => string = () => ''
  #serviceReady: Promise<void> = Promise.resolve()
  #serviceStartedAtMs = 0
  readonly #killed = new WeakSet<ChildProcess>()

  private constructor(root: string, acquirer: SimulatedAcquirer, port: number, options: ProcessGroupOptions) {
    const { databaseUrl } = options
    this.#crash = crashCommandOf(options)
    this.#databaseEnv =
      databaseUrl === undefined
        ? {}
        : { DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: randomBytes(32).toString('base64') }
    this.root = root
    this.acquirer = acquirer
    this.#port = port
    this.#acquirerTimeoutMs = options.acquirerTimeoutMs
    this.#onUnexpectedExit = options.onUnexpectedExit
  }

  static async start(options: ProcessGroupOptions): Promise<Processes> {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'quittance-simulation-')))
    const acquirer = createAcquirer(options.acquirer, join(root, 'acquirer'))
    const processes = new Processes(root, acquirer, await freePort(), options)
    try {
      await acquirer.start()
      processes.startService()
      await processes.ready()
      return processes
    } catch (error) {
      // The error has the output of the process, so the directory need not be kept.
      await processes.stopAll()
      await processes.remove()
      throw error
    }
  }

  get serviceStartedAtMs(): number {
    return this.#serviceStartedAtMs
  }

  get serviceOutput(): string {
    return this.#output()
  }

  async sandbox(): Promise<SandboxFile> {
    return JSON.parse(await readFile(join(this.#dataDir, 'sandbox.json'), 'utf8')) as SandboxFile
  }

  startService(): void {
    const child = spawnProgram('src/main.js', ['start'], this.#env)
    this.#service = child
    this.#output = collectOutput(child)
    const output = this.#output
    this.#serviceStartedAtMs = performance.now()
    this.#serviceReady = supervised({
      name: 'service',
      child,
      output,
      url: `http://127.0.0.1:${this.#port}/readyz`,
      isKilled: () => this.#killed.has(child),
      databaseMayBeAway: this.#crash !== undefined,
      startAgain: () => {
        this.startService()
        return this.ready()
      },
      onUnexpectedExit: this.#onUnexpectedExit,
    })
  }

  async ready(): Promise<void> {
    await this.#serviceReady
  }

  async kill(target: KillTarget): Promise<{ hitDatabase: boolean }> {
    const exits: Promise<unknown>[] = []
    if (killsService(target)) exits.push(this.#killService('SIGKILL'))
    if (killsAcquirer(target)) exits.push(this.acquirer.kill())
    const hit = killsDatabase(target) ? crashDatabase(this.#dataDir, this.#crash) : false
    const [hitDatabase] = await Promise.all([hit, ...exits])
    return { hitDatabase }
  }

  async #killService(signal: NodeJS.Signals): Promise<void> {
    if (this.#service === undefined) return
    this.#killed.add(this.#service)
    await stopProcess(this.#service, signal)
  }

  runCommand(...args: string[]): ReturnType<typeof runToEnd> {
    return runToEnd(this.#env, args)
  }

  async stopAll(): Promise<boolean> {
    const stopping = this.#killService('SIGTERM').then(() => true)
    const drained = await Promise.race([stopping, sleep(STOP_TIMEOUT_MS, false, { ref: false })])
    if (!drained) await this.#killService('SIGKILL')
    const postmaster = await postmasterPid(this.#dataDir)
    if (postmaster !== undefined) await stopPostmaster(postmaster)
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
      DATA_DIR: this.#dataDir,
      PORT: String(this.#port),
      ...this.acquirer.env(),
      ...this.#databaseEnv,
      ACQUIRER_TIMEOUT_MS: String(this.#acquirerTimeoutMs),
      RATE_LIMIT: '0',
      LOG_LEVEL: 'warn',
    }
  }
}
