import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '#platform/embedded-postgres/free-port'
import { collectOutput, stopProcess, waitUntilReady } from '../../scenarios/harness/service.ts'

/** A service of one version, from its own checkout. */
export class Program {
  readonly port: number
  readonly #directory: string
  readonly env: Readonly<Record<string, string>>
  #child: ChildProcess | undefined
  output: () => string = () => ''

  private constructor(directory: string, port: number, env: Readonly<Record<string, string>>) {
    this.#directory = directory
    this.port = port
    this.env = env
  }

  static async of(directory: string, env: Readonly<Record<string, string>>): Promise<Program> {
    return new Program(directory, await freePort(), env)
  }

  async start(): Promise<void> {
    const child = this.#spawn(['start'])
    this.#child = child
    this.output = collectOutput(child)
    await waitUntilReady(`http://127.0.0.1:${this.port}/readyz`, child, this.output)
  }

  async kill(): Promise<void> {
    if (this.#child !== undefined) await stopProcess(this.#child, 'SIGKILL')
  }

  /** @returns the exit code */
  async drain(): Promise<number | null> {
    if (this.#child === undefined) return null
    await stopProcess(this.#child, 'SIGTERM')
    return this.#child.exitCode
  }

  async run(...args: string[]): Promise<{ exitCode: number; output: string }> {
    const child = this.#spawn(args)
    const output = collectOutput(child)
    const [exitCode] = (await once(child, 'close')) as [number]
    return { exitCode, output: output() }
  }

  #spawn(args: readonly string[]): ChildProcess {
    return spawn(process.execPath, [join(this.#directory, 'src/main.js'), ...args], {
      cwd: this.#directory,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...this.env, PORT: String(this.port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }
}
