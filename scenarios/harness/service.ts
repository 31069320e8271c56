import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '#platform/embedded-postgres/free-port'
import { isBundled } from '../../src/bundle.js'
import type { SandboxFile } from '../../src/sandbox-file.ts'

export const REPOSITORY_ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface Service {
  readonly sandbox: SandboxFile
  readonly dataDir: string
  readonly process: ChildProcess
  readonly env: Record<string, string>
  output(): string
  stop(signal?: NodeJS.Signals): Promise<void>
}

export interface ServiceOptions {
  /** `stop` removes the directory only if it was left out here. */
  readonly dataDir?: string
  readonly env?: Record<string, string>
  readonly port?: number
}

let built: Promise<void> | undefined

/**
 * Bundles the program once if a source has changed since: tests start it a hundred times, and from its sources each start takes
 * 1.5 s more of processor time.
 */
export function buildProgram(): Promise<void> {
  built ??= build()
  return built
}

async function build(): Promise<void> {
  if (isBundled()) return
  await promisify(execFile)(process.execPath, ['scripts/build-program.js'], { cwd: REPOSITORY_ROOT })
}

const MAX_PORTS = 3

/** Another test may take the free port first; then its service responds, and ours reports that it cannot listen. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  await buildProgram()
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'quittance-scenario-')))
  if (options.port !== undefined) return startOnPort(options, dataDir, options.port)
  for (let tried = 1; ; tried++) {
    try {
      return await startOnPort(options, dataDir, await freePort())
    } catch (error) {
      if (tried === MAX_PORTS || !String(error).includes('Cannot listen on')) throw error
    }
  }
}

async function startOnPort(options: ServiceOptions, dataDir: string, port: number): Promise<Service> {
  const env = { DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn', ...options.env }
  const child = spawnProgram('src/main.js', ['start'], env, await nodeFlags())
  const output = collectOutput(child)
  const sandboxFile = join(dataDir, 'sandbox.json')
  try {
    do await waitUntilReady(`http://127.0.0.1:${port}/readyz`, child, output)
    while (!existsSync(sandboxFile))
  } catch (error) {
    // It would go on and slow down every test that follows.
    await stopProcess(child, 'SIGKILL')
    throw error
  }
  const sandbox = JSON.parse(await readFile(sandboxFile, 'utf8')) as SandboxFile
  return {
    sandbox,
    dataDir,
    process: child,
    env,
    output,
    stop: async (signal = 'SIGTERM') => {
      await stopProcess(child, signal)
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export async function nodeFlags(): Promise<string[]> {
  const text = await readFile(join(REPOSITORY_ROOT, 'package.json'), 'utf8')
  const { scripts } = JSON.parse(text) as { scripts: { start: string } }
  return scripts.start.split(' ').filter((word) => word.startsWith('--'))
}

/** Runs a program of this repository with the current Node and no inherited settings. */
export function spawnProgram(
  file: string,
  args: readonly string[],
  env: Record<string, string>,
  flags: readonly string[] = [],
): ChildProcess {
  return spawn(process.execPath, [...flags, join(REPOSITORY_ROOT, file), ...args], {
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

const READY_TIMEOUT_MS = 120_000

export async function waitUntilReady(
  url: string,
  child: ChildProcess,
  output: () => string,
  timeoutMs = READY_TIMEOUT_MS,
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`the process exited before it was ready:\n${output()}`)
    }
    const ready = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`the process was not ready within ${timeoutMs / 1000} s:\n${output()}`)
}
