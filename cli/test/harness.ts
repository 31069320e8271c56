import { type ChildProcess, execFile, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const BIN = fileURLToPath(new URL('../bin/quittance.js', import.meta.url))
const BUILD = fileURLToPath(new URL('../scripts/build.js', import.meta.url))
const HOST = fileURLToPath(new URL('./host.ts', import.meta.url))

let built: Promise<unknown> | undefined

export interface Result {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** The built command line, with settings and a working directory of its own. `run` takes one command at a time. */
export async function commandLine(env: Record<string, string> = {}) {
  await (built ??= execute(process.execPath, [BUILD]))
  const directory = await mkdtemp(join(tmpdir(), 'quittance-cli-'))
  const options = { cwd: directory, env: { PATH: process.env['PATH'], XDG_CONFIG_HOME: directory, ...env } }
  const host = fork(HOST, { ...options, execArgv: [], stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const ended = new AbortController()
  host.once('exit', () => ended.abort())
  return {
    directory,
    run: async (...args: string[]): Promise<Result> => {
      host.send(args)
      const [result] = (await once(host, 'message', { signal: ended.signal })) as [Result]
      return result
    },
    /** Runs it in a process of its own, also for `completion`, which changes what its process writes. */
    spawned: async (...args: string[]): Promise<Result> => {
      try {
        return { exitCode: 0, ...(await execute(process.execPath, [BIN, ...args], options)) }
      } catch (error) {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
        return { exitCode: code, stdout, stderr }
      }
    },
    start: (...args: string[]): ChildProcess => spawn(process.execPath, [BIN, ...args], options),
    remove: async () => {
      host.kill()
      await rm(directory, { recursive: true })
    },
  }
}
