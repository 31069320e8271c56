import { exec } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Longer than any drain. A service that does not stop in time is killed and reported as a finding. */
export const STOP_TIMEOUT_MS = 30_000

/** The embedded PostgreSQL of a data directory; undefined when none runs. */
export async function postmasterPid(dataDir: string): Promise<number | undefined> {
  const directory = join(dataDir, 'postgres')
  const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  return Number.isInteger(pid) && pid > 1 && (await isPostmaster(pid, directory)) ? pid : undefined
}

/**
 * A pid file outlives its process, and the system reuses pids, so the working directory decides whether the process is
 * ours. The command line does not name the directory.
 */
async function isPostmaster(pid: number, directory: string): Promise<boolean> {
  if (process.platform !== 'linux') return true
  return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === directory
}

/** Crashes the embedded PostgreSQL of a data directory, or another database by a command. Returns whether one was hit. */
export async function crashDatabase(dataDir: string, command: string | undefined): Promise<boolean> {
  if (command !== undefined) {
    await promisify(exec)(command)
    return true
  }
  const pid = await postmasterPid(dataDir)
  return pid !== undefined && killIfAlive(pid, 'SIGKILL')
}

export function killIfAlive(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}

export async function stopPostmaster(pid: number): Promise<void> {
  if (!killIfAlive(pid, 'SIGQUIT')) return
  for (let waitedMs = 0; waitedMs < 5_000 && killIfAlive(pid, 0); waitedMs += 50) await sleep(50)
  killIfAlive(pid, 'SIGKILL')
}
