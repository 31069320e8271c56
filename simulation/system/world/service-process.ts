import type { ChildProcess } from 'node:child_process'
import {
  collectOutput,
  spawnProgram,
  stopProcess,
  waitUntilReady,
} from '../../../scenarios/harness/service.ts'

/** Longer than any drain. A process that does not stop in time is killed and reported as a finding. */
const STOP_TIMEOUT_MS = 60_000
/** A restart of all processes on a machine that does much else. */
const READY_TIMEOUT_MS = 240_000
const MAX_KEPT_OUTPUT = 4_000

export interface ServiceProcessOptions {
  readonly name: string
  readonly command: 'start' | 'api' | 'worker'
  /** Where it answers `/readyz`. */
  readonly port: number
  readonly env: () => Readonly<Record<string, string>>
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
    const { name, command, env, onUnexpectedExit } = this.#options
    const child = spawnProgram('src/main.js', [command], { ...env() })
    this.#output = this.output
    this.#child = child
    const output = collectOutput(child)
    this.#collect = output
    child.once('exit', (code, signal) => {
      if (this.#killed.has(child)) return
      onUnexpectedExit(
        `${name} exited unexpectedly (${signal ?? code}):\n${output().slice(-MAX_KEPT_OUTPUT)}`,
      )
    })
    const ready = waitUntilReady(`${this.url}/readyz`, child, output, READY_TIMEOUT_MS)
    this.#ready = ready.catch((error: unknown) => {
      if (!this.#killed.has(child)) throw new Error(`${name}: ${String(error)}`)
    })
    this.#ready.catch(() => {})
  }

  /** Resolves when the process is ready, or when it is killed first. */
  async ready(): Promise<void> {
    await this.#ready
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
