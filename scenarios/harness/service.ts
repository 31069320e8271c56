import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '#platform/embedded-postgres/free-port'
import type { SandboxFile } from '../../src/sandbox-file.ts'

/** Of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The service as a process of its own, as an operator runs it. */
export interface Service {
  readonly sandbox: SandboxFile
  readonly dataDir: string
  readonly process: ChildProcess
  /** The environment it was started with, for commands beside it. */
  readonly env: Record<string, string>
  /** Everything that the process printed so far. */
  output(): string
  stop(signal?: NodeJS.Signals): Promise<void>
}

export interface ServiceOptions {
  /** Kept when given; else a directory of its own, removed at the end. */
  readonly dataDir?: string
  readonly env?: Record<string, string>
  readonly port?: number
}

/** Starts the service and waits until it is ready. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'quittance-scenario-')))
  const port = options.port ?? (await freePort())
  const env = { DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn', ...options.env }
  const child = spawnProgram('src/main.js', ['start'], env, await startFlags())
  const printed = collectOutput(child)
  await waitUntilReady(`http://127.0.0.1:${port}/readyz`, child, printed)
  const sandbox = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8')) as SandboxFile
  return {
    sandbox,
    dataDir,
    process: child,
    env,
    output: printed,
    stop: async (signal = 'SIGTERM') => {
      await stopProcess(child, signal)
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** What `npm start` tells the runtime. */
async function startFlags(): Promise<string[]> {
  const text = await readFile(join(ROOT, 'package.json'), 'utf8')
  const { scripts } = JSON.parse(text) as { scripts: { start: string } }
  return scripts.start.split(' ').filter((word) => word.startsWith('--'))
}

/** Runs one of our programs with the runtime that runs the tests, outside any inherited configuration. */
export function spawnProgram(
  file: string,
  args: readonly string[],
  env: Record<string, string>,
  flags: readonly string[] = [],
): ChildProcess {
  return spawn(process.execPath, [...flags, join(ROOT, file), ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

export function collectOutput(child: ChildProcess): () => string {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-200_000)
    })
  }
  return () => text
}

export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

export async function waitUntilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`the process ended before it was ready:\n${output()}`)
    }
    const ready = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`not ready within a minute:\n${output()}`)
}
