import type { ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readlink, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#platform/embedded-postgres/free-port'
import { runToEnd } from '../scenarios/harness/command-line.ts'
import { putFaults, SimulatorProcess } from '../src/modules/acquirers/testing/simulator.ts'
import { collectOutput, spawnProgram, stopProcess, waitUntilReady } from '../scenarios/harness/service.ts'
import type { SandboxFile } from '../src/sandbox-file.ts'
import { killsDatabase, killsService, killsSimulator, type Target, type Weather } from './choices.ts'

/** Longer than any drain; a process that does not end within it is killed, and that is a finding. */
const MAX_STOP_MS = 30_000

/** The service with its embedded database, and the simulator, as processes that can be killed and started again. */
export class Processes {
  readonly root: string
  readonly #port: number
  readonly #timeoutMs: number
  /** Called when a process ends that nobody killed. */
  readonly #onDeath: (what: string) => void
  #service: ChildProcess | undefined
  #said: () => string = () => ''
  #serviceReady: Promise<void> = Promise.resolve()
  #serviceStartedAtMs = 0
  readonly #killed = new WeakSet<ChildProcess>()
  #simulator: SimulatorProcess | undefined
  #simulatorPort = 0
  #faults: Weather['faults'] | undefined

  private constructor(root: string, port: number, timeoutMs: number, onDeath: (what: string) => void) {
    this.root = root
    this.#port = port
    this.#timeoutMs = timeoutMs
    this.#onDeath = onDeath
  }

  /** @param timeoutMs how long the service waits for the simulator */
  static async start(timeoutMs: number, onDeath: (what: string) => void): Promise<Processes> {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'quittance-simulation-')))
    const processes = new Processes(root, await freePort(), timeoutMs, onDeath)
    await mkdir(processes.simulatorDir)
    try {
      await processes.startSimulator()
      processes.startService()
      await processes.ready()
      return processes
    } catch (error) {
      // What the process said is in the error; there is nothing else to look at.
      await processes.end()
      await processes.remove()
      throw error
    }
  }

  get simulatorDir(): string {
    return join(this.root, 'simulator')
  }

  get simulatorUrl(): string {
    return `http://127.0.0.1:${this.#simulatorPort}`
  }

  get serviceStartedAtMs(): number {
    return this.#serviceStartedAtMs
  }

  /** The last that the service wrote to its log. */
  get serviceSaid(): string {
    return this.#said()
  }

  async sandbox(): Promise<SandboxFile> {
    return JSON.parse(await readFile(join(this.#dataDir, 'sandbox.json'), 'utf8')) as SandboxFile
  }

  startService(): void {
    const child = spawnProgram('src/main.js', ['start'], this.#env)
    this.#service = child
    this.#said = collectOutput(child)
    const said = this.#said
    this.#serviceStartedAtMs = performance.now()
    child.once('exit', (code, signal) => {
      if (this.#killed.has(child)) return
      this.#onDeath(`the service ended by itself (${signal ?? code}):\n${said().slice(-4000)}`)
    })
    const ready = waitUntilReady(`http://127.0.0.1:${this.#port}/readyz`, child, said)
    this.#serviceReady = ready.catch((error: unknown) => {
      if (!this.#killed.has(child)) throw error
    })
    this.#serviceReady.catch(() => {})
  }

  /** Resolves when the service answers; at once when it was killed in the meantime. */
  async ready(): Promise<void> {
    await this.#serviceReady
  }

  async startSimulator(): Promise<void> {
    this.#simulator = await SimulatorProcess.start(this.simulatorDir, this.#simulatorPort)
    this.#simulatorPort = this.#simulator.port
    // Faults are not kept over a restart.
    if (this.#faults !== undefined) await putFaults(this.simulatorUrl, this.#faults).catch(() => {})
  }

  async setFaults(faults: Weather['faults']): Promise<void> {
    this.#faults = faults
    // A simulator that is down gets them when it is started.
    await putFaults(this.simulatorUrl, faults).catch(() => {})
  }

  /** SIGKILL to all that is meant. Answers whether a database was among it: there is none early in a start. */
  async kill(target: Target): Promise<{ database: boolean }> {
    const postmaster = killsDatabase(target) ? await this.#postmasterPid() : undefined
    const ended: Promise<unknown>[] = []
    if (killsService(target)) ended.push(this.#killService('SIGKILL'))
    if (postmaster !== undefined) killIfAlive(postmaster, 'SIGKILL')
    if (killsSimulator(target)) ended.push(this.#simulator?.stop('SIGKILL') ?? Promise.resolve())
    await Promise.all(ended)
    return { database: postmaster !== undefined }
  }

  async #killService(signal: NodeJS.Signals): Promise<void> {
    if (this.#service === undefined) return
    this.#killed.add(this.#service)
    await stopProcess(this.#service, signal)
  }

  /** Runs a command of `npm run quittance --` beside the service. */
  command(...args: string[]): ReturnType<typeof runToEnd> {
    return runToEnd(this.#env, args)
  }

  /** Ends everything as an operator would; answers false when the service had to be killed. */
  async end(): Promise<boolean> {
    const stopping = this.#killService('SIGTERM').then(() => true)
    const drained = await Promise.race([stopping, sleep(MAX_STOP_MS, false, { ref: false })])
    if (!drained) await this.#killService('SIGKILL')
    const postmaster = await this.#postmasterPid()
    if (postmaster !== undefined) await endPostmaster(postmaster)
    await this.#simulator?.stop('SIGKILL')
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
      SIMULATOR_URL: this.simulatorUrl,
      ACQUIRER_TIMEOUT_MS: String(this.#timeoutMs),
      RATE_LIMIT: '0',
      LOG_LEVEL: 'warn',
    }
  }

  /** The database's main process; undefined when it does not run. */
  async #postmasterPid(): Promise<number | undefined> {
    const directory = join(this.#dataDir, 'postgres')
    const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '')
    const pid = Number(text.split('\n')[0])
    return Number.isInteger(pid) && pid > 1 && (await isPostmaster(pid, directory)) ? pid : undefined
  }
}

/**
 * A pid file outlives its process, and pids are used again: only a process that works in our directory is ours. Its command
 * line does not name the directory, which it is given as an open one.
 */
async function isPostmaster(pid: number, directory: string): Promise<boolean> {
  if (process.platform !== 'linux') return true
  return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === directory
}

function killIfAlive(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}

/** SIGQUIT: at once, its own children included. */
async function endPostmaster(pid: number): Promise<void> {
  if (!killIfAlive(pid, 'SIGQUIT')) return
  for (let waited = 0; waited < 5_000 && killIfAlive(pid, 0); waited += 50) await sleep(50)
  killIfAlive(pid, 'SIGKILL')
}
