import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { REPOSITORY_ROOT } from '../harness/service.ts'

const run = promisify(execFile)
/** The output of a build is about 100 kB. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

interface Options {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

/** Runs a program in the root of the repository and returns what it printed, trimmed. Its failure holds all of its output. */
export async function execute(
  program: string,
  args: readonly string[],
  options: Options = {},
): Promise<string> {
  const { stdout } = await run(program, args, {
    cwd: REPOSITORY_ROOT,
    ...options,
    maxBuffer: MAX_OUTPUT_BYTES,
  }).catch((error: unknown) => {
    const { stdout: said = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${program} ${args[0] ?? ''} failed:\n${`${said}\n${stderr}`.slice(-4_000)}`, {
      cause: error,
    })
  })
  return stdout.trim()
}
