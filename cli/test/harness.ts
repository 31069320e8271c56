import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const BIN = fileURLToPath(new URL('../bin/quittance.js', import.meta.url))
const BUILD = fileURLToPath(new URL('../scripts/build.js', import.meta.url))

export interface Result {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** The built command line, with settings and a working directory of its own. */
export async function commandLine(env: Record<string, string> = {}) {
  await run(process.execPath, [BUILD])
  const directory = await mkdtemp(join(tmpdir(), 'quittance-cli-'))
  const options = { cwd: directory, env: { PATH: process.env['PATH'], XDG_CONFIG_HOME: directory, ...env } }
  return {
    directory,
    run: async (...args: string[]): Promise<Result> => {
      try {
        return { exitCode: 0, ...(await run(process.execPath, [BIN, ...args], options)) }
      } catch (error) {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
        return { exitCode: code, stdout, stderr }
      }
    },
    start: (...args: string[]): ChildProcess => spawn(process.execPath, [BIN, ...args], options),
    remove: () => rm(directory, { recursive: true }),
  }
}
