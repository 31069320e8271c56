import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  collectOutput,
  spawnProgram,
  stopProcess,
  waitUntilReady,
} from '../../../scenarios/harness/service.ts'

/** Longer than any drain. A process that does not stop in time is killed and reported as a finding. */
const STOP_TIMEOUT_MS = 60_000
/** A restart of all processes takes this long on a busy machine. */
const READY_TIMEOUT_MS = 240_000
const MAX_KEPT_OUTPUT = 4_000
const STARTS_AGAIN_AFTER_MS = 500

export interface ServiceProcessOptions {
  readonly name: string
  readonly command: 'start' | 'api' | 'worker'
  /** The port of `/readyz`. */
  readonly port: number
  readonly env: () => Readonly<Record<string, string>>
  /** A process that cannot reach its database when it starts ends, and is started again, as by systemd. */
  readonly databaseMayBeAway: boolean
  readonly onUnexpectedExit: (message: string) => void
}

/** A process of the service that is killed and started again. */
export class ServiceProcess {
  readonly #options: ServiceProcessOptions
  #child: ChildProcess | undefined
  #ready: Promise<void> = Promise.resolve()
  #output = ''
  #collect: () => string = () => ''
  readonly #killed = new WeakSet<ChildProcess>()
  startedAtMs = 0
  isReady = false

  constructor(options: ServiceProcessOptions) {
    this.#options = options
  }

  get url(): string {
    return `http://127.0.0.1:${this.#options.port}`
  }

  /** The end of what the process wrote, after a restart also of what its predecessors wrote. */
  get output(): string {
    return `${this.#output}${this.#collect()}`.slice(-MAX_KEPT_OUTPUT)
  }

  start(): void {
    this.#ready = this.#start()
    this.#ready.catch(() => {})
  }

  async #start(): Promise<void> {
    const { name, command, env, databaseMayBeAway, onUnexpectedExit } = this.#options
    const child = spawnProgram('src/main.js', [command], { ...env() })
    this.startedAtMs = performance.now()
    this.#output = this.output
    this.#child = child
    this.isReady = false
    const output = collectOutput(child)
    this.#collect = output
    const isKilled = (): boolean => this.#killed.has(child)
    const lacksDatabase = (): boolean => databaseMayBeAway && output().startsWith('Cannot reach the database')
    child.once('exit', (code, signal) => {
      if (isKilled() || lacksDatabase()) return
      onUnexpectedExit(
        `${name} exited unexpectedly (${signal ?? code}):\n${output().slice(-MAX_KEPT_OUTPUT)}`,
      )
    })
    try {
      await waitUntilReady(`${this.url}/readyz`, child, output, READY_TIMEOUT_MS)
      this.isReady = this.#child === child
    } catch (error) {
      if (isKilled()) return
      if (!lacksDatabase()) throw new Error(`${name}: ${String(error)}`, { cause: error })
      await sleep(STARTS_AGAIN_AFTER_MS)
      if (!isKilled()) await this.#start()
    }
  }

  /** Resolves when the process is ready, or when it is killed first. */
  async ready(): Promise<void> {
    await this.#ready
  }

  /** Halts the process where it is, until `resume` or `kill`. */
  pause(): void {
    this.#child?.kill('SIGSTOP')
  }

  resume(): void {
    this.#child?.kill('SIGCONT')
  }

  async kill(): Promise<void> {
    if (this.#child === undefined) return
    this.#killed.add(this.#child)
    await stopProcess(this.#child, 'SIGKILL')
  }

  /** Sends SIGTERM. Returns false when the process had to be killed. */
  async stop(): Promise<boolean> {
    if (this.#child === undefined) return true
    this.#killed.add(this.#child)
    const timeout = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => timeout.resolve(false), STOP_TIMEOUT_MS)
    const stopping = stopProcess(this.#child, 'SIGTERM').then(() => true)
    const drained = await Promise.race([stopping, timeout.promise])
    clearTimeout(timer)
    if (!drained) await stopProcess(this.#child, 'SIGKILL')
    return drained
  }
}
