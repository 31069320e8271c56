import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../../scenarios/harness/client.ts'
import type { runToEnd } from '../../scenarios/harness/command-line.ts'
import { waitUntilReady } from '../../scenarios/harness/service.ts'
import type { SandboxFile } from '../../src/sandbox-file.ts'
import type { AcquirerName, SimulatedAcquirer } from '../acquirers/index.ts'
import type { KillTarget } from './fault-schedule.ts'
import type { CrashCommand } from './postmaster.ts'

/** `start` is one process with everything; `api,worker` are two processes on one DATABASE_URL. */
export const LAYOUTS = ['start', 'api,worker'] as const
export type Layout = (typeof LAYOUTS)[number]

/**
 * - `databaseUrl`: Undefined for a database of the group's own, which kills can hit.
 * - `crashDatabase`: A shell command that crashes the database at `databaseUrl`, or one of its nodes, and sees to it that it
 *   starts again.
 */
export interface ProcessGroupOptions {
  readonly acquirer: AcquirerName
  readonly acquirerTimeoutMs: number
  readonly databaseUrl: string | undefined
  readonly crashDatabase: string | undefined
  readonly onUnexpectedExit: (message: string) => void
  readonly seed: number
}

export function crashCommandOf({
  databaseUrl: url,
  crashDatabase: command,
}: ProcessGroupOptions): CrashCommand | undefined {
  return url === undefined || command === undefined ? undefined : { command, url }
}

/** The processes under test. "The service" is all of them, save the database and the acquirer. */
export interface ProcessGroup {
  readonly root: string
  readonly acquirer: SimulatedAcquirer
  readonly serviceStartedAtMs: number
  readonly serviceOutput: string
  sandbox(): Promise<SandboxFile>
  startService(): void
  /** Resolves when the service is ready, or when it is killed first. */
  ready(): Promise<void>
  /** Sends SIGKILL. Early in a start there is no running database to hit. */
  kill(target: KillTarget): Promise<{ hitDatabase: boolean }>
  runCommand(...args: string[]): ReturnType<typeof runToEnd>
  /** Stops everything with SIGTERM. Returns false when the service had to be killed. */
  stopAll(): Promise<boolean>
  remove(): Promise<void>
}

const STARTS_AGAIN_AFTER_MS = 500

/**
 * - `databaseMayBeAway`: A process that cannot reach its database when it starts ends, and is started again, as by systemd.
 * - `startAgain`: Resolves when the new process is ready.
 */
interface Supervised {
  readonly name: string
  readonly child: ChildProcess
  readonly output: () => string
  readonly url: string
  readonly isKilled: () => boolean
  readonly databaseMayBeAway: boolean
  readonly startAgain: () => Promise<void>
  readonly onUnexpectedExit: (message: string) => void
}

/** Resolves when the process is ready, or when it is killed first. Reports every other exit. */
export function supervised(process: Supervised): Promise<void> {
  const { name, child, output, isKilled } = process
  const lacksDatabase = () => process.databaseMayBeAway && output().startsWith('Cannot reach the database')
  child.once('exit', (code, signal) => {
    if (isKilled() || lacksDatabase()) return
    process.onUnexpectedExit(`the ${name} exited unexpectedly (${signal ?? code}):\n${output().slice(-4000)}`)
  })
  const ready = waitUntilReady(process.url, child, output).catch(async (error: unknown) => {
    if (isKilled()) return
    if (!lacksDatabase()) throw error
    await sleep(STARTS_AGAIN_AFTER_MS)
    if (!isKilled()) await process.startAgain()
  })
  ready.catch(() => {})
  return ready
}

/** A client of a business that the workload does not use: nobody moves its clock. */
export async function anotherBusiness(processes: ProcessGroup): Promise<Client> {
  const [{ base_url }, { exitCode, stdout, stderr }] = await Promise.all([
    processes.sandbox(),
    processes.runCommand('businesses', 'create', '--name', 'Probe', '--json'),
  ])
  if (exitCode !== 0) throw new Error(`no business could be made: ${stderr}`)
  return new Client({ ...(JSON.parse(stdout) as SandboxFile), base_url })
}
